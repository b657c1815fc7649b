import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { Changed } from '../../base/ws/outgoing.ts';

/** Has open pages ask again for the missions, documents and annotations of a case: whether it holds them has changed. */
export async function tellHeld(db: Db, changed: Changed, caseId: string): Promise<void> {
  const rows = await asSystem(db, 'events')
    .selectFrom('case_parts')
    .where('case_id', '=', caseId)
    .select(['mission_id', 'document_id', 'annotation_id'])
    .execute();
  const idsOf = (column: keyof (typeof rows)[number]) => [...new Set(rows.flatMap((row) => row[column] ?? []))];
  changed('missions', idsOf('mission_id'));
  changed('documents', idsOf('document_id'));
  changed('annotations', idsOf('annotation_id'));
}
