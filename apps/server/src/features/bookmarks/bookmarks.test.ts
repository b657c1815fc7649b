import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bookmark, Mission } from '@osprey/contract';
import { simulateToFile } from '@osprey/simulator';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventSockets, idsOf, until } from '../../../test/event-sockets.ts';
import { addMission, addSensor } from '../../../test/missions.ts';
import { recordingServer } from '../../../test/recordings.ts';
import type { Subject } from '../../../test/server.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { db, groups, ask } = server;
const { storage } = server.dependencies;
const folder = await mkdtemp(join(tmpdir(), 'osprey-bookmarks-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const START_US = Date.UTC(2026, 5, 1) * 1000;

async function flight(name: string, atSecond: number, seed: number) {
  const path = join(folder, name);
  await simulateToFile(
    { seconds: 3, width: 320, height: 180, startUs: START_US + atSecond * 1e6, seed, gop: 25 },
    path,
  );
  return { path, name };
}

let mission: Mission;
let sensorId: string;
let files: { path: string; name: string }[];
beforeAll(async () => {
  files = [await flight('first.ts', 0, 1), await flight('second.ts', 10, 2)];
  const requested = {
    name: 'Marked',
    audience: 'groups' as const,
    usergroups: [groups.G1],
    securityClassification: 'RESTRICTED',
  };
  ({ mission } = await server.record(requested, files));
  sensorId = mission.sensors[0]!._id;
}, 120_000);

type Fields = Record<string, unknown>;
const requested = (fields: Fields = {}) => ({
  ...{ missionIdOrName: mission._id, sensorIdOrName: 'EO/IR', title: 'Take-off', position: 1, ...fields },
});
const add = (who: Subject, fields: Fields = {}) =>
  ask(who).post<Bookmark & { message: string }>('/api/bookmarks', requested(fields));
const list = async (who: Subject, of = mission._id) =>
  (await ask(who).get<Bookmark[]>(`/api/bookmarks?missionIdOrName=${of}`)).body;
const titles = async (who: Subject = 'SA') => (await list(who)).map(({ title }) => title);
const remove = (who: Subject, ...bookmarks: string[]) =>
  ask(who).delete<{ message: string; code?: string }>('/api/bookmarks', { bookmarks });
const clear = () => db.deleteFrom('bookmarks').execute();

describe('a bookmark', () => {
  it('is made at a position with all its fields, and listed by time with its frame', async () => {
    await clear();
    const fields = { text: 'Off the ground', tags: ['air', 'air'], color: '#ff0000', position: 11.5 };
    const { status, body } = await add('U1', fields);

    expect([status, body.message]).toEqual([200, 'Bookmark Take-off added.']);
    await add('U1', { title: 'Before', missionIdOrName: 'Marked', position: 1.019 });
    const [before, after] = await list('U1');
    expect(before).toMatchObject({ title: 'Before', position: 1, time: START_US + 1e6, color: '#e8b54a', text: '' });
    expect(after).toEqual({
      ...{ _id: body._id, missionId: mission._id, missionName: 'Marked', sensorId, sensorName: 'EO/IR' },
      ...{ title: 'Take-off', text: 'Off the ground', tags: ['air'], color: '#ff0000', thumbnailUrl: null },
      ...{
        time: START_US + 11.48e6,
        position: 11.48,
        startTime: START_US,
        state: 'shown',
        created: expect.any(Number),
      },
      ...{ author: 'U1', editor: 'U1', revision: 1, editable: true },
      anchor: { fileId: expect.any(String), run: 0, pts: expect.any(Number) },
    });
  });

  it.each([null, ''])('has the default colour where a client sends %j', async (color) => {
    await clear();

    expect((await add('U1', { color, position: 1 })).status).toBe(200);

    expect((await list('U1')).map((one) => one.color)).toEqual(['#e8b54a']);
    expect((await add('U1', { color: 'red', position: 1 })).status).toBe(400);
  });

  it('counts from a start time that is given, and takes the frame that an anchor names', async () => {
    await clear();
    const { body } = await add('U1', { startTime: START_US + 10e6, position: 1 });
    expect(body.time).toBe(START_US + 11e6);
    const { anchor } = body;
    const again = await add('U1', { position: undefined, anchor });
    expect([again.status, again.body.time, again.body.anchor]).toEqual([200, body.time, anchor]);
    const nowhere = await add('U1', { anchor: { ...anchor, pts: 5 } });
    expect([nowhere.status, nowhere.body]).toMatchObject([422, { text: 'The sensor does not show this frame.' }]);
  });

  it.each([
    [400, { title: '  ' }, { 'body.title': 'Empty title' }],
    [400, { position: undefined }, { 'body.position': 'Either a position or an anchor is needed' }],
    [400, { color: 'red' }, { 'body.color': 'Not a colour: use #rrggbb' }],
    [400, { thumbnailUrl: 'https://example.org/a.jpg' }, { 'body.thumbnailUrl': expect.any(String) }],
    [
      400,
      { thumbnailUrl: '/videos/other/00000000-0000-4000-8000-000000000000.jpg' },
      { 'body.thumbnailUrl': expect.any(String) },
    ],
    [400, { unknown: 1 }, {}],
    [422, { position: 5 }, { reason: 'The sensor shows nothing at this time. Go to a recorded moment.' }],
    [404, { sensorIdOrName: 'none' }, {}],
    [404, { missionIdOrName: 'none' }, {}],
  ])('is refused with %i for %j', async (status, fields, values) => {
    const answer = await add('U1', fields);
    expect([answer.status, answer.body]).toMatchObject([status, { values }]);
  });

  it('shows the picture that was chosen, else the last one along its sensor', async () => {
    await clear();
    await storage.put(`pictures/${mission._id}/${sensorId}.jpg`, [Buffer.from('picture')]);
    const list = { pictures: [0, 2, 11].map((second, n) => ({ n, timeUs: START_US + second * 1e6 })) };
    await storage.put(`pictures/${mission._id}/${sensorId}.json`, [Buffer.from(JSON.stringify(list))]);

    const own = `/videos/${mission._id}/${sensorId}.jpg`;
    expect((await add('U1', { thumbnailUrl: `/api${own}?token=abc` })).body.thumbnailUrl).toBe(own);
    expect((await add('U1', { thumbnailUrl: `videos/Marked/${sensorId}.jpg` })).body.thumbnailUrl).toBe(own);
    expect((await add('U1', { position: 10.5 })).body.thumbnailUrl).toBe(`/videos/${mission._id}/${sensorId}-1.jpg`);
    await storage.removeAll(`pictures/${mission._id}`);
  });

  it('T-026 is changed by those who may, with the version that was read, and names its last editor', async () => {
    await clear();
    const { body } = await add('U1');
    const change = (who: Subject, fields: Fields) => ask(who).put<Bookmark>(`/api/bookmarks/${body._id}`, fields);

    const changed = await change('GA', { title: 'Rotation', tags: ['a'], color: '#00ff00', text: 't', revision: 1 });
    expect(changed.body).toMatchObject({ title: 'Rotation', tags: ['a'], color: '#00ff00', text: 't', revision: 2 });
    expect([changed.body.author, changed.body.editor]).toEqual(['U1', 'GA']);
    expect((await change('U1', { title: 'Late', revision: 1 })).body).toMatchObject({ code: 'revisionConflict' });
    expect((await change('U1', { title: '', revision: 2 })).status).toBe(400);
    expect((await change('U1', { title: 'Kept', revision: 2 })).body).toMatchObject({ title: 'Kept', text: 't' });
  });

  it('is deleted with others or not at all, and brought back within a day', async () => {
    await clear();
    const [one, other] = [await add('U1', { title: 'One' }), await add('U1', { title: 'Other', position: 2 })];
    const ids = [one.body._id, other.body._id];

    expect((await remove('U1', ids[0]!, crypto.randomUUID())).status).toBe(404);
    expect(await titles()).toEqual(['One', 'Other']);
    expect((await remove('U1', ...ids)).body.message).toBe('Bookmark(s) One, Other deleted.');
    expect(await titles()).toEqual([]);
    expect((await remove('U1', ids[0]!)).status).toBe(404);
    const restored = await ask('U1').post<{ message: string }>('/api/bookmarks/restore', { bookmarks: ids });
    expect(restored.body.message).toBe('Bookmark(s) One, Other restored.');
    expect(await titles()).toEqual(['One', 'Other']);

    await remove('U1', ids[0]!);
    const deleted_time = (Date.now() - 25 * 3_600_000) * 1000;
    await db.updateTable('bookmarks').set({ deleted_time }).where('id', '=', ids[0]!).execute();
    expect((await ask('U1').post('/api/bookmarks/restore', { bookmarks: [ids[0]] })).status).toBe(404);
    expect((await remove('U1')).body).toMatchObject({ code: 'invalid' });
  });
});

/** The body and headers of an answer, without the headers that differ at every request. */
async function reported(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
  const answer = await server.asUser('U2').inject({ method, url, ...(payload && { payload }) });
  const { date: _date, 'x-request-id': _request, ...headers } = answer.headers;
  return [answer.statusCode, answer.body, headers];
}

describe('rights over bookmarks', () => {
  it('T-029 those of a hidden mission are answered for as those that never were', async () => {
    await clear();
    const { _id } = (await add('U1')).body;
    const answers = (mission: string, id: string) =>
      Promise.all([
        reported('GET', `/api/bookmarks?missionIdOrName=${mission}`),
        reported('POST', '/api/bookmarks', requested({ missionIdOrName: mission })),
        reported('PUT', `/api/bookmarks/${id}`, { title: 'x', revision: 1 }),
        reported('DELETE', '/api/bookmarks', { bookmarks: [id] }),
        reported('POST', '/api/bookmarks/restore', { bookmarks: [id] }),
      ]);
    const hidden = await answers(mission._id, _id);
    expect(hidden.map(([status]) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(hidden).toEqual(await answers(crypto.randomUUID(), crypto.randomUUID()));
    expect(await answers('Marked', _id)).toEqual(await answers('Never-there', crypto.randomUUID()));
  });

  it('T-023 fields that are not declared are refused, and nothing of theirs is kept', async () => {
    await clear();
    const { _id } = (await add('U1')).body;
    const extra = { _id: crypto.randomUUID(), author: 'SA', author_id: server.userId('SA'), mission_id: _id };
    for (const [name, value] of Object.entries(extra)) {
      expect((await add('U1', { [name]: value })).status, name).toBe(400);
      const change = await ask('U1').put(`/api/bookmarks/${_id}`, { revision: 1, [name]: value });
      expect(change.status, name).toBe(400);
    }
    const polluted = `{"title":"x","revision":1,"__proto__":{"author":"SA"}}`;
    const headers = { 'content-type': 'application/json' };
    const url = `/api/bookmarks/${_id}`;
    await server.asUser('U1').inject({ method: 'PUT', url, headers, payload: polluted });
    expect((await list('U1')).map(({ author }) => author)).toEqual(['U1']);
  });

  it('T-089 hostile words are kept and given back as words; what is too long or holds controls is refused', async () => {
    await clear();
    for (const title of ['<img src=x onerror=alert(1)>', '=cmd()', '\u202eabc', '%_\\']) {
      expect((await add('U1', { title, text: title })).body).toMatchObject({ title, text: title });
    }
    for (const fields of [{ title: 'a\u0007' }, { title: 'x'.repeat(10_000) }, { text: 'x'.repeat(10_000) }]) {
      expect((await add('U1', fields)).status).toBe(400);
    }
  });

  it('go by the mission: who may not read it learns nothing, who may only read it changes none', async () => {
    await clear();
    const { body } = await add('U1');
    const answers = async (who: Subject) => [
      (await ask(who).get(`/api/bookmarks?missionIdOrName=${mission._id}`)).status,
      (await add(who, { title: who })).status,
      (await ask(who).put(`/api/bookmarks/${body._id}`, { revision: 99 })).status,
      (await ask(who).post('/api/bookmarks/restore', { bookmarks: [body._id] })).status,
    ];
    // U2 is cleared and in another group, U0 is in the group Demo alone.
    for (const who of ['U2', 'U0', 'guest'] as const) expect(await answers(who), who).toEqual([404, 404, 404, 404]);
    for (const who of ['SA', 'A2', 'GA', 'U1'] as const) expect(await answers(who), who).toEqual([200, 200, 409, 404]);
  });

  it('let the author, admins and the groupAdmin of the group delete, and no other user', async () => {
    await clear();
    const ids = [];
    for (const title of ['a', 'b', 'c', 'd']) ids.push((await add('GA', { title })).body._id);
    expect((await remove('U1', ids[0]!)).status).toBe(403);
    expect((await list('U1')).map(({ editable }) => editable)).toEqual([false, false, false, false]);
    expect((await remove('GA', ids[0]!)).status).toBe(200);
    expect((await remove('A2', ids[1]!)).status).toBe(200);
    expect((await remove('SA', ids[2]!)).status).toBe(200);
    const own = (await add('U1')).body._id;
    expect((await remove('U1', ids[3]!, own)).status).toBe(403);
    expect((await remove('U1', own)).status).toBe(200);
    expect(await titles()).toEqual(['d']);
  });

  it('T-046 rise with the mission: above the clearance of the reader a bookmark and its picture are gone', async () => {
    await clear();
    const { body } = await add('U1');
    const picture = `/api/videos/${mission._id}/${sensorId}.jpg`;
    await storage.put(`pictures/${mission._id}/${sensorId}.jpg`, [Buffer.from('picture')]);
    expect((await ask('U1').get(picture)).status).toBe(200);
    await db.updateTable('missions').set({ classification: 4 }).where('id', '=', mission._id).execute();
    try {
      for (const who of ['U1', 'U2', 'A2', 'GA'] as const) {
        expect((await ask(who).get(`/api/bookmarks?missionIdOrName=${mission._id}`)).status).toBe(404);
        await vi.waitFor(async () => expect((await ask(who).get(picture)).status).toBe(404));
        expect((await remove(who, body._id)).status).toBe(404);
      }
      expect(await titles('SA')).toEqual(['Take-off']);
    } finally {
      await db.updateTable('missions').set({ classification: 2 }).where('id', '=', mission._id).execute();
    }
  });

  it('leave a row of the audit for each change, with ids and no titles', async () => {
    await clear();
    const before = (await db.selectFrom('audit').select('seq').orderBy('seq', 'desc').executeTakeFirstOrThrow()).seq;
    const { body } = await add('U1', { title: 'Secret words' });
    await ask('U1').put(`/api/bookmarks/${body._id}`, { text: 'x', revision: 1 });
    await remove('U1', body._id);
    const rows = await db.selectFrom('audit').selectAll().where('seq', '>', before).orderBy('seq').execute();
    expect(rows.map(({ action, item_id, item_label, result }) => [action, item_id, item_label, result])).toEqual(
      ['bookmark.create', 'bookmark.update', 'bookmark.delete'].map((action) => [action, mission._id, 2, body._id]),
    );
    expect(JSON.stringify(rows)).not.toContain('Secret words');
  });

  it('report a change within a second to those who may read the mission, and to no other account', async () => {
    const { connected, closeAll } = eventSockets(server, await server.listen());
    const [reader, stranger] = [await connected('GA'), await connected('U2')];
    // Changes of the tests before may still come: an event after them shows that they are through.
    server.dependencies.events.changed('users', [server.userId('GA')]);
    await until(() => reader.named('users').length > 0);
    const before = reader.named('bookmarks').length;
    const started = performance.now();
    await add('U1');
    await until(() => reader.named('bookmarks').length > before);
    expect(performance.now() - started).toBeLessThan(1000);
    expect(idsOf(reader, 'bookmarks').slice(before)).toEqual([mission._id]);
    // A later event that both hear shows that the first one did not come.
    server.dependencies.events.changed('users', [server.userId('U2')]);
    await add('U1');
    await until(() => reader.named('bookmarks').length > before + 1);
    expect(stranger.named('bookmarks')).toEqual([]);
    closeAll();
  });
});

describe('bookmarks of a mission', () => {
  it('keep their frame when its files change, and their last time when their own file is removed', async () => {
    await clear();
    await add('U1', { title: 'Early', position: 2 });
    await add('U1', { title: 'Late', position: 12 });
    await ask('SA').post(`/api/sensors/${sensorId}/shift`, { shift: 60e6 });
    const times = async () =>
      (await list('U1')).map(({ title, time, position, state }) => [title, (time - START_US) / 1e6, position, state]);
    expect(await times()).toEqual([
      ['Early', 62, 2, 'shown'],
      ['Late', 72, 12, 'shown'],
    ]);
    const first = await db
      .selectFrom('files')
      .select('id')
      .where('sensor_id', '=', sensorId)
      .where('name', '=', 'first.ts')
      .executeTakeFirstOrThrow();
    expect((await ask('SA').delete(`/api/sensors/${sensorId}/files/${first.id}`)).status).toBe(200);
    await server.work();
    // The mission begins later now: its own start counts.
    expect(await times()).toEqual([
      ['Early', 62, -8, 'gone'],
      ['Late', 72, 2, 'shown'],
    ]);
  });

  it('that is in the bin are hidden, come back with it, and go when it is purged', async () => {
    const { mission: other } = await server.record({ name: 'Binned' }, [files[0]!]);
    const { body } = await add('SA', { missionIdOrName: other._id });
    expect((await ask('SA').delete('/api/missions', { missions: [other._id] })).status).toBe(200);
    expect((await ask('SA').get(`/api/bookmarks?missionIdOrName=${other._id}`)).status).toBe(404);
    expect((await remove('SA', body._id)).status).toBe(404);
    await ask('SA').post('/api/missions/restore', { missions: [other._id] });
    expect((await list('SA', other._id)).map(({ _id }) => _id)).toEqual([body._id]);
    await ask('SA').delete('/api/missions', { missions: [other._id] });
    await ask('SA').delete('/api/bin', { missions: [other._id] });
    await vi.waitFor(async () =>
      expect(await db.selectFrom('bookmarks').select('id').where('id', '=', body._id).execute()).toEqual([]),
    );
  });

  it('stay when their author goes, under the name that they were made by', async () => {
    await clear();
    const { body } = await add('U1');
    await db.updateTable('bookmarks').set({ author_id: null }).where('id', '=', body._id).execute();
    expect((await list('U1'))[0]).toMatchObject({ author: 'U1', editable: false });
  });

  it('that is being recorded wait for their frame until the recording has been read', async () => {
    const platform_id = crypto.randomUUID();
    const running = await addMission(db, {
      ...{ state: 'Running', recording_start_time: START_US, start_time: START_US, platform_id },
    });
    const own = await addSensor(db, running, { state: 'Running' });
    const { status, body } = await add('SA', { missionIdOrName: running, sensorIdOrName: own, position: 1.5 });
    expect([status, body.state, body.anchor, body.time]).toEqual([200, 'waiting', null, START_US + 1.5e6]);

    const source = await db
      .selectFrom('sensors')
      .select(['index_key'])
      .where('id', '=', sensorId)
      .executeTakeFirstOrThrow();
    await db
      .updateTable('sensors')
      .set({ index_key: source.index_key, state: 'Ready', time_shift: -10e6 })
      .where('id', '=', own)
      .execute();
    const [read] = await list('SA', running);
    expect(read).toMatchObject({ state: 'shown', time: START_US + 1.501e6, anchor: { run: 0 } });
  });

  it('are not more than 5000', async () => {
    await clear();
    const { rows } = await sqlOf(5000);
    expect(rows).toBe(5000);
    expect((await add('U1')).body).toMatchObject({ code: 'ruleRefused' });
    await clear();
  });

  async function sqlOf(count: number) {
    const row = {
      ...{ mission_id: mission._id, sensor_id: sensorId, file_id: null, run: null, pts: null, last_time: 0, text: '' },
      ...{
        title: 'b',
        color: '#e8b54a',
        tags: [],
        thumbnail: null,
        author_id: null,
        author: 'a',
        editor: 'a',
        created: 0,
      },
    };
    for (let at = 0; at < count; at += 1000) {
      await db
        .insertInto('bookmarks')
        .values(Array.from({ length: 1000 }, () => row))
        .execute();
    }
    return { rows: count };
  }
});
