import type { Actor, UserMessage } from '@osprey/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../base/db/schema.ts';

const RETENTION_US = 30 * 24 * 3600 * 1_000_000;
const MESSAGES_MAX = 100;

/**
 * Messages by the action of the audit row. The acting account is not named, since not every user may know other
 * accounts.
 */
const texts: Record<string, string> = {
  'user.resetPassword': 'An administrator reset your password.',
  'user.resetLink': 'An administrator deleted your password and made a link to set a new one.',
  'user.endSession': 'An administrator ended a session of yours.',
  'secondFactor.remove': 'An administrator removed your second factor.',
};

/** Fields of `user.update` in the words of the screens; all others are personal data. */
const fields: Record<string, string> = {
  authorizationRole: 'role',
  securityClearance: 'clearance',
  usergroups: 'usergroups',
  usergroupsAdmin: 'administered usergroups',
  add: 'usergroups',
  remove: 'usergroups',
  disabled: 'access',
};

/** Message for the owner of an account about a row of the audit; null if it does not concern them. */
export function messageText(action: string, result: string | null): string | null {
  if (action !== 'user.update') return texts[action] ?? null;
  const names = (result ?? '').split(', ').map((part) => fields[part.split('=')[0]!] ?? 'personal data');
  return `An administrator changed your account: ${[...new Set(names)].join(', ')}.`;
}

/** Reads changes that others made to the caller's account. The guest account gets none, since many people share it. */
export function userMessages({ db, nowUs }: { db: Kysely<Database>; nowUs: () => number }) {
  return async (actor: Actor): Promise<UserMessage[]> => {
    if (actor.role === 'guest') return [];
    const rows = await db
      .selectFrom('audit')
      .select(['node', 'seq', 'time', 'action', 'result'])
      .where('item_id', '=', actor.id)
      .where('actor_id', 'is distinct from', actor.id)
      .where('decision', '=', 'allowed')
      .where('action', 'in', ['user.update', ...Object.keys(texts)])
      .where('time', '>', nowUs() - RETENTION_US)
      .orderBy('time', 'desc')
      .orderBy('node', 'desc')
      .orderBy('seq', 'desc')
      .limit(MESSAGES_MAX)
      .execute();
    return rows.map(({ node, seq, time, action, result }) => ({
      _id: `${node}/${seq}`,
      time,
      text: messageText(action, result) ?? '',
    }));
  };
}
