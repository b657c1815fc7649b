import { type Classification, can } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { actorsById } from '../../base/access/actors.ts';
import type { Database } from '../../base/db/schema.ts';
import { missionFacts } from '../../base/items/mission-facts.ts';
import { visible } from '../../base/items/visibility.ts';
import { expired, meets } from './conditions.ts';

/** Maximum number of missions of one rule's creator moved in one run; the next run continues. */
const BATCH = 500;

export type ApplyDeps = {
  db: Kysely<Database>;
  nowUs: () => number;
  /** Moves a mission into the bin; returns its label, or null if the mission is already in the bin or on hold. */
  retire: (id: string) => Promise<Classification | null>;
  changed: (noun: 'missions', ids: string[]) => void;
};

export type Retired = { id: string; label: Classification; usergroups: readonly string[] };

/**
 * Moves missions to the bin according to the rules. A rule has the current rights of its creator, limited by the
 * ceiling of the session in which it was made, so that it cannot delete what its creator could not delete by hand. If
 * several rules match a mission, the longest period applies, no matter whose rule it is.
 */
export async function applyRetention({ db, nowUs, retire, changed }: ApplyDeps): Promise<Retired[]> {
  const makers = await db
    .selectFrom('retention_rules')
    .select('created_by')
    .distinct()
    .where('created_by', 'is not', null)
    .execute();
  const accounts = await actorsById(
    db,
    makers.flatMap(({ created_by }) => created_by ?? []),
  );
  const retired: Retired[] = [];
  for (const { actor } of accounts.values()) {
    const rows = await visible(db, actor)
      .where(expired(nowUs()))
      .where(sql<boolean>`exists (
        select from retention_rules rule
        where rule.created_by = ${actor.id} and rule.ceiling >= missions.classification and ${meets})`)
      .select('missions.id')
      .orderBy('missions.id')
      .limit(BATCH)
      .execute();
    for (const { id } of rows) {
      const facts = await missionFacts(db, id, 'retention');
      if (facts === null || !can(actor, 'mission.delete', facts).allowed) continue;
      const label = await retire(id);
      if (label !== null) retired.push({ id, label, usergroups: facts.usergroups });
    }
  }
  if (retired.length > 0)
    changed(
      'missions',
      retired.map(({ id }) => id),
    );
  return retired;
}
