import { classificationOf } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';

export type LabelDeps = {
  db: Kysely<Database>;
  changed: (noun: 'missions' | 'platforms', ids: string[]) => void;
  /** Writes an audit row; resolves when it is committed. */
  audit: (note: { action: string; itemId: string; label: number; reason: string }) => Promise<void>;
};

/**
 * Called when a security mark is found in a stream of this mission. The label is raised immediately, and a stream never
 * lowers it. A mark no higher than the earlier ones changes nothing, so that an admin's decision about those is kept.
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
