import { classificationOf } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';

export type LabelDeps = {
  db: Kysely<Database>;
  changed: (noun: 'missions' | 'platforms', ids: string[]) => void;
  /** Resolves when the row is committed. */
  audit: (note: { action: string; itemId: string; label: number; reason: string }) => Promise<void>;
};

/**
 * A security mark was met in a stream of this mission. The label rises at once and never falls because of a stream; a
 * mark no higher than those met before changes nothing, so that what an admin decided about them stays.
 */
export async function raiseLabel(deps: LabelDeps, missionId: string, rank: number): Promise<void> {
  const raised = await deps.db.transaction().execute(async (tx) => {
    const row = await asSystem(tx, 'label')
      .selectFrom('missions')
      .select(['classification', 'stream_mark'])
      .where('id', '=', missionId)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined || rank <= (row.stream_mark ?? 0)) return null;
    const rises = rank > row.classification;
    await asSystem(tx, 'label')
      .updateTable('missions')
      .set({ stream_mark: rank })
      .where('id', '=', missionId)
      .execute();
    if (!rises) return null;
    const message = conflictText(row.classification, rank);
    await asSystem(tx, 'label')
      .updateTable('missions')
      .set({ classification: rank, marked: true, message, revision: sql`revision + 1` })
      .where('id', '=', missionId)
      .execute();
    return message;
  });
  if (raised === null) return;
  await deps.audit({ action: 'label_conflict', itemId: missionId, label: rank, reason: raised });
  deps.changed('missions', [missionId]);
}

const conflictText = (before: number, after: number): string =>
  `label_conflict: marked ${classificationOf(after)} inside its stream, so its label rose from ${classificationOf(before)}.`;
