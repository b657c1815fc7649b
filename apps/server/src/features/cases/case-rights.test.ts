import type { CasePart } from '@osprey/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { addAnnotation } from '../../../test/annotations.ts';
import { addBookmark, addClip, addNote, casesOf } from '../../../test/cases.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { addDocument } from '../../../test/documents.ts';
import { eventSockets, until } from '../../../test/event-sockets.ts';
import { addMission, addSensor } from '../../../test/missions.ts';
import { type Subject, subjectNames, testServer } from '../../../test/server.ts';

const server = await testServer();
const { db, groups, userId, asUser } = server;
const { ask, made, read, list, parts, add, change, comments } = casesOf(server);
const sockets = eventSockets(server, await server.listen());
atEnd(async () => sockets.closeAll());

beforeEach(async () => {
  for (const table of ['cases', 'annotations', 'documents', 'missions'] as const) await db.deleteFrom(table).execute();
});

const mission = (fields: Parameters<typeof addMission>[1] = {}) => addMission(db, { state: 'Ready', ...fields });
const labelOf = async (id: string) => (await read('SA', id)).body.securityClassification;
const shownTo = async (who: Subject, id: string) => (await parts(who, id)).map(({ title }) => title);

/** From a change to the event that closes the case, milliseconds. */
async function lostWithin(who: Subject, id: string, change: () => Promise<unknown>): Promise<number> {
  const reader = await sockets.connected(who);
  const started = performance.now();
  await change();
  await until(() =>
    reader.named('revoked').some(({ payload }) => {
      const { noun, ids } = payload as { noun: string; ids: string[] };
      return noun === 'cases' && ids.includes(id);
    }),
  );
  return performance.now() - started;
}

