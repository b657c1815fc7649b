import type { Actor, AuditRow, AuditVerification } from '@osprey/contract';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { addDocument } from '../../../test/documents.ts';
import { addMission, addSensor } from '../../../test/missions.ts';
import { addPlatform, sensorsOf } from '../../../test/platforms.ts';
import { type Subject, testServer } from '../../../test/server.ts';
import { chained, GENESIS } from '../../base/audit/chain.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import { chainVerifier } from '../../base/audit/verify.ts';
import { auditViews } from '../../base/audit/views.ts';
import type { AuditEntry, ChainedRow } from '../../base/db/audit-rows.ts';
import { exportLine } from './export.ts';

const server = await testServer();
const { db, groups, asUser, userId } = server;

const entry = (fields: Partial<AuditEntry>): AuditEntry => ({
  time: 1,
  monotonic: 1,
  actor_id: null,
  role: null,
  clearance: null,
  session: null,
  address: '127.0.0.1',
  action: 'mission.read',
  item_id: null,
  item_label: null,
  groups: null,
  decision: 'allowed',
  via: null,
  result: null,
  reason: null,
  ...fields,
});

/** A chain of its own; the times are old, so that rows of the requests come before them in each answer. */
async function addChain(node: string, entries: AuditEntry[]): Promise<ChainedRow[]> {
  const rows = chained(node, { seq: 0, hash: GENESIS }, entries);
  await db.insertInto('audit').values(rows).execute();
  return rows;
}

const get = async <T>(by: Subject, path: string) => {
  const answer = await asUser(by).inject({ method: 'GET', url: `/api/audit${path}` });
  expect(answer.statusCode, answer.body).toBe(200);
  return { headers: answer.headers, body: answer.body, json: () => answer.json() as T };
};

const seqs = async (by: Subject, query: string) =>
  (await get<AuditRow[]>(by, `?${query}`)).json().flatMap(({ node, seq }) => (node === 'old' ? seq : []));

const item = crypto.randomUUID();

beforeAll(async () => {
  await addChain('old', [
    entry({ time: 10, item_id: item, item_label: 1 }),
    entry({ time: 20, item_id: item, item_label: 3, actor_id: userId('U1') }),
    entry({ time: 30, action: 'login', decision: 'refused', result: '=cmd()' }),
    entry({ time: 40, item_id: crypto.randomUUID(), item_label: 5, actor_id: userId('U2'), groups: [groups.G2] }),
    entry({ time: 50, action: 'user.update', item_id: userId('U0'), actor_id: userId('A2') }),
  ]);
});

