import { type Actor, AppError, can, isAdmin } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { enabledActors } from '../../base/access/actors.ts';
import type { Db } from '../../base/access/visibility.ts';
import type { Database } from '../../base/db/schema.ts';
import type { NamedCaseFacts } from './rows.ts';

const PEOPLE_MAX = 500;

type Person = { _id: string; username: string };

/** Enabled accounts that may read a case with these facts, the guest among them. */
export const readersOf = async (db: Db, facts: NamedCaseFacts): Promise<Actor[]> =>
  (await enabledActors(db as Kysely<Database>)).filter((account) => can(account, 'case.read', facts).allowed);

/**
 * Accounts that the actor can name as editors, by name: readers of the case who are no admins, since admins may edit
 * every case. An actor who is no admin learns only of accounts with a common usergroup.
 */
export async function peopleFor(db: Db, actor: Actor, facts: NamedCaseFacts): Promise<Person[]> {
  const own = new Set(actor.groups.map(({ _id }) => _id));
  const isKnown = ({ id, groups }: Actor) =>
    isAdmin(actor) || facts.editors.includes(id) || groups.some(({ _id }) => own.has(_id));
  const found = (await readersOf(db, facts)).filter(
    (account) => account.role !== 'guest' && !isAdmin(account) && account.id !== facts.authorId && isKnown(account),
  );
  return found
    .map(({ id, username }) => ({ _id: id, username }))
    .sort((a, b) => a.username.localeCompare(b.username))
    .slice(0, PEOPLE_MAX);
}

/** Hidden accounts and absent ones are refused alike. @throws AppError invalid */
export async function refuseUnknownEditors(
  tx: Db,
  actor: Actor,
  facts: NamedCaseFacts,
  named: readonly string[],
): Promise<void> {
  const known = new Set((await peopleFor(tx, actor, { ...facts, editors: [] })).map(({ _id }) => _id));
  if (!named.every((id) => known.has(id))) {
    throw new AppError('invalid', { 'body.editors': 'Not an account that can edit this case' });
  }
}
