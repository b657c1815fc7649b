import { beforeEach, describe, expect, it } from 'vitest';
import { addAnnotation } from '../../../test/annotations.ts';
import { addBookmark, addClip, casesOf } from '../../../test/cases.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { addDocument } from '../../../test/documents.ts';
import { eventSockets, idsOf, until } from '../../../test/event-sockets.ts';
import { addFile, addMission, addSensor } from '../../../test/missions.ts';
import { type Subject, testServer } from '../../../test/server.ts';
import { actorsById } from '../../base/access/actors.ts';
import { sweepAnnotations } from '../annotations/sweep.ts';
import { sweepBookmarks } from '../bookmarks/repository.ts';
import { sweepDocuments } from '../documents/sweep.ts';
import { missionBin, retireMission } from '../missions/bin.ts';
import { applyRetention } from '../retention/apply.ts';

const server = await testServer();
const { db } = server;
const { ask, made, add, read } = casesOf(server);
const sockets = eventSockets(server, await server.listen());
atEnd(async () => sockets.closeAll());

const DAY_US = 24 * 3_600_000_000;
const nowUs = () => Date.now() * 1000;
const log = { info: () => undefined };

type Held = Awaited<ReturnType<typeof held>>;
let kept: Held;

/** A case of A2 on hold, with a part of each kind. */
async function held() {
  const missionId = await addMission(db, { state: 'Ready', name: 'Kept', platform_name: 'P' });
  const sensorId = await addSensor(db, missionId, { state: 'Ready' });
  const parts = {
    bookmark: await addBookmark(db, missionId),
    clip: await addClip(db, missionId),
    document: await addDocument(db, { title: 'Paper' }),
    annotation: await addAnnotation(db, { title: 'Area' }),
  };
  const id = await made('A2', { name: 'Evidence' });
  const expected = [
    { kind: 'bookmark', bookmarkId: parts.bookmark },
    { kind: 'clip', clipId: parts.clip },
    { kind: 'document', documentId: parts.document },
    { kind: 'annotation', annotationId: parts.annotation },
    { kind: 'track', sensorId, startTime: 0, endTime: 1_000_000, title: 'Way' },
  ];
  expect((await add('A2', id, expected)).status).toBe(200);
  const { body } = await ask('A2', 'PUT', `/${id}/hold`, { held: true });
  expect(body).toMatchObject({ held: true });
  return { id, number: body.number, missionId, sensorId, ...parts };
}

const release = (reason?: string) => ask('A2', 'PUT', `/${kept.id}/hold`, { held: false, reason });

