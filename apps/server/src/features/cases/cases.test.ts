import { beforeEach, describe, expect, it } from 'vitest';
import { addAnnotation, pointAt } from '../../../test/annotations.ts';
import { addBookmark, addCase, addClip, casesOf } from '../../../test/cases.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { addDocument } from '../../../test/documents.ts';
import { eventSockets, idsOf, until } from '../../../test/event-sockets.ts';
import { addMission } from '../../../test/missions.ts';
import { type Subject, testServer } from '../../../test/server.ts';

const server = await testServer();
const { db, groups, userId } = server;
const { create, made, read, list, parts, add, change } = casesOf(server);
const sockets = eventSockets(server, await server.listen());
atEnd(async () => sockets.closeAll());

beforeEach(async () => {
  for (const table of ['cases', 'annotations', 'documents', 'missions'] as const) await db.deleteFrom(table).execute();
});

const mission = (fields: Parameters<typeof addMission>[1] = {}) => addMission(db, { state: 'Ready', ...fields });
const titles = async (who: Subject, id: string) => (await parts(who, id)).map(({ title }) => title);

describe('a case', () => {
  it('is made with a number, belongs to its maker, and is read by its audience alone', async () => {
    const { status, body } = await create('U1', { name: 'Smugglers', description: 'Two boats' });

    expect([status, body]).toMatchObject([
      200,
      {
        message: 'Case Smugglers created',
        ...{ name: 'Smugglers', description: 'Two boats', owner: 'U1', ownerId: userId('U1'), revision: 1 },
        ...{ securityClassification: 'UNCLASSIFIED', ownClassification: 'UNCLASSIFIED', marked: true, held: false },
        ...{ audience: 'groups', usergroups: [groups.G1], editors: [], parts: 0, comments: 0, deletedTime: null },
        ...{ editable: true, deletable: true, holdable: false, exportable: true },
      },
    ]);
    expect((await create('U1')).body.number).toBe(body.number + 1);
    for (const who of ['SA', 'A2', 'GA', 'U1'] as const) expect((await read(who, body._id)).status).toBe(200);
    const absent = await read('U2', crypto.randomUUID());
    for (const who of ['U2', 'U0', 'guest'] as const) {
      const hidden = await read(who, body._id);
      expect([hidden.status, hidden.body]).toEqual([404, absent.body]);
      expect(await list(who)).toEqual([]);
    }
    expect((await read('GA', body._id)).body).toMatchObject({ editable: false, deletable: false, editors: [] });
  });

  it('is found by words and number, sorted, and read in pages', async () => {
    for (const name of ['Bravo', 'Alpha', 'Charlie']) await made('U1', { name });
    const names = async (query: string) => (await list('U1', query)).map(({ name }) => name);

    expect(await names('')).toEqual(['Charlie', 'Alpha', 'Bravo']);
    expect(await names('?sort=name')).toEqual(['Alpha', 'Bravo', 'Charlie']);
    expect(await names('?search=alp')).toEqual(['Alpha']);
    expect(await names('?search=%25')).toEqual([]);
    const [{ number } = { number: 0 }] = await list('U1', '?search=Bravo');
    expect(await names(`?search=${number}`)).toEqual(['Bravo']);
    const { asUser } = server;
    const first = await asUser('U1').inject({ url: '/api/cases?sort=name&limit=2&count=1' });
    expect([first.headers['x-total-count'], (first.json() as object[]).length]).toEqual(['3', 2]);
    expect(await names(`?sort=name&limit=2&after=${first.headers['x-next-after']}`)).toEqual(['Charlie']);
  });

  it('is refused without a group of its maker, with a label above it, and by the guest', async () => {
    expect((await create('U1', { usergroups: [] })).body.code).toBe('hidesFromMaker');
    expect((await create('U1', { usergroups: [groups.G2] })).body.code).toBe('unknownUsergroup');
    expect((await create('U1', { audience: 'everyone' })).status).toBe(403);
    expect((await create('U1', { securityClassification: 'SECRET' })).status).toBe(403);
    expect((await create('guest')).status).toBe(403);
    expect((await create('U1', { name: ' ' })).body.values).toEqual({ 'body.name': 'Name is required' });
    expect((await create('U1', { owner: 'SA' })).status).toBe(400);
  });
});

