import { classifications, isCleared } from '@osprey/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addAnnotation } from '../../../test/annotations.ts';
import { anyActor } from '../../../test/any-actor.ts';
import { addBookmark, addCase, addNote } from '../../../test/cases.ts';
import { testDatabase } from '../../../test/database.ts';
import { addDocument } from '../../../test/documents.ts';
import { addMission } from '../../../test/missions.ts';
import { items } from '../../base/items/product.ts';
import { isReadablePart } from './readable.ts';

const contents = [
  { kind: 'bookmark', item: 'mission' },
  { kind: 'annotation', item: 'annotation' },
  { kind: 'document', item: 'document' },
] as const;

it('T-027 shows a part to whom can() lets read what it shows, and after that is gone to whom it did', async () => {
  const db = await testDatabase();
  const groups = await db
    .insertInto('usergroups')
    .values(['north', 'south', 'west'].map((name) => ({ name, classification: 5, created: 0 })))
    .returning('id')
    .execute();
  const groupIds = groups.map(({ id }) => id);
  const caseId = await addCase(db);
  /** The item whose rights each part has. */
  const sources = new Map<string, string>();
  for (const rank of classifications.keys()) {
    for (const shared of [[], ...groupIds.map((id) => [id]), groupIds.slice(0, 2), groupIds]) {
      const audience: 'everyone' | 'groups' = shared.length === 3 ? 'everyone' : 'groups';
      const rights = { classification: rank + 1, audience };
      const document_id = await addDocument(db, rights, shared);
      sources.set(await addNote(db, caseId, { kind: 'document', subject_id: document_id }), document_id);
      const annotation_id = await addAnnotation(db, rights, shared);
      sources.set(await addNote(db, caseId, { kind: 'annotation', subject_id: annotation_id }), annotation_id);
      for (const state of ['Created', 'Ready']) {
        const mission_id = await addMission(db, { ...rights, state });
        const links = shared.map((usergroup_id) => ({ mission_id, usergroup_id }));
        if (links.length > 0) await db.insertInto('mission_usergroups').values(links).execute();
        const bookmark_id = await addBookmark(db, mission_id);
        sources.set(await addNote(db, caseId, { kind: 'bookmark', mission_id, subject_id: bookmark_id }), mission_id);
      }
    }
  }
  const note = await addNote(db, caseId);
  const facts = await items.factsById(db, [...sources.values()]);
  const actors = anyActor(groupIds);
  const agrees = (isGone: boolean) =>
    fc.asyncProperty(actors, async (actor) => {
      const rows = await db.selectFrom('case_parts').select('id').where(isReadablePart(contents, actor)).execute();
      const allowed = [...sources].filter(([, source]) => {
        const one = facts.get(source)!;
        // A draft that is gone is shown only to accounts that repair.
        if (isGone && one.draft) return actor.role === 'superAdmin' && isCleared(actor, one);
        return items.access.can(actor, `${one.item}.read`, one).allowed;
      });
      expect(new Set(rows.map(({ id }) => id))).toEqual(new Set([note, ...allowed.map(([id]) => id)]));
    });

  expect(facts.size).toBe(120);
  await fc.assert(agrees(false), { numRuns: 60 });
  for (const table of ['missions', 'documents', 'annotations'] as const) await db.deleteFrom(table).execute();
  await fc.assert(agrees(true), { numRuns: 60 });
});
