import { readStored, storageKeys, writeStored } from '../base/keys.ts';

/** Content of the Basic header: the account's name and its device credential. */
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

/** The header of a request that goes past the API's own client; none where this browser keeps no credential. */
export function authorizationHeader(): Record<string, string> {
  const credentials = storedCredentials();
  return credentials ? { authorization: basicHeader(credentials) } : {};
}

/** Value of the Authorization header; names may hold any script, so the bytes are UTF-8. */
export function basicHeader({ username, credential }: Credentials): string {
  const bytes = new TextEncoder().encode(`${username}:${credential}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
