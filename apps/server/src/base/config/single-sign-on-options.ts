import type { OptionOf } from './option.ts';
import { entries, file, text } from './parse.ts';

/** Settings of OpenID Connect: the identity provider, and how its claims map to roles, groups and clearances. */
export type SingleSignOnConfig = {
  oidcIssuer: string | null;
  oidcClientId: string | null;
  oidcClientSecretFile: string | null;
  oidcName: string;
  oidcScope: string;
  /** Names of the claims for role, groups and clearance, in this order. */
  oidcClaims: string[];
  oidcRoles: string[];
  oidcGroups: string[];
  oidcClearances: string[];
};

type Option = OptionOf<SingleSignOnConfig>;

const option = <K extends keyof SingleSignOnConfig>(entry: OptionOf<SingleSignOnConfig, K>) =>
  entry as unknown as Option;

/** Parses pairs of `value=meaning`, comma separated. */
const pairs =
  (meaning: RegExp) =>
  (value: string): string[] | undefined => {
    const isGood = (entry: string) => /^[^=]+=/.test(entry) && meaning.test(entry.slice(entry.indexOf('=') + 1).trim());
    return entries(value).every(isGood) ? entries(value) : undefined;
  };

/** Plain http is allowed only on loopback, since it exposes passwords and tokens to the network. */
function issuerAddress(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined;
  const { protocol, hostname } = new URL(value);
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLocal) ? value : undefined;
}

function claimNames(value: string): string[] | undefined {
  const names = entries(value);
  return names.length === 3 ? names : undefined;
}

export const singleSignOnOptions: readonly Option[] = [
  option({
    key: 'oidcIssuer',
    name: 'OIDC_ISSUER',
    value: 'url',
    help: 'identity provider (OpenID Connect) for single sign-on; needs the client id too',
    allowed: 'an https address, or http on loopback',
    fallback: null,
    parse: issuerAddress,
  }),
  option({
    key: 'oidcClientId',
    name: 'OIDC_CLIENT_ID',
    value: 'text',
    help: 'our name at the identity provider; redirect address there: <address of Osprey>/api/single-sign-on/callback',
    allowed: 'a text',
    fallback: null,
    parse: text,
  }),
  option({
    key: 'oidcClientSecretFile',
    name: 'OIDC_CLIENT_SECRET_FILE',
    value: 'file',
    help: 'file that holds our secret at the identity provider; unset for a public client',
    allowed: 'a file that is there',
    fallback: null,
    parse: file,
  }),
  option({
    key: 'oidcName',
    name: 'OIDC_NAME',
    value: 'text',
    help: 'what the button on the login page names',
    allowed: 'up to 64 characters',
    fallback: 'single sign-on',
    parse: (value) => (value.length <= 64 ? text(value) : undefined),
  }),
  option({
    key: 'oidcScope',
    name: 'OIDC_SCOPE',
    value: 'scopes',
    help: 'scopes to ask for',
    allowed: 'scopes with "openid" among them, separated by spaces',
    fallback: 'openid profile email',
    parse: (value) => (value.trim().split(/\s+/).includes('openid') ? value.trim() : undefined),
  }),
  option({
    key: 'oidcClaims',
    name: 'OIDC_CLAIMS',
    value: 'names',
    help: 'claims that hold role, groups and clearance; dots lead into objects (realm_access.roles)',
    allowed: 'three names, comma separated',
    fallback: ['roles', 'groups', 'clearance'],
    parse: claimNames,
  }),
  option({
    key: 'oidcRoles',
    name: 'OIDC_ROLES',
    value: 'pairs',
    help: 'what values of the role claim give; none of them gives user, and none gives superAdmin',
    allowed: 'value=admin, value=groupAdmin or value=user, comma separated',
    fallback: [],
    parse: pairs(/^(?:admin|groupAdmin|user)$/),
  }),
  option({
    key: 'oidcGroups',
    name: 'OIDC_GROUPS',
    value: 'pairs',
    help: 'usergroups that values of the groups claim give, in addition to Demo',
    allowed: 'value=name of a usergroup, comma separated',
    fallback: [],
    parse: pairs(/^.+$/),
  }),
  option({
    key: 'oidcClearances',
    name: 'OIDC_CLEARANCES',
    value: 'pairs',
    help: 'clearance that values of the clearance claim give; none of them gives 1',
    allowed: 'value=1 (UNCLASSIFIED) to value=5 (TOP SECRET), comma separated',
    fallback: [],
    parse: pairs(/^[1-5]$/),
  }),
];
