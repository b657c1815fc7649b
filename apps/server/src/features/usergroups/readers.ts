import {
  type AccessFacts,
  type Actor,
  type Classification,
  classificationOf,
  DEMO_GROUP,
  type ItemName,
  type Readers,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import { accountFactsOf } from '../../base/access/account-visibility.ts';
import { enabledActors } from '../../base/access/actors.ts';
import { knowsGroup } from '../../base/access/known-groups.ts';
import type { Database } from '../../base/db/schema.ts';
import type { Items } from '../../base/items/items.ts';

export type ReadersDeps = {
  db: Kysely<Database>;
  items: Pick<Items, 'access'>;
  guestAllowed: () => Promise<boolean>;
};
type Requested = Pick<AccessFacts, 'securityClassification' | 'audience' | 'usergroups'> & { item: ItemName };
type Group = { _id: string; name: string; ceiling: Classification };

/**
 * Returns the possible readers of an item with this label and audience. Whether everyone can read it is decided for a
 * fictitious account with the least possible rights, not for existing ones, since the caller may not know their number
 * and groups.
 */
export async function readersOf(deps: ReadersDeps, actor: Actor, requested: Requested): Promise<Readers> {
  const { db, items, guestAllowed } = deps;
  const { item, securityClassification, audience } = requested;
  const groups = await groupsSeenBy(db, actor, requested.usergroups);
  const facts = { securityClassification, audience, usergroups: groups.map(({ _id }) => _id), draft: false };
  const reads = (who: Actor, over: AccessFacts = facts) => items.access.can(who, `${item}.read`, over).allowed;

  const counted = await accountsListedBy(deps, actor);
  const guests = (await guestAllowed()) ? await enabledActors(db, 'guest') : [];
  return {
    everyone: reads(
      userWith(
        'UNCLASSIFIED',
        groups.filter(({ name }) => name === DEMO_GROUP),
      ),
    ),
    guests: guests.some((guest) => reads(guest)),
    people: counted === null ? null : counted.filter((account) => reads(account)).length,
    groups: groups.map((group) => ({
      ...group,
      shows: reads(userWith(securityClassification, [group]), { ...facts, audience: 'groups' }),
    })),
  };
}

/** Returns a fictitious account with only these rights. */
const userWith = (clearance: Classification, groups: readonly Group[]): Actor => ({
  id: '',
  username: '',
  role: 'user',
  clearance,
  groups,
  administered: [],
});

/**
 * Returns groups sorted by name. Ids of groups that the caller may not know, and ids that do not exist, are left out
 * alike.
 */
async function groupsSeenBy(db: Kysely<Database>, actor: Actor, ids: readonly string[]): Promise<Group[]> {
  const seen = ids.filter((id) => knowsGroup(actor, id));
  if (seen.length === 0) return [];
  const rows = await db
    .selectFrom('usergroups')
    .select(['id', 'name', 'classification'])
    .where('id', 'in', seen)
    .orderBy('name')
    .execute();
  return rows.map(({ id, name, classification }) => ({ _id: id, name, ceiling: classificationOf(classification) }));
}

/**
 * Returns all enabled accounts except the guest. Null if the caller may not see all of them, since even their count
 * would reveal a hidden account.
 */
async function accountsListedBy({ db, items }: ReadersDeps, actor: Actor): Promise<Actor[] | null> {
  const { can } = items.access;
  if (!can(actor, 'user.list').allowed) return null;
  const accounts = (await enabledActors(db)).filter(({ role }) => role !== 'guest');
  const facts = await accountFactsOf(
    db,
    accounts.map(({ id }) => id),
  );
  return facts.every((account) => can(actor, 'user.read', account).allowed) ? accounts : null;
}
