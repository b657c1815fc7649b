import { type AccessFacts, type Classification, classificationOf } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { platformFacts } from '../../base/items/platform-facts.ts';

/** A platform whose label was raised by a security mark: its earlier state and its new label. */
export type RaisedPlatform = { name: string; was: AccessFacts; label: Classification };

/**
 * Applies a security mark from a stream of this platform: raises the platform's label immediately, as for a mission. A
 * stream never lowers a label. Null if nothing changed.
 */
export async function raisePlatformLabel(
  db: Kysely<Database>,
  platformId: string,
  rank: number,
): Promise<RaisedPlatform | null> {
  return db.transaction().execute(async (tx) => {
    const row = await asSystem(tx, 'label')
      .selectFrom('platforms')
      .select(['classification', 'stream_mark'])
      .where('id', '=', platformId)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined || rank <= (row.stream_mark ?? 0)) return null;
    const was = (await platformFacts(tx, [platformId])).get(platformId);
    const rises = rank > row.classification;
    await asSystem(tx, 'label')
      .updateTable('platforms')
      .set({ stream_mark: rank, ...(rises ? { classification: rank, marked: true } : {}) })
      .where('id', '=', platformId)
      .execute();
    return rises && was ? { name: was.name, was, label: classificationOf(rank) } : null;
  });
}
