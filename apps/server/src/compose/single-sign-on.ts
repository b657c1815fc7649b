import type { UserChange } from '@osprey/contract';
import type { Kysely } from 'kysely';
import type { Config } from '../base/config/config.ts';
import type { Database } from '../base/db/schema.ts';
import type { Http } from '../base/http/call-route.ts';
import type { Credentials } from '../features/identity/credentials.ts';
import { signOnAccounts } from '../features/identity/single-sign-on/accounts.ts';
import { rightsMapping } from '../features/identity/single-sign-on/mapping.ts';
import { identityProvider } from '../features/identity/single-sign-on/provider.ts';
import { type SingleSignOnDeps, singleSignOnRoutes } from '../features/identity/single-sign-on/routes.ts';

type Options = Pick<SingleSignOnDeps, 'admit' | 'changed' | 'log' | 'nowMs'> & {
  http: Http;
  config: Config;
  db: Kysely<Database>;
  credentials: Credentials;
  updateUser: (id: string, change: UserChange) => Promise<unknown>;
};

/** Serves single sign-on as configured. Without an issuer, its calls respond as if they did not exist. */
export function serveSingleSignOn(options: Options): void {
  const { http, config, db, credentials, updateUser, admit, changed, log, nowMs } = options;
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClaims } = config;
  const [role = '', groups = '', clearance = ''] = oidcClaims;
  const rightsOf = rightsMapping({
    claims: { role, groups, clearance },
    roles: config.oidcRoles,
    groups: config.oidcGroups,
    clearances: config.oidcClearances,
  });
  const isSet = issuer !== null && clientId !== null;
  const { oidcClientSecretFile: secretFile, oidcScope: scope } = config;
  singleSignOnRoutes({
    ...http,
    admit,
    listenCeiling: config.listenCeiling,
    changed,
    log,
    nowMs,
    provider: isSet ? identityProvider({ issuer, clientId, secretFile, scope }) : null,
    accounts: signOnAccounts({ db, rightsOf, updateUser, nowUs: http.nowUs }),
    credentials,
  });
}
