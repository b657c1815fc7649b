import {
  type Actor,
  AppError,
  type Classification,
  classificationOf,
  classificationRank,
  DEMO_GROUP,
  isAdmin,
  liveModes,
  type Usergroup,
} from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { controlled } from '../../base/access/actors.ts';
import type { Database } from '../../base/db/schema.ts';
import type { Items } from '../../base/items/items.ts';
import { platformsSharedWith } from '../../base/items/platform-facts.ts';
import { changedIn } from '../../base/ws/outgoing.ts';
import { countOnlyIn, onlyIn } from './only-audience.ts';

type Row = {
  id: string;
  name: string;
  description: string;
  classification: number;
  live_modes: string[];
  created: number;
};

type Fields = {
  name: string;
  description: string;
  securityClassification: Classification;
  liveModes: (typeof liveModes)[number][];
};

export type UsergroupDeps = { db: Kysely<Database>; items: Pick<Items, 'kinds'>; nowUs: () => number };
export type Usergroups = ReturnType<typeof usergroupRepository>;

/** Reads and changes usergroups. */
export function usergroupRepository({ db, items, nowUs }: UsergroupDeps) {
  const select = () => db.selectFrom('usergroups').selectAll().orderBy('name');

  return {
    /** Lists all groups for admins, and for others the groups that they are in or administer. */
    async list(actor: Actor): Promise<Usergroup[]> {
      if (isAdmin(actor)) return (await select().execute()).map(toUsergroup);
      return this.byId(actor.groups.map(({ _id }) => _id));
    },

    /** Counts the accounts that are in each group or administer it. */
    async countUsers(): Promise<Map<string, number>> {
      const { rows } = await sql<{ id: string; count: number }>`
        select usergroup_id as id, count(*) as count from (
          select usergroup_id, user_id from user_usergroups union select usergroup_id, user_id from ${controlled}) link
        group by usergroup_id`.execute(db);
      return new Map(rows.map(({ id, count }) => [id, count]));
    },

    /**
     * Lists the items that only a superAdmin could see without these groups: those visible to the actor, by name, and
     * whether there are others.
     *
     * @throws AppError notFound
     */
    async onlyAudience(actor: Actor, names: readonly string[]) {
      const groups = await db
        .selectFrom('usergroups')
        .select('id')
        .where('name', 'in', [...names])
        .execute();
      if (groups.length < new Set(names).size) throw new AppError('notFound');
      return onlyIn(
        items,
        db,
        actor,
        groups.map(({ id }) => id),
      );
    },

    async byId(ids: readonly string[]): Promise<Usergroup[]> {
      if (ids.length === 0) return [];
      const rows = await select()
        .where('id', 'in', [...ids])
        .execute();
      return rows.map(toUsergroup);
    },

    async create(fields: Fields): Promise<Usergroup> {
      const row = await db
        .insertInto('usergroups')
        .values({
          name: fields.name,
          description: fields.description,
          classification: classificationRank(fields.securityClassification),
          live_modes: fields.liveModes,
          created: nowUs(),
        })
        .returningAll()
        .executeTakeFirstOrThrow()
        .catch((error) => refuseTakenName(error, fields.name));
      return toUsergroup(row);
    },

    async update(id: string, change: Partial<{ [K in keyof Fields]: Fields[K] | undefined }>): Promise<Usergroup> {
      const existing = await select().where('id', '=', id).executeTakeFirst();
      if (existing === undefined) throw new AppError('notFound');
      if (existing.name === DEMO_GROUP) throw new AppError('forbidden');
      const label = change.securityClassification;
      const row = await db
        .updateTable('usergroups')
        .set({
          name: change.name ?? existing.name,
          description: change.description ?? existing.description,
          classification: label === undefined ? existing.classification : classificationRank(label),
          live_modes: change.liveModes ?? existing.live_modes,
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
        .catch((error) => refuseTakenName(error, change.name ?? existing.name));
      return toUsergroup(row);
    },

    /**
     * Deletes groups by name, all or none. An item whose only audience is deleted becomes hidden from all users, never
     * visible to more.
     *
     * @throws AppError usergroupInUse unless confirmed
     */
    async remove(names: readonly string[], confirmed: boolean): Promise<string[]> {
      return db.transaction().execute(async (tx) => {
        const rows = await tx
          .selectFrom('usergroups')
          .select(['id', 'name'])
          .where('name', 'in', [...names])
          .forUpdate()
          .execute();
        if (rows.length < new Set(names).size) throw new AppError('notFound');
        if (rows.some(({ name }) => name === DEMO_GROUP)) throw new AppError('forbidden');
        const ids = rows.map(({ id }) => id);
        if (!confirmed) {
          const count = await countOnlyIn(items, tx, ids);
          const shown = rows.map(({ name }) => name).join(', ');
          if (count > 0) throw new AppError('usergroupInUse', { name: shown, count: String(count) });
        }
        const platforms = await platformsSharedWith(tx, ids);
        await tx.deleteFrom('usergroups').where('id', 'in', ids).execute();
        await changedIn(tx, 'platforms', platforms);
        return ids;
      });
    },
  };
}

function refuseTakenName(error: unknown, name: string): never {
  const { constraint } = error as { constraint?: string };
  if (constraint === 'usergroups_name') throw new AppError('usergroupNameTaken', { name }, error);
  throw error;
}

function toUsergroup(row: Row): Usergroup {
  return {
    _id: row.id,
    name: row.name,
    description: row.description,
    securityClassification: classificationOf(row.classification),
    liveModes: liveModes.filter((mode) => row.live_modes.includes(mode)),
    created: row.created,
  };
}
