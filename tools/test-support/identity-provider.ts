import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Claims that the provider returns at the next sign-in. */
export type Person = { subject: string; claims: Record<string, unknown> };

const CLAIMS = ['sub', 'preferred_username', 'email', 'given_name', 'family_name', 'roles', 'groups', 'clearance'];

type Options = {
  clientId: string;
  /** Client secret; null for a public client, which uses only PKCE. */
  secret: string | null;
  /** Where the provider returns the claims; with `idToken`, it has no userinfo endpoint. */
  claimsIn?: 'userinfo' | 'idToken';
  /** Defaults to a free port. */
  port?: number;
};

/**
 * Starts a real OpenID Connect provider on loopback that signs in `person` without asking. It responds only after
 * `register` has been called with the redirect address of its client.
 */
export async function testIdentityProvider({ clientId, secret, claimsIn = 'userinfo', port = 0 }: Options) {
  const authentication = secret === null ? { token_endpoint_auth_method: 'none' as const } : { client_secret: secret };
  let provider: Provider | null = null;
  let person: Person = { subject: '', claims: {} };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (provider === null) return void response.writeHead(503).end();
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response);
    await provider.interactionFinished(request, response, { login: { accountId: person.subject, remember: false } });
  }
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    register(redirectUri: string): void {
      provider = new Provider(issuer, {
        clients: [{ client_id: clientId, ...authentication, redirect_uris: [redirectUri] }],
        claims: { openid: CLAIMS },
        ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
        features: { devInteractions: { enabled: false }, userinfo: { enabled: claimsIn === 'userinfo' } },
        conformIdTokenClaims: claimsIn === 'userinfo',
        interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
        cookies: { keys: ['a key of the test'] },
        findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id, ...person.claims }) }),
        async loadExistingGrant({ oidc }) {
          const ids = { clientId, accountId: oidc.session?.accountId ?? '' };
          const grant = new oidc.provider.Grant(ids);
          grant.addOIDCScope('openid profile email');
          await grant.save();
          return grant;
        },
      });
    },
    signInAs(next: Person): void {
      person = next;
    },
  };
}
