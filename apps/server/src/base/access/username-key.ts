/**
 * Returns the key by which an account is looked up: usernames that differ only in case or in Unicode encoding count as
 * the same.
 */
export const usernameKey = (username: string): string => username.trim().normalize('NFKC').toLowerCase();
