import { type Actor, AppError, can, isAdmin } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { enabledActors } from '../../base/access/actors.ts';
import type { Db } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import type { NamedCaseFacts } from './rows.ts';

const PEOPLE_MAX = 500;

type Person = { _id: string; username: string };

/** Enabled accounts that may read a case with these facts, the guest among them. */
export const readersOf = async (db: Db, facts: NamedCaseFacts): Promise<Actor[]> =>
  (await enabledActors(db as Kysely<Database>)).filter((account) => can(account, 'case.read', facts).allowed);

/** The role for which a person is searched. Admins may edit every case, so they are not offered as editors. */
export type PersonAs = 'editor' | 'owner';

/**
 * Returns, by name, the accounts that may read the case and that the actor can appoint as its editors or owner. Actors
 * who are not admins see only accounts with which they share a usergroup.
 */
export async function peopleFor(db: Db, actor: Actor, facts: NamedCaseFacts, as: PersonAs): Promise<Person[]> {
  return (await knownPeople(db, actor, facts))
    .filter((account) => (as === 'owner' ? can(account, 'case.createAny').allowed : !isAdmin(account)))
    .map(({ id, username }) => ({ _id: id, username }))
    .sort((a, b) => a.username.localeCompare(b.username))
    .slice(0, PEOPLE_MAX);
}

async function knownPeople(db: Db, actor: Actor, facts: NamedCaseFacts): Promise<Actor[]> {
  const own = new Set(actor.groups.map(({ _id }) => _id));
  const isKnown = ({ id, groups }: Actor) =>
    isAdmin(actor) || facts.editors.includes(id) || groups.some(({ _id }) => own.has(_id));
  return (await readersOf(db, facts)).filter(
    (account) => account.role !== 'guest' && account.id !== facts.authorId && isKnown(account),
  );
}

/** Refuses editors that do not exist or are hidden from the actor, with the same error. @throws AppError invalid */
export async function refuseUnknownEditors(
  tx: Db,
  actor: Actor,
  facts: NamedCaseFacts,
  named: readonly string[],
): Promise<void> {
  const existing = new Set((await peopleFor(tx, actor, { ...facts, editors: [] }, 'editor')).map(({ _id }) => _id));
  if (!named.every((id) => existing.has(id))) {
    throw new AppError('invalid', { 'body.editors': 'Not an account that can edit this case' });
  }
}

/** The account that a case is handed over to; hidden and absent ones are refused alike. @throws AppError invalid */
export async function findNewOwner(tx: Db, actor: Actor, facts: NamedCaseFacts, id: string): Promise<Person> {
  const found = (await peopleFor(tx, actor, facts, 'owner')).find(({ _id }) => _id === id);
  if (found === undefined) throw new AppError('invalid', { 'body.owner': 'Not an account that can own this case' });
  return found;
}
