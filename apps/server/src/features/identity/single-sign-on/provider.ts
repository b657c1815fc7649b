import { readFile } from 'node:fs/promises';
import { AppError } from '@osprey/contract';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';

const TIMEOUT_S = 10;

export type ProviderOptions = {
  /** Address of the issuer: https, or http on loopback only. */
  issuer: string;
  clientId: string;
  /** File with the client secret; null for a public client, which uses PKCE only. */
  secretFile: string | null;
  scope: string;
};

/** Values that the provider has to return unchanged, and the PKCE verifier. */
export type Flow = { state: string; nonce: string; verifier: string };

/** A verified sign-in. Issuer and subject identify the account; the other claims determine its rights. */
export type SignedIn = { issuer: string; subject: string; claims: Readonly<Record<string, unknown>> };

export type IdentityProvider = ReturnType<typeof identityProvider>;

/** The site's identity provider; its discovery document is fetched at the first sign-in. */
export function identityProvider({ issuer, clientId, secretFile, scope }: ProviderOptions) {
  let found: Promise<Configuration> | null = null;

  async function discover(): Promise<Configuration> {
    const secret = secretFile === null ? undefined : (await readFile(secretFile, 'utf8')).trim();
    const server = new URL(issuer);
    // The configuration allows http on loopback only.
    const execute = server.protocol === 'http:' ? [allowInsecureRequests] : [];
    const authentication = secret === undefined ? None() : undefined;
    return discovery(server, clientId, secret, authentication, { execute, timeout: TIMEOUT_S });
  }

  /**
   * Returns the provider's configuration. If the provider is unreachable, discovery is tried again at the next call.
   */
  async function configuration(): Promise<Configuration> {
    found ??= discover();
    try {
      return await found;
    } catch (error) {
      found = null;
      throw new AppError('singleSignOnDown', {}, error);
    }
  }

  return {
    /** Returns the address to redirect the browser to. @throws AppError singleSignOnDown */
    async begin(redirectUri: string): Promise<{ address: string; flow: Flow }> {
      const config = await configuration();
      const flow = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const address = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
      });
      return { address: address.href, flow };
    },

    /**
     * Returns the claims of the ID token and, if the provider offers it, of the userinfo endpoint. Rejects if anything
     * fails verification.
     */
    async finish(callback: URL, { state, nonce, verifier }: Flow): Promise<SignedIn> {
      const config = await configuration();
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const tokens = await authorizationCodeGrant(config, callback, checks);
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('The identity provider sent no ID token');
      const { userinfo_endpoint } = config.serverMetadata();
      const more = userinfo_endpoint ? await fetchUserInfo(config, tokens.access_token, claims.sub) : {};
      return { issuer: claims.iss, subject: claims.sub, claims: { ...more, ...claims } };
    },
  };
}