describe('GET audit', () => {
  it('answers newest first, in pages that meet without gap or repeat, with the number of all', async () => {
    const first = await get<AuditRow[]>('SA', '?end=1000&limit=2&count=1');
    const second = await get<AuditRow[]>('SA', `?end=1000&limit=2&after=${first.headers['x-next-after']}`);
    const third = await get<AuditRow[]>('SA', `?end=1000&limit=2&after=${second.headers['x-next-after']}`);

    expect(first.headers['x-total-count']).toBe('5');
    expect([first, second, third].flatMap((page) => page.json().map(({ seq }) => seq))).toEqual([5, 4, 3, 2, 1]);
    expect(third.headers['x-next-after']).toBeUndefined();
  });

  it('filters by time, actor, action, item and outcome', async () => {
    expect(await seqs('SA', 'start=20&end=30')).toEqual([3, 2]);
    expect(await seqs('SA', `actor=${userId('U1')}`)).toEqual([2]);
    expect(await seqs('SA', 'actor=u1')).toEqual([2]);
    expect(await seqs('SA', 'actor=nobody')).toEqual([]);
    expect(await seqs('SA', 'actions=login,user.update')).toEqual([5, 3]);
    expect(await seqs('SA', 'actions=login')).toEqual([3]);
    expect(await seqs('SA', `item=${item}`)).toEqual([2, 1]);
    expect(await seqs('SA', 'item=U0')).toEqual([5]);
    expect(await seqs('SA', 'outcome=refused')).toEqual([3]);
  });

  it('shows an admin below system-high what is labelled up to their own clearance alone', async () => {
    const count = await get<AuditRow[]>('A2', '?end=1000&count=1&limit=2');
    const next = await get<AuditRow[]>('A2', `?end=1000&limit=2&after=${count.headers['x-next-after']}`);

    expect([...count.json(), ...next.json()].map(({ seq }) => seq)).toEqual([5, 3, 1]);
    expect(count.headers['x-total-count']).toBe('3');
    expect(await seqs('A2', `item=${item}`)).toEqual([1]);
  });

  it('shows a row of an earlier version by the label that its item has now, and of one that is gone to who sees all', async () => {
    const [low, high] = await Promise.all(
      [1, 3].map((classification) => addMission(db, { classification, audience: 'everyone', state: 'Ready' })),
    );
    await addChain(
      'older',
      [low!, high!, crypto.randomUUID()].map((item_id) => entry({ time: 70, item_id })),
    );
    const shownTo = async (by: Subject) => (await get<AuditRow[]>(by, '?start=70&end=70')).json().map(({ seq }) => seq);

    expect([await shownTo('SA'), await shownTo('A2')]).toEqual([[3, 2, 1], [1]]);
    await db.updateTable('missions').set({ classification: 2 }).where('id', '=', high!).execute();
    expect(await shownTo('A2')).toEqual([2, 1]);
    expect(await seqs('A2', `item=${low}`)).toEqual([]);
    const ofItem = (await get<AuditRow[]>('A2', `?item=${high}&end=1000`)).json();
    expect(ofItem.map(({ node }) => node)).toEqual(['older']);
    await db.deleteFrom('audit').where('node', '=', 'older').execute();
  });

  it('shows what another admin asked for only to who may know of the item', async () => {
    const hidden = await addMission(db, { classification: 5, audience: 'everyone', state: 'Ready' });
    const gone = crypto.randomUUID();
    for (const id of [hidden, gone, userId('U0')]) await get('SA', `?item=${id}&start=1&end=2`);
    const asked = async (by: Subject) =>
      JSON.stringify((await get<AuditRow[]>(by, '?actions=audit.read&limit=200')).json());

    expect([await asked('SA')].map((text) => [hidden, gone].every((id) => text.includes(id)))).toEqual([true]);
    const seen = await asked('A2');
    expect([hidden, gone].filter((id) => seen.includes(id))).toEqual([]);
    expect(seen).toContain(userId('U0'));
  });

  it('names missions only to those who see them now', async () => {
    const hidden = await addMission(db, { name: 'Night watch', audience: 'groups', state: 'Ready' });
    await db.insertInto('mission_usergroups').values({ mission_id: hidden, usergroup_id: groups.G2 }).execute();
    await addChain('names', [entry({ time: 60, item_id: hidden, item_label: 1, actor_id: userId('U2') })]);
    const rowFor = async (by: Subject) => (await get<AuditRow[]>(by, `?item=${hidden}`)).json()[0]!;

    expect(await rowFor('SA')).toMatchObject({ actor: { username: 'U2' }, item: { name: 'Night watch' } });
    expect(await rowFor('A2')).toMatchObject({ actor: { username: 'U2' }, item: { name: null } });
    expect(await seqs('A2', 'item=Night%20watch')).toEqual([]);
  });

  it('names the sensor of a viewing where the reader sees its mission or platform, and only a sensor of that one', async () => {
    const hidden = await addMission(db, { name: 'Dusk watch', audience: 'groups', state: 'Ready' });
    await db.insertInto('mission_usergroups').values({ mission_id: hidden, usergroup_id: groups.G2 }).execute();
    const own = await addSensor(db, hidden, { name: 'EO' });
    const other = await addSensor(db, await addMission(db, { audience: 'everyone', state: 'Ready' }), { name: 'IR' });
    const platform = await addPlatform(db, { name: 'Osprey 7', usergroups: [groups.G2] });
    const [live] = Object.entries(await sensorsOf(db, platform));
    const watched = (item_id: string, result: string) => entry({ action: 'media.end', item_id, item_label: 1, result });
    await addChain('sensors', [
      watched(hidden, `sensor ${own}; 9 bytes`),
      watched(hidden, `sensor ${other}; 9 bytes`),
      watched(hidden, `sensor ${crypto.randomUUID()}; 9 bytes`),
      watched(platform, `sensor ${live![1]}; 9 bytes`),
    ]);
    const namesFor = async (by: Subject) =>
      (await get<AuditRow[]>(by, '?end=1000&actions=media.end')).json().map(({ sensorName }) => sensorName);

    expect(await namesFor('SA')).toEqual([live![0], null, null, 'EO']);
    expect(await namesFor('A2')).toEqual([null, null, null, null]);
    await db.deleteFrom('audit').where('node', '=', 'sensors').execute();
  });

  it('names documents and live platforms like missions, and finds their rows by these names', async () => {
    const document = await addDocument(db, { title: 'harbour plan', audience: 'groups' }, [groups.G2]);
    const platform = await addPlatform(db, { name: 'Heron', usergroups: [groups.G2] });
    await addChain('items', [
      entry({ time: 1, action: 'document.open', item_id: document }),
      entry({ time: 2, action: 'platform.control', item_id: platform }),
    ]);
    const named = async (by: Subject, query: string) =>
      (await get<AuditRow[]>(by, `?end=1000&${query}`))
        .json()
        .flatMap(({ node, item }) => (node === 'items' ? [item?.name] : []));

    expect(await named('SA', 'limit=500')).toEqual(['Heron', 'harbour plan']);
    expect(await named('SA', 'item=Heron')).toEqual(['Heron']);
    expect(await named('SA', 'item=harbour plan')).toEqual(['harbour plan']);
    expect(await named('A2', 'limit=500')).toEqual([null, null]);
    expect(await named('A2', 'item=Heron')).toEqual([]);
    await db.deleteFrom('audit').where('node', '=', 'items').execute();
  });

  it('knows what a row is about that made something, or changed what has no label', async () => {
    const send = async (method: 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) => {
      const answer = await asUser('SA').inject({ method, url: `/api${url}`, ...(payload ? { payload } : {}) });
      expect(answer.statusCode, answer.body).toBe(200);
      return (answer.json() as { _id: string })._id;
    };
    const itemsOf = async (id: string) =>
      (await get<AuditRow[]>('SA', `?item=${id}`))
        .json()
        .map(({ result }) => result)
        .reverse();

    const mission = await send('POST', '/missions', {
      name: 'Made',
      securityClassification: 'UNCLASSIFIED',
      audience: 'everyone',
      usergroups: [],
    });
    const rule = { usergroup: groups.G1, platform: null, days: 30 };
    const ruleId = await send('POST', '/retention/rules', rule);
    await send('PUT', `/retention/rules/${ruleId}`, rule);
    await send('DELETE', `/retention/rules/${ruleId}`);

    expect(await itemsOf(mission)).toEqual(['POST /missions']);
    expect(await itemsOf(ruleId)).toEqual([
      'POST /retention/rules',
      'PUT /retention/rules/:id',
      'DELETE /retention/rules/:id',
    ]);
  });

  it('lists the actions there are, and is itself part of the trail, without the names that were typed', async () => {
    const before = Date.now() * 1000;
    await seqs('SA', 'actor=Secret%20name&outcome=allowed');

    const [own] = (await get<AuditRow[]>('SA', `?start=${before}&actions=audit.read&actor=SA&limit=500`))
      .json()
      .slice(-1);
    expect(own).toMatchObject({ action: 'audit.read', result: 'GET /audit', actor: { username: 'SA' } });
    expect(own?.reason).toContain('actor=(name) outcome=allowed');
    expect((await get<string[]>('SA', '/actions')).json()).toEqual(
      expect.arrayContaining(['audit.read', 'login', 'mission.read', 'user.update']),
    );
  });

  it('knows a page that stays open by one row, which another filter, account or ten minutes end', async () => {
    const actor = { role: 'admin', clearance: 'SECRET' } as Actor;
    const own = { session: 's', address: '127.0.0.1', actor, result: 'GET /audit', filter: {} };
    let atMs = 0;
    const written: unknown[] = [];
    const views = auditViews(() => atMs);
    const audit = { write: async (note: unknown) => void written.push(note) } as RequestAudit;
    const rowsOf = async (look: object, times = 2) => {
      const before = written.length;
      for (let n = 0; n < times; n += 1) await views.note(audit, { ...own, ...look });
      return written.length - before;
    };

    expect(await rowsOf({})).toBe(1);
    expect(await rowsOf({ filter: { actor: 'U1' } })).toBe(1);
    expect(await rowsOf({ filter: { actor: 'U2' } })).toBe(1);
    expect(await rowsOf({ address: '127.0.0.2' })).toBe(1);
    expect(await rowsOf({ session: 't' })).toBe(1);
    expect(await rowsOf({ actor: { ...actor, clearance: 'RESTRICTED' } })).toBe(1);
    // A Basic header comes with each call: nothing says that they belong together.
    expect(await rowsOf({ session: null })).toBe(2);
    expect(await rowsOf({})).toBe(0);
    atMs = 600_000;
    expect(await rowsOf({})).toBe(1);
    const failing = { write: () => Promise.reject(new Error('full')) } as unknown as RequestAudit;
    await expect(views.note(failing, { ...own, session: 'u' })).rejects.toThrow('full');
    expect(await rowsOf({ session: 'u' })).toBe(1);
  });

  it('leaves one row of the pages that one look reads', async () => {
    const looked = async () =>
      (await get<AuditRow[]>('A2', '?actions=audit.read&actor=A2&limit=500'))
        .json()
        .filter(({ result }) => result === 'GET /audit');
    // The first of these is a look itself.
    await looked();
    const before = (await looked()).length;
    const first = await get<AuditRow[]>('A2', '?end=1002&limit=1&count=1');
    await get<AuditRow[]>('A2', `?end=1002&limit=1&after=${first.headers['x-next-after']}`);
    await get<AuditRow[]>('A2', '?end=1002&limit=1&count=1');
    await get<AuditRow[]>('A2', '?end=1003&limit=1');

    expect(await looked()).toHaveLength(before + 2);
  });

  it('refuses a cursor that is none', async () => {
    const answer = await asUser('SA').inject({ method: 'GET', url: '/api/audit?after=abc' });

    expect(answer.statusCode).toBe(400);
  });
});

