import { type AisFrame, type AisTarget, can, readAisFrame, type ShipList, type ShipListRow } from '@osprey/contract';
import { afterEach, expect, it } from 'vitest';
import { addAisSource, addShipList } from '../../../../test/ais.ts';
import { eventSockets, idsOf, until } from '../../../../test/event-sockets.ts';
import { addPlatform } from '../../../../test/platforms.ts';
import { type Subject, subjectNames, testServer } from '../../../../test/server.ts';
import { actorsById } from '../../../base/access/actors.ts';
import { asSystem } from '../../../base/access/as-system.ts';
import { items } from '../../../compose/items.ts';
import { aisHousekeeping } from '../housekeeping.ts';

const server = await testServer();
const { db, groups } = server;
const sockets = eventSockets(server, await server.listen());
afterEach(async () => {
  sockets.closeAll();
  await db.deleteFrom('ship_lists').execute();
});

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
async function ask<Answer>(who: Subject, method: Method, path: string, payload?: object) {
  const answer = await server.asUser(who).inject({ method, url: `/api/${path}`, ...(payload && { payload }) });
  const isJson = String(answer.headers['content-type']).includes('json');
  return { status: answer.statusCode, body: (isJson ? answer.json() : answer.body) as Answer, answer };
}

const [polaris, argo, jet] = [248_113_000, 636_014_221, 239_664_000] as const;
const fields = {
  name: 'Tankers',
  colour: '#FF8800',
  securityClassification: 1,
  ships: [{ mmsi: polaris, note: 'seen' }],
};

async function made(who: Subject, change: object = {}): Promise<ShipListRow> {
  const { status, body } = await ask<ShipListRow>(who, 'POST', 'shiplists', { ...fields, ...change });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}
const names = async (who: Subject) => (await ask<ShipListRow[]>(who, 'GET', 'shiplists')).body.map(({ name }) => name);
const shipsOn = async (who: Subject, id: string) =>
  (await ask<ShipList>(who, 'GET', `shiplists/${id}`)).body.listed.map(({ mmsi }) => mmsi);

/** Two ships heard by an open platform now, and one by a secret one. */
async function addReports(): Promise<void> {
  const time = Date.now() * 1000 - 1e6;
  for (const [classification, ships] of [
    [1, [polaris, argo]],
    [4, [jet]],
  ] as const) {
    const platformId = await addPlatform(db, { classification, audience: 'everyone' });
    const source_id = await addAisSource(db, { platformId });
    for (const mmsi of ships) {
      const place = { lat: 37 * 600_000, lon: 24 * 600_000, sog: 100, cog: 900, heading: 90, turn: null, status: 0 };
      const row = { source_id, mmsi, time, ...place, message_type: 1, fix_type: null, flags: 0 };
      await db.insertInto('ais_last').values(row).execute();
      const size = { to_bow: null, to_stern: null, to_port: null, to_starboard: null, draught: null };
      const said = { imo: null, call_sign: null, ship_type: 80, aid_type: null, destination: null, eta: null };
      await db
        .insertInto('ais_vessels')
        .values({ source_id, mmsi, time, name: `=SHIP ${mmsi}`, ...size, ...said, fix_type: null, is_virtual: null })
        .execute();
    }
  }
}

it('A list without usergroups is read by who made it and the superAdmin alone, one of a usergroup by its members, who may add ships', async () => {
  const own = await made('U1');
  expect(own).toMatchObject({ ships: 1, colour: '#ff8800', own: true, editable: true, deletable: true });
  const shared = await made('U1', { name: 'Harbour', usergroups: [groups.G1] });
  expect([await names('U1'), await names('SA'), await names('A2'), await names('U2')]).toEqual([
    ['Harbour', 'Tankers'],
    ['Harbour', 'Tankers'],
    ['Harbour'],
    [],
  ]);
  const absent = await ask('U2', 'GET', `shiplists/${crypto.randomUUID()}`);
  for (const id of [own._id, shared._id]) {
    const hidden = await ask('U2', 'GET', `shiplists/${id}`);
    expect([hidden.status, hidden.body]).toEqual([404, absent.body]);
  }
  expect((await ask('A2', 'POST', `shiplists/${shared._id}/ships`, { ships: [{ mmsi: argo }] })).body).toEqual({
    message: '1 ship added to Harbour',
    added: 1,
  });
  expect((await ask('GA', 'DELETE', `shiplists/${shared._id}/ships`, { ships: [polaris] })).body).toEqual({
    message: '1 ship removed from Harbour',
  });
  expect(await shipsOn('U1', shared._id)).toEqual([argo]);
  expect((await ask('U1', 'POST', `shiplists/${own._id}/ships`, { ships: [{ mmsi: polaris }] })).body).toMatchObject({
    added: 0,
  });
  expect((await ask<ShipList>('U1', 'GET', `shiplists/${own._id}`)).body.listed).toEqual([
    { mmsi: polaris, mmsiText: String(polaris), note: 'seen' },
  ]);
});

