import { asSystem } from '../../base/access/as-system.ts';
import { items } from '../../base/items/product.ts';
import type { Changed } from '../../base/ws/outgoing.ts';
import { type CaseDb, contentOf } from './contents.ts';

/**
 * Makes open pages reload the items that a case contains, since it has changed whether the case protects them from
 * deletion.
 */
export async function notifyHeld({ db, contents }: CaseDb, changed: Changed, caseId: string): Promise<void> {
  const rows = await asSystem(db, 'events')
    .selectFrom('case_parts')
    .where('case_id', '=', caseId)
    .select(['kind', 'subject_id', 'mission_id'])
    .execute();
  changed('missions', [...new Set(rows.flatMap(({ mission_id }) => mission_id ?? []))]);
  for (const item of new Set(contents.map((content) => content.item))) {
    if (item === 'mission') continue;
    const own = rows.filter(({ kind }) => contentOf(contents, kind)?.item === item);
    const ids = [...new Set(own.flatMap(({ subject_id }) => subject_id ?? []))];
    changed(items.kindOf(item).noun as Parameters<Changed>[0], ids);
  }
}
