/** By which a name is found: two accounts never differ in case or in spelling of the same characters alone. */
export const usernameKey = (username: string): string => username.trim().normalize('NFKC').toLowerCase();