it('The SQL of who reads a list agrees with can() for makers, members and others', async () => {
  for (const owner of ['U1', 'U2', 'GA'] as const) {
    for (const classification of [1, 3, 5]) {
      for (const shared of [[], [groups.G1], [groups.G2]]) {
        await addShipList(
          db,
          { classification, audience: 'groups', owner_id: server.userId(owner) },
          { groups: shared },
        );
      }
      await addShipList(db, { classification, owner_id: server.userId(owner) });
    }
  }
  const ids = (await asSystem(db, 'events').selectFrom('ship_lists').select('id').execute()).map(({ id }) => id);
  const facts = [...(await items.factsById(db, ids)).values()];
  expect(facts).toHaveLength(36);
  for (const who of subjectNames) {
    const { actor } = (await actorsById(db, [server.userId(who)])).get(server.userId(who))!;
    const seen = await items.visible('shiplist', db, actor).select('ship_lists.id').execute();
    const allowed = facts.filter((one) => can(actor, 'shiplist.read', one).allowed);
    expect(new Set(seen.map(({ id }) => id)), who).toEqual(new Set(allowed.map(({ id }) => id)));
  }
});

it('The table, the map and an export show the ships of a list alone, and a list that is hidden is as absent', async () => {
  await addReports();
  const { _id } = await made('U1', { ships: [{ mmsi: argo }, { mmsi: jet }] });
  const rows = await ask<AisTarget[]>('U1', 'GET', `aistargets?list=${_id}&count=1`);
  // U1 may not hear the secret platform.
  expect([rows.body.map(({ mmsi }) => mmsi), rows.answer.headers['x-total-count']]).toEqual([[argo], '1']);
  expect((await ask<string>('U1', 'GET', `aistargets/export?list=${_id}`)).body.split('\r\n')).toHaveLength(3);
  const area = 'west=20&south=30&east=30&north=40';
  const frameOf = async (query: string) => {
    const { rawPayload } = await server.asUser('U1').inject({ method: 'GET', url: `/api/aistargets/frame?${query}` });
    return (readAisFrame(rawPayload) as AisFrame).ships.map(({ mmsi }) => mmsi);
  };
  // Rows of a test are not in the memory of the intake: the past is read from the database.
  expect(await frameOf(`${area}&list=${_id}&time=${Date.now() * 1000}`)).toEqual([]);
  for (const path of ['aistargets?', 'aistargets/export?', `aistargets/frame?${area}&`]) {
    expect((await ask('U2', 'GET', `${path}list=${_id}`)).status, path).toBe(404);
  }
});

it('CSV has the names that the caller may hear, as text, and the label of what is in it', async () => {
  await addReports();
  const ships = [{ mmsi: polaris, note: '+1 crew, "late"' }, { mmsi: jet }];
  const { _id } = await made('U1', { ships, usergroups: [groups.G1, groups.G2].slice(0, 1) });
  const low = await ask<string>('U1', 'GET', `shiplists/${_id}/csv`);
  expect(low.body.split('\r\n')).toEqual([
    '\ufeffmmsi,name,note',
    `${jet},,`,
    `${polaris},'=SHIP ${polaris},"'+1 crew, ""late"""`,
    '',
  ]);
  expect(low.answer.headers['content-disposition']).toMatch(/^attachment; filename="ships_[\d-]+\.csv"$/);
  const high = await ask<string>('SA', 'GET', `shiplists/${_id}/csv`);
  expect(high.body).toContain(`${jet},'=SHIP ${jet},`);
  expect(high.answer.headers['content-disposition']).toContain('_SECRET.csv');
});