describe('the label of a case', () => {
  it.each([
    ['mission of a bookmark', 'missions', 'bookmark'],
    ['mission of a clip', 'missions', 'clip'],
    ['mission of a track', 'missions', 'track'],
    ['mission of an annotation', 'missions', 'annotation'],
    ['document', 'documents', 'document'],
    ['annotation', 'annotations', 'annotation'],
  ] as const)(
    'T-031 rises with the %s, and closes the case within a second to who is not cleared',
    async (_, table, kind) => {
      const id = await made('U1', { name: 'Rising' });
      const missionId = await mission();
      const sensorId = await addSensor(db, missionId, { state: 'Ready' });
      const part = {
        bookmark: async () => ({ kind, bookmarkId: await addBookmark(db, missionId) }),
        clip: async () => ({ kind, clipId: await addClip(db, missionId) }),
        track: async () => ({ kind, sensorId, startTime: 0, endTime: 1, title: 'Way' }),
        document: async () => ({ kind, documentId: await addDocument(db) }),
        annotation: async () => ({
          ...{ kind, annotationId: await addAnnotation(db, table === 'missions' ? { mission_id: missionId } : {}) },
        }),
      }[kind];
      expect((await add('U1', id, [await part()])).status).toBe(200);
      expect((await read('A2', id)).status).toBe(200);

      const ms = await lostWithin('A2', id, () => db.updateTable(table).set({ classification: 3 }).execute());

      expect(ms).toBeLessThan(1000);
      expect(await labelOf(id)).toBe('CONFIDENTIAL');
      expect((await read('A2', id)).status).toBe(404);
      expect((await read('U1', id)).status).toBe(200);
    },
  );

  it('notifies those who still read it that its label rose', async () => {
    const id = await made('U1');
    const documentId = await addDocument(db);
    await add('U1', id, [{ kind: 'document', documentId }]);
    const reader = await sockets.connected('GA');
    await db.updateTable('documents').set({ classification: 2 }).execute();
    await until(() => reader.named('cases').length > 0);
    expect(await labelOf(id)).toBe('RESTRICTED');
  });

  it('misses no rise of what is being added at the same moment, and nobody waits for ever', async () => {
    const rounds = Array.from({ length: 12 }, async () => {
      const [id, missionId] = [await made('SA'), await mission()];
      const bookmarkId = await addBookmark(db, missionId);
      const annotationId = await addAnnotation(db, { mission_id: missionId });
      const expected = [
        { kind: 'bookmark', bookmarkId },
        { kind: 'annotation', annotationId },
      ];
      const [added] = await Promise.all([
        add('SA', id, expected, { lockOut: true }),
        ask('SA', 'POST', `/${id}/comments`, { text: 'x' }),
        db.updateTable('missions').set({ classification: 3 }).where('id', '=', missionId).execute(),
        add('SA', id, [{ kind: 'note', title: 'n', text: '' }]),
      ]);
      return [added.status, await labelOf(id), (await parts('SA', id)).length];
    });
    expect(await Promise.all(rounds)).toEqual(rounds.map(() => [200, 'CONFIDENTIAL', 3]));
  });

  it('counts hidden parts, and says nothing else of them', async () => {
    const id = await made('SA', { usergroups: [groups.G2] });
    const documentId = await addDocument(db, { title: 'unseen', classification: 4, audience: 'groups' });
    await add('SA', id, [{ kind: 'document', documentId, remark: 'words of it' }], { lockOut: true });
    expect(await labelOf(id)).toBe('SECRET');
    const answers = await Promise.all(['', `/${id}`, `/${id}/parts`].map((path) => ask('U2', 'GET', path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const text = JSON.stringify(answers.map(({ body }) => body));
    for (const word of ['unseen', 'words of it', documentId]) expect(text).not.toContain(word);
    expect(answers[1]!.body).toMatchObject({ parts: 0, securityClassification: 'SECRET' });
  });

  it('falls with a part that is taken out, unless somebody wrote into the case meanwhile', async () => {
    const id = await made('U1');
    const part = { kind: 'document', documentId: await addDocument(db, { classification: 3 }) };
    const remove = async (of: CasePart) => ask('U1', 'DELETE', `/${id}/parts`, { parts: [of._id] });
    await remove((await add('U1', id, [part], { lockOut: true })).body[0]!);
    expect(await labelOf(id)).toBe('UNCLASSIFIED');

    const [again] = (await add('U1', id, [part], { lockOut: true })).body;
    await ask('U1', 'POST', `/${id}/comments`, { text: 'What the paper says' });
    await remove(again!);
    expect(await labelOf(id)).toBe('CONFIDENTIAL');
    const lower = { securityClassification: 'UNCLASSIFIED' };
    expect((await change('U1', id, lower)).status).toBe(403);
    expect((await change('SA', id, lower)).body.code).toBe('reasonNeeded');
    expect((await change('SA', id, { ...lower, reason: 'Nothing of it is left' })).status).toBe(200);
    expect(await labelOf(id)).toBe('UNCLASSIFIED');
  });

  it.each([
    ['a description', (id: string) => change('U1', id, { description: 'words' })],
    [
      'a remark',
      async (id: string) => ask('U1', 'PUT', `/${id}/parts/${(await noted(id))._id}`, { text: 'w', revision: 1 }),
    ],
    ['a note', (id: string) => add('U1', id, [{ kind: 'note', title: 'n', text: 'words' }])],
  ])('is that of %s which was written at it', async (_, write) => {
    const id = await made('U1');
    const documentId = await addDocument(db, { classification: 2 });
    await add('U1', id, [{ kind: 'document', documentId }], { lockOut: true });
    expect((await write(id)).status).toBe(200);
    expect((await read('U1', id)).body.ownClassification).toBe('RESTRICTED');
  });

  const noted = async (id: string): Promise<{ _id: string }> => ({ _id: await addNote(db, id, { position: 9 }) });
});

it('T-043 a case with 50 hidden parts looks as one without them', async () => {
  const [plain, full] = [await made('SA', { usergroups: [groups.G1] }), await made('SA', { usergroups: [groups.G1] })];
  const documentId = await addDocument(db, { title: 'shown' });
  for (const id of [plain, full]) await add('SA', id, [{ kind: 'document', documentId }]);
  const hidden = await Promise.all(
    Array.from({ length: 50 }, async () => ({
      ...{ kind: 'document', documentId: await addDocument(db, { audience: 'groups' }) },
    })),
  );
  expect((await add('SA', full, hidden)).status).toBe(200);
  const { revision } = (await read('SA', full)).body;
  const [own] = await parts('U1', full);
  await ask('SA', 'PUT', `/${full}/order`, {
    parts: (await parts('SA', full)).map(({ _id }) => _id).reverse(),
    revision,
  });

  // Ids and times are of each alone; that something changed may be known.
  const seenOf = async (id: string) => {
    const { _id, number, created, changed, revision: _revision, ...row } = (await read('U1', id)).body;
    const listed = (await list('U1')).find((one) => one._id === id)!;
    expect([_id, created, changed, number].every(Boolean)).toBe(true);
    const shown = (await parts('U1', id)).map(({ _id: _partId, added: _added, ...part }) => part);
    return { row, listed: listed.parts, shown };
  };
  expect(await seenOf(full)).toEqual(await seenOf(plain));
  const order = { parts: [own!._id], revision: (await read('SA', full)).body.revision };
  expect((await ask('SA', 'PUT', `/${full}/order`, order)).body.code).toBe('ruleRefused');
});

describe('adding what would lock readers out', () => {
  it('is asked about first; only admins learn how many', async () => {
    const id = await made('GA');
    const documentId = await addDocument(db, { classification: 3 });
    const part = [{ kind: 'document', documentId }];
    const asked = await add('GA', id, part);
    expect([asked.status, asked.body.code, asked.body.values]).toEqual([
      409,
      'wouldLockOut',
      { label: 'CONFIDENTIAL', count: '' },
    ]);
    expect(asked.body.text).toBe('This makes the case CONFIDENTIAL: some of its readers could no longer read it.');
    expect(await shownTo('GA', id)).toEqual([]);
    // A2 reads up to RESTRICTED.
    expect((await add('SA', id, part)).body.values).toEqual({ label: 'CONFIDENTIAL', count: '1' });
    expect((await add('GA', id, part, { lockOut: true })).status).toBe(200);
    expect((await read('A2', id)).status).toBe(404);
  });

  it('is not asked where everybody stays, and refused where it hides the case from who adds', async () => {
    const id = await made('GA', { securityClassification: 'CONFIDENTIAL' });
    const documentId = await addDocument(db, { classification: 3 });
    expect((await add('GA', id, [{ kind: 'document', documentId }])).status).toBe(200);

    const own = await made('SA', { audience: 'everyone', usergroups: [] });
    await db
      .insertInto('case_editors')
      .values({ case_id: own, user_id: userId('U2') })
      .execute();
    await change('SA', own, { audience: 'groups', usergroups: [groups.Demo, groups.G2] });
    await db.updateTable('usergroups').set({ classification: 1 }).where('id', '=', groups.G2).execute();
    try {
      const secret = await addDocument(db, { classification: 2 });
      const hidden = await add('U2', own, [{ kind: 'document', documentId: secret }], { lockOut: true });
      expect([hidden.status, hidden.body.code]).toEqual([422, 'hidesFromMaker']);
    } finally {
      await db.updateTable('usergroups').set({ classification: 5 }).where('id', '=', groups.G2).execute();
    }
  });

  it('is asked before a part is brought back, too', async () => {
    const id = await made('U1');
    const documentId = await addDocument(db);
    const [part] = (await add('U1', id, [{ kind: 'document', documentId }])).body;
    await ask('U1', 'DELETE', `/${id}/parts`, { parts: [part!._id] });
    await db.updateTable('documents').set({ classification: 3 }).execute();
    expect(await labelOf(id)).toBe('UNCLASSIFIED');
    const restore = (more: object) => ask('U1', 'POST', `/${id}/parts/restore`, { parts: [part!._id], ...more });
    expect((await restore({})).body.code).toBe('wouldLockOut');
    expect((await restore({ lockOut: true })).status).toBe(200);
    expect(await labelOf(id)).toBe('CONFIDENTIAL');
  });
});

describe('who may do what', () => {
  it('is the same for a case that is hidden and one that never was', async () => {
    const id = await made('U1');
    const part = await addNote(db, id);
    const answers = (of: string) =>
      Promise.all(
        (
          [
            ['GET', ''],
            ['PUT', '', { name: 'x', revision: 1 }],
            ['GET', '/parts'],
            ['POST', '/parts', { parts: [{ kind: 'note', title: 'n', text: '' }] }],
            ['PUT', `/parts/${part}`, { text: 'x', revision: 1 }],
            ['DELETE', '/parts', { parts: [part] }],
            ['POST', '/parts/restore', { parts: [part] }],
            ['PUT', '/order', { parts: [part], revision: 1 }],
            ['GET', '/comments'],
            ['POST', '/comments', { text: 'x' }],
            ['GET', '/people'],
            ['PUT', '/hold', { held: true }],
            ['PUT', '/owner', { owner: userId('SA') }],
          ] as const
        ).map(async ([method, path, payload]) => {
          const answer = await asUser('U2').inject({
            method,
            url: `/api/cases/${of}${path}`,
            ...(payload && { payload }),
          });
          const { date: _date, 'x-request-id': _request, ...headers } = answer.headers;
          return [answer.statusCode, answer.body, headers];
        }),
      );
    const hidden = await answers(id);
    expect(hidden.map(([status]) => status)).toEqual(Array(13).fill(404));
    expect(hidden).toEqual(await answers(crypto.randomUUID()));
  });

  it('lets editors work on it whom the owner named, and nobody else; they name nobody', async () => {
    const id = await made('U1');
    const people = (await ask<{ _id: string; username: string }[]>('U1', 'GET', `/${id}/people`)).body;
    // U1 may choose editors among the accounts that may read the case, are no admins, and share a usergroup with U1: GA
    // alone.
    expect(people).toEqual([{ _id: userId('GA'), username: 'GA' }]);
    const note = [{ kind: 'note', title: 'n', text: '' }];
    expect((await add('GA', id, note)).status).toBe(403);
    for (const stranger of [userId('U2'), userId('SA'), crypto.randomUUID()]) {
      const refused = await change('U1', id, { editors: [stranger] });
      expect([refused.status, refused.body.values]).toEqual([
        400,
        { 'body.editors': 'Not an account that can edit this case' },
      ]);
    }
    const named = await change('U1', id, { editors: [userId('GA')] });
    expect(named.body.editors).toEqual(people);
    expect((await add('GA', id, note)).status).toBe(200);
    expect((await change('GA', id, { name: 'By an editor' })).status).toBe(200);
    for (const own of [{ editors: [] }, { securityClassification: 'RESTRICTED' }, { usergroups: [] }]) {
      expect((await change('GA', id, own)).status).toBe(403);
    }
    expect((await ask('GA', 'DELETE', '', { cases: [id] })).status).toBe(403);
    expect((await ask('GA', 'GET', `/${id}/people`)).status).toBe(403);
    expect((await change('U1', id, { editors: [] })).body.editors).toEqual([]);
    expect((await add('GA', id, note)).status).toBe(403);
  });

  it('hands it over to who may read it and make cases, by its owner and admins alone', async () => {
    const id = await made('U1');
    const handOver = (who: Subject, owner: string, more: object = {}) =>
      ask(who, 'PUT', `/${id}/owner`, { owner, ...more });
    await change('U1', id, { editors: [userId('GA')] });
    // An editor does not own it.
    expect((await handOver('GA', userId('SA'))).status).toBe(403);
    const named = await ask<{ username: string }[]>('U1', 'GET', `/${id}/people?as=owner`);
    expect(named.body.map(({ username }) => username)).toEqual(['A2', 'GA', 'SA']);
    // U2 is not in its usergroup, the guest makes no cases, U1 has it already.
    for (const nobody of [userId('U2'), userId('guest'), userId('U1'), crypto.randomUUID()]) {
      const refused = await handOver('U1', nobody);
      expect([refused.status, refused.body.values]).toEqual([
        400,
        { 'body.owner': 'Not an account that can own this case' },
      ]);
    }

    const reader = await sockets.connected('GA');
    const given = await handOver('U1', userId('GA'), { staysEditor: true });
    expect(given.status).toBe(200);
    expect(given.body).toMatchObject({ owner: 'GA', ownerId: userId('GA'), editable: true, deletable: false });
    expect(given.body.editors).toEqual([{ _id: userId('U1'), username: 'U1' }]);
    await until(() => reader.named('cases').length > 0);
    expect((await read('GA', id)).body).toMatchObject({ deletable: true });
    expect((await handOver('U1', userId('U1'))).status).toBe(403);
    expect((await list('SA', '?search=GA')).map(({ _id }) => _id)).toEqual([id]);

    // A case whose owner was deleted can be handed over too. An admin edits every case anyway, and so is not listed as
    // an editor.
    await db.updateTable('cases').set({ owner_id: null }).where('id', '=', id).execute();
    expect((await handOver('A2', userId('SA'), { staysEditor: true })).body.owner).toBe('SA');
    const back = await handOver('SA', userId('U1'), { staysEditor: true });
    expect([back.body.owner, back.body.editors]).toEqual(['U1', []]);
    const rows = await db.selectFrom('audit').select(['actor_id', 'result']).where('action', '=', 'case.handOver');
    expect((await rows.where('item_id', '=', id).orderBy('seq').execute()).filter(({ result }) => result)).toEqual([
      { actor_id: userId('U1'), result: `owner ${userId('U1')} to ${userId('GA')}; editors [${userId('U1')}]` },
      { actor_id: userId('A2'), result: `owner null to ${userId('SA')}` },
      { actor_id: userId('SA'), result: `owner ${userId('SA')} to ${userId('U1')}; editors []` },
    ]);
  });

  it('T-023 fields that are not declared are refused, and change nothing', async () => {
    const id = await made('U1');
    const extras = { owner: 'SA', owner_id: userId('SA'), held: true, number: 1, classification: 5, deleted_time: 1 };
    for (const [name, value] of Object.entries(extras)) {
      expect((await change('U1', id, { [name]: value })).status, name).toBe(400);
      expect((await add('U1', id, [{ kind: 'note', title: 'n', text: '', [name]: value }])).status, name).toBe(400);
    }
    expect((await read('U1', id)).body).toMatchObject({ owner: 'U1', held: false, revision: 1, parts: 0 });
  });

  it('T-031 is lost within a second with the audience, a usergroup and the clearance', async () => {
    const id = await made('SA', { usergroups: [groups.G1, groups.G2] });
    const narrow = () => change('SA', id, { usergroups: [groups.G1] });
    expect(await lostWithin('U2', id, narrow)).toBeLessThan(1000);
    const leave = () => db.deleteFrom('user_usergroups').where('user_id', '=', userId('U1')).execute();
    expect((await read('U1', id)).status).toBe(200);
    try {
      expect(await lostWithin('U1', id, leave)).toBeLessThan(1000);
      expect((await read('U1', id)).status).toBe(404);
      await change('SA', id, { securityClassification: 'RESTRICTED' });
      const fall = () =>
        db
          .updateTable('users')
          .set((eb) => ({ clearance: 1, epoch: eb('epoch', '+', 1) }))
          .where('id', '=', userId('GA'))
          .execute();
      expect(await lostWithin('GA', id, fall)).toBeLessThan(1000);
    } finally {
      await db.updateTable('users').set({ clearance: 3 }).where('id', '=', userId('GA')).execute();
      const links = [groups.Demo, groups.G1].map((usergroup_id) => ({ user_id: userId('U1'), usergroup_id }));
      await db.insertInto('user_usergroups').values(links).execute();
    }
  });
});

describe('what becomes of a case', () => {
  it('whose part goes: it shows the title while it lies in the bin, and that it is gone after that', async () => {
    const missionId = await mission({ audience: 'groups', name: 'Gone' });
    await db.insertInto('mission_usergroups').values({ mission_id: missionId, usergroup_id: groups.G1 }).execute();
    const id = await made('SA', { usergroups: [groups.G1, groups.G2] });
    const sensorId = await addSensor(db, missionId, { state: 'Ready' });
    const expected = [
      { kind: 'bookmark', bookmarkId: await addBookmark(db, missionId, { last_time: 7 }) },
      { kind: 'clip', clipId: await addClip(db, missionId) },
      {
        kind: 'annotation',
        annotationId: await addAnnotation(db, { mission_id: missionId, audience: 'groups' }, [groups.G1]),
      },
      { kind: 'track', sensorId, startTime: 3, endTime: 4, title: 'way' },
      { kind: 'document', documentId: await addDocument(db, { audience: 'groups' }, [groups.G1]) },
    ];
    await add('SA', id, expected);
    const seen = async (who: Subject) =>
      (await parts(who, id)).map(({ kind, title, state, startTime, missionName }) => [
        ...[kind, title, state, startTime, missionName],
      ]);
    await db.updateTable('missions').set({ deleted_time: 1 }).execute();
    await db.updateTable('documents').set({ deleted_time: 1 }).execute();
    expect(await seen('U1')).toEqual([
      ['bookmark', 'bookmark', 'inBin', 7, null],
      ['clip', 'clip', 'inBin', 1_000_000, null],
      ['annotation', 'annotation', 'inBin', null, null],
      ['track', 'way', 'inBin', 3, null],
      ['document', 'document', 'inBin', null, null],
    ]);
    expect(await seen('U2')).toEqual([]);

    await db.deleteFrom('missions').execute();
    await db.deleteFrom('documents').execute();
    expect(await seen('U1')).toEqual([
      ['bookmark', 'bookmark', 'gone', 7, null],
      ['clip', 'clip', 'gone', 1_000_000, null],
      ['annotation', 'annotation', 'gone', null, null],
      ['track', 'way', 'gone', 3, null],
      ['document', 'document', 'gone', null, null],
    ]);
    for (const who of subjectNames.filter((name) => !['SA', 'A2', 'GA', 'U1'].includes(name))) {
      expect(await shownTo(who, id).catch(() => [])).toEqual([]);
    }
    expect((await read('U2', id)).body.parts).toBe(0);
  });

  it('whose bookmark alone is deleted: its rights go by the mission still', async () => {
    const missionId = await mission();
    const id = await made('U1');
    const bookmarkId = await addBookmark(db, missionId, { title: 'mast' });
    await add('U1', id, [{ kind: 'bookmark', bookmarkId }]);
    await db.deleteFrom('bookmarks').execute();
    expect(await parts('U1', id)).toMatchObject([{ title: 'mast', state: 'gone', subjectId: null }]);
    await db.updateTable('missions').set({ classification: 3 }).execute();
    expect(await labelOf(id)).toBe('CONFIDENTIAL');
    await db.updateTable('missions').set({ audience: 'groups' }).execute();
    expect(await parts('U1', id)).toEqual([]);
  });

  it('whose usergroup is deleted: nobody reads it any more but who repairs', async () => {
    const { id: usergroup_id } = await db
      .insertInto('usergroups')
      .values({ name: 'Passing', classification: 5, created: 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('user_usergroups')
      .values({ user_id: userId('U2'), usergroup_id })
      .execute();
    const id = await made('SA', { usergroups: [usergroup_id] });
    expect((await read('U2', id)).status).toBe(200);
    const only = await asUser('SA').inject({ url: '/api/usergroups/only?usergroups=Passing' });
    expect(only.json()).toMatchObject({ items: [{ name: 'Case' }], hidden: false });
    await lostWithin('U2', id, () => db.deleteFrom('usergroups').where('id', '=', usergroup_id).execute());
    expect((await read('U2', id)).status).toBe(404);
    expect((await read('SA', id)).body).toMatchObject({ audience: 'groups', usergroups: [] });
  });

  it('whose owner is deleted: admins go on with it', async () => {
    const id = await made('GA');
    const at = { deleted_time: 1 };
    await db.updateTable('users').set(at).where('id', '=', userId('GA')).execute();
    try {
      expect((await read('U1', id)).body).toMatchObject({ owner: 'GA', ownerId: null });
      expect((await change('SA', id, { name: 'Taken over' })).body.name).toBe('Taken over');
    } finally {
      await db.updateTable('users').set({ deleted_time: null }).where('id', '=', userId('GA')).execute();
    }
  });

  it('that is thrown away: it lies in the bin for 30 days, and comes back as it was', async () => {
    const id = await made('U1', { name: 'Thrown' });
    await add('U1', id, [{ kind: 'note', title: 'n', text: '' }]);
    await ask('U1', 'POST', `/${id}/comments`, { text: 'seen' });
    expect((await ask('U1', 'DELETE', '', { cases: [id, crypto.randomUUID()] })).status).toBe(404);
    const thrown = await ask<{ message: string }>('U1', 'DELETE', '', { cases: [id] });
    expect(thrown.body.message).toBe('Case Thrown deleted.');
    expect((await read('SA', id)).status).toBe(404);
    expect(await list('SA')).toEqual([]);
    expect((await ask<object[]>('A2', 'GET', '/bin')).body).toMatchObject([
      { _id: id, deletedTime: expect.any(Number) },
    ]);
    expect((await ask('U1', 'GET', '/bin')).status).toBe(403);
    expect((await ask('GA', 'POST', '/restore', { cases: [id] })).status).toBe(404);
    expect((await ask('U1', 'POST', '/restore', { cases: [id] })).status).toBe(200);
    expect((await read('U1', id)).body).toMatchObject({ parts: 1, comments: 1, deletedTime: null });
    expect(await comments('U1', id)).toHaveLength(1);
  });
});