describe('parts of a case', () => {
  it('are added at the end with what they show, each once', async () => {
    const id = await made('U1');
    const missionId = await mission({ name: 'Night' });
    const [bookmark, clip] = [await addBookmark(db, missionId, { last_time: 5 }), await addClip(db, missionId)];
    const document = await addDocument(db, { title: 'report' });
    const annotation = await addAnnotation(db, { title: 'area' }, [], [pointAt(179, 10), pointAt(-179, 12)]);
    const expected = [
      { kind: 'bookmark', bookmarkId: bookmark, remark: 'See the mast' },
      { kind: 'clip', clipId: clip },
      { kind: 'snapshot', documentId: document },
      { kind: 'annotation', annotationId: annotation },
      { kind: 'note', title: 'Why', text: '# Because' },
    ];
    const { status, body } = await add('U1', id, expected);

    expect(status).toBe(200);
    expect(body).toMatchObject([
      {
        ...{ kind: 'bookmark', subjectId: bookmark, title: 'bookmark', remark: 'See the mast', startTime: 5 },
        ...{ missionId, missionName: 'Night', securityClassification: 'UNCLASSIFIED', state: 'shown', author: 'U1' },
      },
      { kind: 'clip', subjectId: clip, title: 'clip', startTime: 1_000_000, endTime: 2_000_000, missionName: 'Night' },
      { kind: 'document', subjectId: document, title: 'report', missionId: null, startTime: null },
      { kind: 'annotation', subjectId: annotation, title: 'area', extent: [179, 10, -179, 12] },
      { kind: 'note', subjectId: null, title: 'Why', text: '# Because', extent: null },
    ]);
    expect(await parts('GA', id)).toEqual(body);
    expect((await read('GA', id)).body).toMatchObject({ parts: 5, revision: 2 });
    expect((await add('U1', id, [{ kind: 'note', title: 'Again', text: '' }, expected[1]!])).body).toMatchObject({
      code: 'partThere',
      values: { title: 'clip' },
    });
    expect(await titles('U1', id)).toHaveLength(5);
  });

  it('are a snapshot where the document is one, with its frame; its mission is named to who may read it', async () => {
    const id = await made('U1');
    const missionId = await mission({ name: 'Night' });
    const documentId = await addDocument(db, { title: 'ferry', thumbnail: true });
    const frame = { sensor_id: null, sensor_name: 'EO', file_id: null, run: null, pts: null, telemetry: null };
    await db
      .insertInto('snapshots')
      .values({ document_id: documentId, mission_id: missionId, ...frame, taken_time: 7, picture: 'server' })
      .execute();
    const added = await add('U1', id, [{ kind: 'document', documentId }]);
    const own = { kind: 'snapshot', title: 'ferry', startTime: 7, thumbnailUrl: `/documents/${documentId}.webp` };
    expect(added.body).toMatchObject([{ ...own, missionName: 'Night', missionId, sensorName: 'EO' }]);

    await db.updateTable('snapshots').set({ mission_id: null }).execute();
    const closed = await mission({ name: 'Closed', classification: 4 });
    await db.updateTable('snapshots').set({ mission_id: closed }).execute();
    expect(await parts('U1', id)).toMatchObject([{ ...own, missionName: null, missionId: null, sensorName: null }]);
  });

  it('are shown only to who may read each of them: others see neither number nor name', async () => {
    const id = await made('GA');
    const open = await mission();
    const closed = await mission({ audience: 'groups' });
    const parted = [
      { kind: 'bookmark', bookmarkId: await addBookmark(db, open, { title: 'open mark' }) },
      { kind: 'clip', clipId: await addClip(db, closed, { title: 'closed clip' }) },
      { kind: 'document', documentId: await addDocument(db, { title: 'closed paper', audience: 'groups' }) },
      { kind: 'annotation', annotationId: await addAnnotation(db, { title: 'closed area', audience: 'groups' }) },
    ];
    expect((await add('GA', id, parted)).status).toBe(404);
    expect(await titles('SA', id)).toEqual([]);
    expect((await add('SA', id, parted)).status).toBe(200);

    expect(await titles('SA', id)).toEqual(['open mark', 'closed clip', 'closed paper', 'closed area']);
    for (const who of ['GA', 'U1', 'A2'] as const) {
      expect(await titles(who, id)).toEqual(['open mark']);
      expect((await read(who, id)).body.parts).toBe(1);
    }
  });

  it('report a change within a second to those who may read the case, and to no other account', async () => {
    const id = await made('U1');
    const [reader, stranger] = [await sockets.connected('GA'), await sockets.connected('U2')];
    const started = performance.now();
    await add('U1', id, [{ kind: 'note', title: 'Note', text: '' }]);
    await until(() => reader.named('cases').length > 0);
    expect(performance.now() - started).toBeLessThan(1000);
    expect(idsOf(reader, 'cases')).toContain(id);
    // A later event that both hear shows that the first one did not come.
    server.dependencies.events.changed('users', [userId('U2')]);
    const after = await addCase(db, { audience: 'everyone' });
    server.dependencies.events.changed('cases', [after]);
    await until(() => idsOf(stranger, 'cases').includes(after));
    expect(idsOf(stranger, 'cases')).toEqual([after]);
  });
});

describe('the label of a case', () => {
  it('is the highest of its parts, and follows them', async () => {
    const id = await made('SA');
    const labelled = async () => (await read('SA', id)).body.securityClassification;
    const document = await addDocument(db, { classification: 2 });
    const missionId = await mission({ classification: 1 });
    await add('SA', id, [{ kind: 'document', documentId: document }], { lockOut: true });
    expect(await labelled()).toBe('RESTRICTED');
    await add('SA', id, [{ kind: 'bookmark', bookmarkId: await addBookmark(db, missionId) }]);
    await db.updateTable('missions').set({ classification: 3 }).where('id', '=', missionId).execute();
    expect(await labelled()).toBe('CONFIDENTIAL');
    await db.updateTable('missions').set({ classification: 1 }).where('id', '=', missionId).execute();
    expect(await labelled()).toBe('RESTRICTED');
    expect((await read('SA', id)).body.ownClassification).toBe('UNCLASSIFIED');
    await change('SA', id, { description: 'What the paper says' });
    await db.updateTable('documents').set({ classification: 1 }).where('id', '=', document).execute();
    expect(await labelled()).toBe('RESTRICTED');
  });
});
