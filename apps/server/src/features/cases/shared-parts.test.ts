import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { addAnnotation } from '../../../test/annotations.ts';
import { addBookmark, addClip, casesOf } from '../../../test/cases.ts';
import { waitingForLock } from '../../../test/database.ts';
import { addDocument } from '../../../test/documents.ts';
import { addMission, addSensor } from '../../../test/missions.ts';
import { testServer } from '../../../test/server.ts';
import { items } from '../../base/items/product.ts';
import { productContents } from '../../compose/contents.ts';
import { sensorIndexes } from '../../media/play/sensor-index-cache.ts';
import { telemetryReader } from '../../telemetry/reader.ts';

const server = await testServer();
const { db, dependencies } = server;
const { made, add, ask } = casesOf(server);

const damaged = () => undefined;
const readers = {
  indexes: sensorIndexes({ storage: dependencies.storage, damaged }),
  telemetry: telemetryReader({ storage: dependencies.storage, damaged }),
};
const contents = productContents({ ...dependencies, ...readers });

/** A part of each kind, of a mission of its own. */
async function partsOf(name: string): Promise<object[]> {
  const missionId = await addMission(db, { state: 'Ready', name, platform_name: 'P' });
  const sensorId = await addSensor(db, missionId, { state: 'Ready' });
  return [
    { kind: 'bookmark', bookmarkId: await addBookmark(db, missionId) },
    { kind: 'annotation', annotationId: await addAnnotation(db, { title: name, mission_id: missionId }) },
    { kind: 'document', documentId: await addDocument(db, { title: name }) },
    { kind: 'clip', clipId: await addClip(db, missionId) },
    { kind: 'track', sensorId, startTime: 0, endTime: 1_000_000, title: name },
  ];
}

it('adds the same parts to two cases in opposite orders, while their labels change, without a deadlock', async () => {
  const all = (await Promise.all(['north', 'south', 'west', 'east'].map(partsOf))).flat();
  const errors: unknown[] = [];
  for (let round = 0; round < 5; round += 1) {
    const [one, other] = await Promise.all([made('A2'), made('A2')]);
    // As changes of labels do: missions first, in the order of their ids.
    const relabel = db.transaction().execute(async (tx) => {
      for (const table of ['missions', 'annotations', 'documents'] as const) {
        await sql`select from ${sql.table(table)} order by id for update`.execute(tx);
        await tx
          .updateTable(table)
          .set({ classification: 1 + (round % 2) })
          .execute();
      }
    });
    const adding = [all, all.toReversed()].map((requested, at) =>
      add('A2', at === 0 ? one : other, requested, { lockOut: true }),
    );
    const holding = ask('A2', 'PUT', `/${one}/hold`, { held: round % 2 === 0 });
    for (const { status, body } of await Promise.all(adding)) if (status !== 200) errors.push(body);
    await Promise.all([relabel, holding]);
  }
  expect(errors).toEqual([]);
});

it('locks the missions of all kinds by their ids before any content', async () => {
  const all = await Promise.all(['first', 'second', 'third'].map(partsOf));
  const id = await made('A2');
  const { rows } = await sql<{ id: string }>`select id from missions where name in ('first', 'second', 'third')
    order by id desc limit 1`.execute(db);
  const tables = ['bookmarks', 'annotations', 'documents', 'clips', 'sensors'];
  const adding = await db.transaction().execute(async (tx) => {
    await sql`select from missions where id = ${rows[0]!.id} for update`.execute(tx);
    const begun = add('A2', id, all.flat());
    await expect.poll(() => waitingForLock(db), { timeout: 20_000 }).toBe(1);
    // A change that waits for the last mission has locked no content yet.
    for (const table of tables) {
      const free = await sql`select from ${sql.table(table)} for update skip locked`.execute(tx);
      const every = await sql`select from ${sql.table(table)}`.execute(tx);
      expect(free.rows.length, table).toBe(every.rows.length);
    }
    return { begun };
  });
  expect((await adding.begun).status).toBe(200);
});

it('is told by the triggers of each kind what stays', async () => {
  const { rows } = await sql<{ source: string; name: string; args: string }>`
    select tgrelid::regclass::text as source, tgname as name, encode(tgargs, 'escape') as args
    from pg_trigger where tgname in ('case_gone', 'case_follows') order by 1, 2`.execute(db);
  const triggers = rows.map(({ source, name, args }) => {
    const [kinds = '', item = '', gone = ''] = args.split('\\000');
    return { source, name, kinds: kinds.split(',').sort(), item, gone };
  });
  for (const { kind, table, item, gone } of contents) {
    const own = triggers.filter(({ source, kinds }) => source === table && kinds.includes(kind));
    const follows = { name: 'case_follows', item };
    const isOwn = item !== 'mission';
    expect(
      own.map(({ name, item: of, gone: stays }) => ({ name, of, stays })),
      kind,
    ).toEqual([
      ...(isOwn ? [{ name: follows.name, of: item, stays: '' }] : []),
      { name: 'case_gone', of: isOwn ? item : '', stays: gone ?? '' },
    ]);
    // Rights go by the item, whose triggers name the kind too.
    const rights = triggers.filter(
      ({ source, name }) => source === items.kindOf(item).table && name === 'case_follows',
    );
    expect(rights, kind).toMatchObject([{ kinds: expect.arrayContaining([kind]) }]);
  }
});
