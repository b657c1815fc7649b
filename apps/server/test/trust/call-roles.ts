import type { Role } from '@osprey/contract';

/** Roles that have a call at all, before an item is looked at: the words in which the tables of calls state it. */
export const admins: readonly Role[] = ['superAdmin', 'admin'];
export const adminRoles: readonly Role[] = [...admins, 'groupAdmin'];
export const accounts: readonly Role[] = [...adminRoles, 'user'];
export const everybody: readonly Role[] = [...accounts, 'guest'];
