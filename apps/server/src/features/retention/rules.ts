import { type Actor, AppError, type newRetentionRule, type RetentionRule } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import { ceilingRankOf } from '../../base/access/actors.ts';
import type { Database } from '../../base/db/schema.ts';
import { visible } from '../../base/items/visibility.ts';
import { expired, meets } from './conditions.ts';

type Requested = z.output<typeof newRetentionRule>;

/** Lists and changes the retention rules of missions. */
export function retentionRules({ db, nowUs }: { db: Kysely<Database>; nowUs: () => number }) {
  async function list(actor: Actor, id?: string): Promise<RetentionRule[]> {
    let query = db
      .selectFrom('retention_rules')
      .leftJoin('users', (join) =>
        join
          .onRef('users.id', '=', 'retention_rules.created_by')
          .on('users.disabled', '=', false)
          .on('users.deleted_time', 'is', null),
      )
      .selectAll('retention_rules')
      .select('users.username')
      .orderBy('retention_rules.created');
    if (id !== undefined) query = query.where('retention_rules.id', '=', id);
    const rules: RetentionRule[] = [];
    for (const row of await query.execute()) {
      const due = await visible(db, actor)
        .where(expired(nowUs()))
        .where(sql<boolean>`exists (select from retention_rules rule where rule.id = ${row.id} and ${meets})`)
        .select(sql<number>`count(*)`.as('count'))
        .executeTakeFirstOrThrow();
      const { id: _id, usergroup_id: usergroup, platform, days, created, username: by } = row;
      rules.push({ _id, usergroup, platform, days, created, by, due: due.count });
    }
    return rules;
  }

  async function one(actor: Actor, id: string): Promise<RetentionRule> {
    const [rule] = await list(actor, id);
    if (rule === undefined) throw new AppError('notFound');
    return rule;
  }

  return {
    list: (actor: Actor) => list(actor),

    async create(actor: Actor, requested: Requested): Promise<RetentionRule> {
      const row = { ...columns(requested), ...made(actor), created: nowUs() };
      const { id } = await translated(() =>
        db.insertInto('retention_rules').values(row).returning('id').executeTakeFirstOrThrow(),
      );
      return one(actor, id);
    },

    /**
     * Changes a rule. From then on it has the rights of this account, limited by the ceiling of this session. @throws
     * AppError notFound, ruleRefused
     */
    async update(actor: Actor, id: string, requested: Requested): Promise<RetentionRule> {
      const row = { ...columns(requested), ...made(actor) };
      await translated(() => db.updateTable('retention_rules').set(row).where('id', '=', id).execute());
      return one(actor, id);
    },

    /** @throws AppError notFound */
    async remove(id: string): Promise<void> {
      const gone = await db.deleteFrom('retention_rules').where('id', '=', id).executeTakeFirst();
      if (gone.numDeletedRows === 0n) throw new AppError('notFound');
    },
  };
}

/** The account in whose name a rule acts, and the highest label that it may touch. */
const made = (actor: Actor) => ({ created_by: actor.id, ceiling: ceilingRankOf(actor) });

const columns = ({ usergroup, platform, days }: Requested) => ({ usergroup_id: usergroup, platform, days });

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    if (constraint === 'retention_rules_one') {
      throw new AppError('ruleRefused', { reason: 'There is a rule for this usergroup and platform already.' }, error);
    }
    if (constraint?.includes('usergroup')) throw new AppError('ruleRefused', { reason: 'Unknown usergroup.' }, error);
    throw error;
  }
}