async function call(who: Subject, method: 'GET' | 'DELETE', path: string, payload?: object) {
  const answer = await server.asUser(who).inject({ method, url: `/api${path}`, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}

beforeEach(async () => {
  for (const table of ['cases', 'annotations', 'documents', 'missions', 'retention_rules'] as const) {
    await db.deleteFrom(table).execute();
  }
  kept = await held();
});

describe('a case on hold', () => {
  it('refuses to delete what it holds: by its number to who may read it, else without', async () => {
    const deletions = [
      ['Kept', '/missions', { missions: [kept.missionId] }],
      ['bookmark', '/bookmarks', { bookmarks: [kept.bookmark] }],
      ['clip', '/clips', { clips: [kept.clip] }],
      ['Paper', `/documents/${kept.document}`, undefined],
      ['Area', `/annotations/${kept.annotation}`, undefined],
      ['Area', '/annotations', { annotations: [kept.annotation] }],
    ] as const;
    for (const [name, path, payload] of deletions) {
      const { status, body } = await call('A2', 'DELETE', path, payload);
      expect([status, body.text], path).toEqual([422, `Held by case ${kept.number}: ${name} cannot be deleted.`]);
    }
    // U2 is not in G1, the audience of the case.
    const other = await call('U2', 'DELETE', `/documents/${kept.document}`);
    expect([other.status, other.body.text]).toEqual([422, 'Held: Paper cannot be deleted.']);
    const file = await addFile(db, kept.sensorId, { storage_key: `originals/${kept.sensorId}/a.ts` });
    const removed = await call('A2', 'DELETE', `/sensors/${kept.sensorId}/files/${file}`);
    expect([removed.status, removed.body.code]).toEqual([422, 'missionHeld']);
  });

  it('is named in rows of missions, documents and annotations', async () => {
    const reported = async (who: Subject) => {
      const rows = await Promise.all(
        ['/missions/brief', '/documents', '/annotations'].map(async (path) => (await call(who, 'GET', path)).body),
      );
      const one = await Promise.all([
        call(who, 'GET', `/missions/${kept.missionId}`),
        call(who, 'GET', `/documents/${kept.document}`),
        call(who, 'GET', `/annotations?id=${kept.annotation}`),
      ]);
      return [...rows.flat(), ...one.map(({ body }) => body)].map(({ heldBy }) => heldBy);
    };
    expect(new Set(await reported('U1'))).toEqual(new Set([`Held by case ${kept.number}`]));
    expect(new Set(await reported('U2'))).toEqual(new Set(['Held']));
    await release('Nobody needs it any more');
    expect(await reported('U1')).toEqual(Array(6).fill(undefined));
  });

  it('is skipped by the bins, and by retention, until it is released', async () => {
    const deleted_time = nowUs() - 40 * DAY_US;
    for (const table of ['missions', 'documents', 'annotations', 'bookmarks'] as const) {
      await db.updateTable(table).set({ deleted_time }).execute();
    }
    const { removeOld, empty } = missionBin({ db, nowUs });
    const sweep = async () => {
      await sweepDocuments({ db, nowUs, log });
      await sweepAnnotations({ db, nowUs, log });
      await sweepBookmarks(db, nowUs());
      return removeOld();
    };
    const { actor } = (await actorsById(db, [server.userId('SA')])).get(server.userId('SA'))!;
    expect((await call('A2', 'GET', '/bin')).body).toMatchObject([{ heldBy: `Held by case ${kept.number}` }]);
    expect(await empty(actor, undefined)).toEqual([]);
    await expect(empty(actor, [kept.missionId])).rejects.toMatchObject({ code: 'caseHeld' });
    expect(await sweep()).toEqual([]);
    for (const table of ['missions', 'documents', 'annotations', 'bookmarks'] as const) {
      expect(await db.selectFrom(table).select('id').execute(), table).toHaveLength(1);
    }
    await release('Nobody needs it any more');
    expect(await sweep()).toHaveLength(1);
    for (const table of ['missions', 'documents', 'annotations', 'bookmarks'] as const) {
      expect(await db.selectFrom(table).select('id').execute(), table).toHaveLength(0);
    }
  });

  it('keeps missions from retention rules', async () => {
    const rule = { created_by: server.userId('SA'), usergroup_id: null, platform: null, days: 1, created: 0 };
    await db.insertInto('retention_rules').values(rule).execute();
    const apply = () =>
      applyRetention({ db, nowUs, retire: (id) => retireMission(db, id, nowUs()), changed: () => undefined });
    expect(await apply()).toEqual([]);
    await release('Nobody needs it any more');
    expect((await apply()).map(({ id }) => id)).toEqual([kept.missionId]);
  });

  it('is released with a reason alone, by admins, and leaves rows of the audit', async () => {
    expect((await release()).body.code).toBe('holdReasonNeeded');
    expect((await release('too short')).body.code).toBe('holdReasonNeeded');
    expect((await ask('U1', 'PUT', `/${kept.id}/hold`, { held: false, reason: 'Nobody needs it' })).status).toBe(403);
    expect((await read('A2', kept.id)).body.held).toBe(true);
    expect((await release('Nobody needs it any more')).body.held).toBe(false);
    const rows = await db
      .selectFrom('audit')
      .where('item_id', '=', kept.id)
      .where('action', 'in', ['case.hold', 'case.release'])
      .where('decision', '=', 'allowed')
      .select(['action', 'reason'])
      .orderBy('seq')
      .execute();
    expect(rows).toEqual([
      { action: 'case.hold', reason: null },
      { action: 'case.release', reason: 'Nobody needs it any more' },
    ]);
  });

  it('cannot be deleted, and loses no part but notes', async () => {
    await add('A2', kept.id, [{ kind: 'note', title: 'Note', text: '' }]);
    const parts = (await ask<{ _id: string; kind: string }[]>('A2', 'GET', `/${kept.id}/parts`)).body;
    const [note, other] = [parts.find(({ kind }) => kind === 'note')!, parts.find(({ kind }) => kind === 'clip')!];
    const remove = (id: string) => ask('A2', 'DELETE', `/${kept.id}/parts`, { parts: [id] });
    const refused = `Case ${kept.number} holds its parts. An administrator has to release them first.`;
    expect((await remove(other._id)).body.text).toBe(refused);
    expect((await ask('A2', 'DELETE', '', { cases: [kept.id] })).body.text).toBe(refused);
    expect((await remove(note._id)).status).toBe(200);
  });

  it('has open pages read again what it holds', async () => {
    await release('Nobody needs it any more');
    const reader = await sockets.connected('U2');
    await ask('A2', 'PUT', `/${kept.id}/hold`, { held: true });
    await until(() => reader.named('missions').length > 0 && reader.named('updateAnnotations').length > 0);
    // The notice of the release may come after the page has connected.
    expect([...new Set(idsOf(reader, 'missions'))]).toEqual([kept.missionId]);
    expect([...new Set(idsOf(reader, 'updateDocuments'))]).toEqual([kept.document]);
    expect([...new Set(idsOf(reader, 'updateAnnotations'))]).toEqual([kept.annotation]);
  });
});
