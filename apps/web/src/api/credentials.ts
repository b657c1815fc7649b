import { readStored, storageKeys, writeStored } from '../base/keys.ts';

/** Content of the Basic authorization header: the name of the account and its device credential. */
export type Credentials = { username: string; credential: string };

export function storedCredentials(): Credentials | null {
  const username = readStored(storageKeys.username);
  const credential = readStored(storageKeys.password);
  return username && credential ? { username, credential } : null;
}

export function storeCredentials(credentials: Credentials | null): void {
  writeStored(storageKeys.username, credentials?.username ?? null);
  writeStored(storageKeys.password, credentials?.credential ?? null);
}

/**
 * Returns the authorization header for a request that does not use the API client; empty if this browser has no
 * credential.
 */
export function authorizationHeader(): Record<string, string> {
  const credentials = storedCredentials();
  return credentials ? { authorization: basicHeader(credentials) } : {};
}

/** Returns the value of the Authorization header, encoded in UTF-8, since names may be in any script. */
export function basicHeader({ username, credential }: Credentials): string {
  const bytes = new TextEncoder().encode(`${username}:${credential}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
