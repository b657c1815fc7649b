import { type Classification, can } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { actorsById } from '../../base/access/actors.ts';
import type { Database } from '../../base/db/schema.ts';
import { missionFacts } from '../../base/items/mission-facts.ts';
import { visible } from '../../base/items/visibility.ts';
import { expired, meets } from './conditions.ts';

/** Missions of one maker that one run moves; the next run goes on. */
const BATCH = 500;

export type ApplyDeps = {
  db: Kysely<Database>;
  nowUs: () => number;
  /** Moves a mission into the bin; returns its label, or null where it is there already or on hold. */
  retire: (id: string) => Promise<Classification | null>;
  changed: (noun: 'missions', ids: string[]) => void;
};

export type Retired = { id: string; label: Classification; usergroups: readonly string[] };

/**
 * Moves missions to the bin by the rules. A rule has the rights that its maker has now, below the ceiling of the session
 * in which they made it, so that it cannot delete what they could not delete by hand; if several rules match a mission, of any makers, the longest period wins.
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