describe('GET audit/export', () => {
  it('gives NDJSON that the verification takes, with every row and checkpoint', async () => {
    const { body, headers } = await get('SA', '/export');
    const lines = body
      .trimEnd()
      .split('\n')
      .map((line) => exportLine.parse(JSON.parse(line)));

    expect(headers['content-disposition']).toMatch(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.ndjson"$/);
    expect(lines[0]).toMatchObject({ kind: 'head', whole: true });
    const verifier = chainVerifier({ checkpoints: [], keys: new Map(), isComplete: true });
    const rows = lines.filter((line) => line.kind === 'row');
    for (const row of rows) {
      verifier.row({
        ...row,
        previous_hash: Buffer.from(row.previous_hash, 'hex'),
        hash: Buffer.from(row.hash, 'hex'),
      });
    }
    expect(verifier.end().faults).toEqual([]);
    expect(rows.filter(({ node }) => node === 'old')).toHaveLength(5);
  });

  it('gives CSV in which no cell is a formula', async () => {
    const { body, headers } = await get('SA', '/export?format=csv&outcome=refused&end=1000');
    const lines = body.split('\r\n');

    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(lines[0]).toMatch(/^kind,node,seq,time,/);
    expect(lines[1]).toContain(",refused,,'=cmd(),");
  });

  it('leaves out rows above the caller, and says that it is not the whole', async () => {
    const { body } = await get('A2', '/export?end=1000');
    const lines = body
      .trimEnd()
      .split('\n')
      .map((line) => exportLine.parse(JSON.parse(line)));

    expect(lines[0]).toMatchObject({ whole: false });
    expect(lines.flatMap((line) => (line.kind === 'row' && line.node === 'old' ? line.seq : []))).toEqual([1, 3, 5]);
  });
});

describe('GET audit/verify', () => {
  it('says that all holds, and names the first row of a chain that was changed', async () => {
    const before = (await get<AuditVerification>('SA', '/verify')).json();
    await sql`update audit set result = 'nothing' where node = 'old' and seq = 4`.execute(db);
    const after = (await get<AuditVerification>('A2', '/verify')).json();
    await sql`update audit set result = null where node = 'old' and seq = 4`.execute(db);

    expect(before).toMatchObject({ holds: true, faults: [] });
    expect(after).toMatchObject({ holds: false, faults: [{ node: 'old', seq: 4, kind: 'changed' }] });
  });
});