it('Its maker changes name and colour; to share it with more people needs an admin and a reason', async () => {
  const { _id, revision } = await made('U1');
  const change = (who: Subject, body: object) => ask<ShipListRow>(who, 'PUT', `shiplists/${_id}`, body);
  expect((await change('U1', { name: 'New', colour: null, revision })).body).toMatchObject({
    ...{ name: 'New', colour: null, revision: 2 },
  });
  expect((await change('U1', { name: 'Again', revision })).status).toBe(409);
  expect((await change('U1', { usergroups: [groups.G1], revision: 2 })).status).toBe(403);
  expect((await change('SA', { usergroups: [groups.G1], revision: 2 })).body).toMatchObject({ code: 'reasonNeeded' });
  const reason = 'the watch needs it';
  expect((await change('SA', { usergroups: [groups.G1], revision: 2, reason })).status).toBe(200);
  expect((await change('A2', { name: 'Theirs', revision: 3 })).status).toBe(200);
  const audited = await db
    .selectFrom('audit')
    .where('action', '=', 'shiplist.update')
    .where('item_id', '=', _id)
    .where('decision', '=', 'allowed')
    .orderBy('seq')
    .select(['result', 'reason'])
    .execute();
  expect(audited).toEqual([
    { result: 'fields', reason: null },
    { result: expect.stringContaining('audience groups [] -> groups ['), reason },
    { result: 'fields', reason: null },
  ]);
});

it('What is no list is refused with what to do: 2,000 ships, a wrong number, the account above its limit, guests', async () => {
  const { _id } = await made('U1');
  const many = Array.from({ length: 2000 }, (_, n) => ({ mmsi: n + 1 }));
  const full = await ask('U1', 'POST', `shiplists/${_id}/ships`, { ships: many });
  expect([full.status, full.body]).toEqual([
    422,
    expect.objectContaining({ values: { reason: 'A list has at most 2000 ships. Make another one.' } }),
  ]);
  expect(await shipsOn('U1', _id)).toEqual([polaris]);
  for (const mmsi of [0, -1, 1_000_000_000, 1.5, '1']) {
    expect((await ask('U1', 'POST', `shiplists/${_id}/ships`, { ships: [{ mmsi }] })).status, String(mmsi)).toBe(400);
  }
  expect((await ask('U1', 'POST', 'shiplists', { ...fields, colour: 'url(x)' })).status).toBe(400);
  expect((await ask('U1', 'POST', 'shiplists', { ...fields, securityClassification: 4 })).status).toBe(403);
  expect((await ask('guest', 'POST', 'shiplists', fields)).status).toBe(403);
  for (let n = 1; n < 100; n += 1) await addShipList(db, { owner_id: server.userId('U1') });
  expect((await ask('U1', 'POST', 'shiplists', fields)).body).toMatchObject({ code: 'ruleRefused' });
});

it('Its change and deletion reach open pages of its readers, for a private list its maker alone', async () => {
  // U1 and GA share G1 and the clearance CONFIDENTIAL, and still GA must not hear of U1's private list. SA hears of it
  // by its role.
  const [maker, other, shown] = [
    await sockets.connected('U1'),
    await sockets.connected('GA'),
    await sockets.connected('SA'),
  ];
  const { _id } = await made('U1');
  await until(() => idsOf(maker, 'shiplists').includes(_id) && idsOf(shown, 'shiplists').includes(_id));
  expect(idsOf(other, 'shiplists')).toEqual([]);
  expect((await ask('U1', 'DELETE', `shiplists/${_id}`)).body).toEqual({ message: 'Ship list Tankers deleted' });
  const revoked = () => maker.named('revoked').flatMap(({ payload }) => (payload as { ids: string[] }).ids);
  await until(() => revoked().includes(_id));
  expect(await names('U1')).toEqual([]);

  const { tidy, close } = aisHousekeeping({
    ...{ db, keepDays: 30, log: console, nowUs: () => (Date.now() + 2 * 86_400_000) * 1000 },
  });
  await tidy();
  await close();
  expect(await asSystem(db, 'events').selectFrom('ship_lists').selectAll().execute()).toEqual([]);
});

it('With an account its own lists go, and shared ones stay; without its usergroup a list is its maker’s alone', async () => {
  const user = await db
    .insertInto('users')
    .values({
      ...{ username: 'leaver', username_key: 'leaver', role: 'user', clearance: 1, registered: 0 },
      ...{ password_hash: null, last_access: null, deleted_time: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: club } = await db
    .insertInto('usergroups')
    .values({ name: 'Club', classification: 3, created: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const of = { owner_id: user.id, audience: 'groups' as const };
  await addShipList(db, { ...of, name: 'Alone' });
  await addShipList(db, { ...of, name: 'Shared' }, { groups: [groups.G1] });
  await addShipList(
    db,
    { name: 'Club', audience: 'groups', owner_id: server.userId('U1') },
    { groups: [club], ships: [argo] },
  );
  await db.updateTable('users').set({ deleted_time: 1 }).where('id', '=', user.id).execute();
  await db.deleteFrom('usergroups').where('id', '=', club).execute();
  expect([await names('SA'), await names('U1'), await names('A2')]).toEqual([
    ['Club', 'Shared'],
    ['Club', 'Shared'],
    ['Shared'],
  ]);
});
