import { email, type User } from '@osprey/contract';
import { texts } from './texts.ts';
import type { Draft } from './UserFields.tsx';

const fields = [
  'firstName',
  'lastName',
  'company',
  'email',
  'country',
  'authorizationRole',
  'securityClearance',
  'usergroups',
  'usergroupsAdmin',
] as const;

const isSame = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a.length === b.length && new Set([...a, ...b]).size === a.length : a === b;

/** Fields of a draft that differ from the current account, which another user may have changed meanwhile. */
export function differing(user: User, draft: Draft): Partial<Draft> {
  return Object.fromEntries(
    fields.filter((field) => !isSame(draft[field], user[field])).map((field) => [field, draft[field]]),
  );
}

/** Returns the error message for an e-mail address; undefined if it may be saved. An account need not have one. */
export function emailProblem(user: User | null, { email: text }: Partial<Draft>): string | undefined {
  if (text === undefined || text.trim() === '') {
    // The server cannot remove an address, only replace it.
    return text !== undefined && user !== null && user.email !== '' ? texts.detail.badEmail : undefined;
  }
  return email.safeParse(text.trim()).success ? undefined : texts.detail.badEmail;
}

/** Returns the query of PUT users/{id}. */
export function toQuery(changes: Partial<Draft>) {
  const { usergroups, usergroupsAdmin, ...plain } = changes;
  const trimmed = Object.fromEntries(Object.entries(plain).map(([key, value]) => [key, String(value).trim()]));
  return {
    ...trimmed,
    ...(usergroups && { usergroups: usergroups.join(',') }),
    ...(usergroupsAdmin && { usergroupsAdmin: usergroupsAdmin.join(',') }),
  };
}
