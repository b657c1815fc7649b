/**
 * Key by which an account is found: names that differ only in case or in the encoding of their characters are one name.
 */
export const usernameKey = (username: string): string => username.trim().normalize('NFKC').toLowerCase();
