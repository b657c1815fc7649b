import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { can, classificationOf, type Mission, missionSorts } from '@osprey/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { addMission, addSensor } from '../../../test/missions.ts';
import { askAs } from '../../../test/recordings.ts';
import { type Subject, subjectNames, testServer } from '../../../test/server.ts';

const server = await testServer();
const { db } = server;
const groups: Record<string, string> = server.groups;
const ask = (who: Subject) => askAs(server, who);

/** Factor of the limits: `npm run soak` has the machine for itself. */
const slack = process.env.OSPREY_FIGURES ? 1 : 3;
const TIMED_PAIRS = Number(process.env.OSPREY_TIMED_PAIRS ?? 50);

type Row = Parameters<typeof addMission>[1];

/** A mission that is no draft, shared with these groups, or with everyone where none are named. */
async function shared(name: string, classification: number, names: readonly string[] | 'everyone', more: Row = {}) {
  const audience = names === 'everyone' ? 'everyone' : 'groups';
  const id = await addMission(db, { name, classification, audience, state: 'Ready', ...more });
  if (names === 'everyone') return id;
  for (const group of names) {
    const usergroup_id = groups[group]!;
    await db.insertInto('mission_usergroups').values({ mission_id: id, usergroup_id }).execute();
  }
  return id;
}

/** M1..M4 and MX of the acceptance checks. */
async function fiveMissions() {
  return {
    M1: await shared('M1', 1, ['Demo']),
    M2: await shared('M2', 3, ['G1']),
    M3: await shared('M3', 4, ['G2']),
    M4: await shared('M4', 1, 'everyone'),
    MX: await shared('MX', 5, [], { marked: false }),
  };
}

async function namesSeenBy(who: Subject, query = ''): Promise<string[]> {
  const { body } = await ask(who).get<Mission[]>(`/api/missions/brief${query}`);
  return body.map(({ name }) => name).sort();
}

beforeEach(async () => {
  await db.deleteFrom('missions').execute();
});

describe('who sees what', () => {
  it('T-028 lists exactly what each subject may see', async () => {
    await fiveMissions();

    const seen = Object.fromEntries(
      await Promise.all(subjectNames.map(async (who) => [who, await namesSeenBy(who)] as const)),
    );

    expect(seen).toEqual({
      SA: ['M1', 'M2', 'M3', 'M4', 'MX'],
      A2: ['M1', 'M4'],
      GA: ['M1', 'M2', 'M4'],
      U1: ['M1', 'M2', 'M4'],
      U2: ['M1', 'M3', 'M4'],
      U0: ['M1', 'M4'],
      guest: ['M1'],
    });
  });

  it('T-029 answers for a hidden mission as for one that never was, by id and by name', async () => {
    const { M2 } = await fiveMissions();
    const never = crypto.randomUUID();
    const body = { missions: [''] };
    const calls = (ref: string, name: string) => [
      ask('A2').get(`/api/missions/${ref}`),
      ask('A2').get(`/api/missions/area/${ref}`),
      ask('A2').get(`/api/sensors?missionIdOrName=${ref}`),
      ask('A2').get(`/api/sensors/timeline/${ref}/EO%2FIR`),
      ask('A2').put('/api/missions', { name, rating: 1 }),
      ask('A2').put('/api/missions', { ...(ref.length === 36 && { _id: ref }), name, rating: 1 }),
      ask('A2').put('/api/missions', { ...(ref.length === 36 && { _id: ref }), name, usergroups: [groups.G1] }),
      ask('A2').post('/api/missions/export', { missions: [ref] }),
      ask('A2').post('/api/missions/export', { missions: [ref], async: true }),
      ask('A2').get(`/api/sensors/exportVideo/${ref}/EO%2FIR?markIn=0&markOut=1`),
      ask('A2').post('/api/missions/exportList', { missions: [ref] }),
      ask('A2').delete('/api/missions', { ...body, missions: [ref] }),
      ask('A2').post('/api/missions/restore', { missions: [ref.length === 36 ? ref : never] }),
    ];

    for (const [hidden, absent] of [
      [M2, never],
      ['M2', 'M2000'],
    ] as const) {
      const reported = await Promise.all(calls(hidden, 'M2'));
      const requested = await Promise.all(calls(absent, 'M2000'));
      expect(reported.map(({ status }) => status)).toEqual(reported.map(() => 404));
      expect(reported.map(({ raw }) => raw.toString())).toEqual(requested.map(({ raw }) => raw.toString()));
      const plain = ({ headers: { date, 'x-request-id': request, ...headers } }: (typeof reported)[number]) => headers;
      expect(reported.map(plain)).toEqual(requested.map(plain));
    }
  });

  it('T-030 takes as long for hidden ids as for random ones', async () => {
    const { M2 } = await fiveMissions();
    const times: Record<'hidden' | 'random', number[]> = { hidden: [], random: [] };

    for (let pair = 0; pair < 10 + TIMED_PAIRS; pair += 1) {
      for (const kind of pair % 2 === 0 ? (['hidden', 'random'] as const) : (['random', 'hidden'] as const)) {
        const begun = performance.now();
        await ask('A2').get(`/api/missions/${kind === 'hidden' ? M2 : crypto.randomUUID()}`);
        if (pair >= 10) times[kind].push(performance.now() - begun);
      }
    }

    expect(Math.abs(median(times.hidden) - median(times.random))).toBeLessThan(slack * 5);
  });

  it('T-025 deletes nothing when one of several is hidden', async () => {
    const { M1, M2 } = await fiveMissions();

    const hidden = await ask('A2').delete('/api/missions', { missions: ['M1', 'M2'] });
    const absent = await ask('A2').delete('/api/missions', { missions: ['M1', 'never'] });

    expect(hidden.status).toBe(404);
    expect(hidden.raw.toString()).toBe(absent.raw.toString());
    const stored = await db.selectFrom('missions').select('deleted_time').where('id', 'in', [M1, M2]).execute();
    expect(stored.map((row) => row.deleted_time)).toEqual([null, null]);
  });

  it('T-027 agrees with the pure rule for every role, label and sharing', async () => {
    const sharings = ['everyone', [], ['G1'], ['G2'], ['G1', 'G2'], ['Demo']] as const;
    for (const classification of [1, 2, 3, 4, 5]) {
      for (const [index, sharing] of sharings.entries()) {
        for (const state of ['Created', 'Ready']) {
          await shared(`m${classification}${index}${state}`, classification, sharing, { state });
        }
      }
    }
    const rows = await db
      .selectFrom('missions')
      .leftJoin('mission_usergroups as link', 'link.mission_id', 'missions.id')
      .select(['name', 'classification', 'audience', 'state', 'usergroup_id'])
      .execute();
    const names = [...new Set(rows.map(({ name }) => name))];

    for (const who of subjectNames) {
      const actor = await actorOf(who);
      const allowed = names.filter((name) => {
        const own = rows.filter((row) => row.name === name);
        const [first] = own;
        return can(actor, 'mission.read', {
          securityClassification: classificationOf(first!.classification),
          audience: first!.audience,
          usergroups: own.flatMap((row) => row.usergroup_id ?? []),
          draft: first!.state === 'Created',
        }).allowed;
      });
      expect(await namesSeenBy(who), who).toEqual(allowed.sort());
    }
  });

  it('gives sensors of missions in state Created to those who may manage them alone', async () => {
    const id = await shared('drafted', 1, ['G1'], { state: 'Created' });
    await addSensor(db, id, { state: 'Created' });
    const sensorsFor = async (who: Subject) => {
      const { status, body } = await ask(who).get<Mission>(`/api/missions/${id}`);
      return status === 200 ? body.sensors?.map(({ state }) => state) : status;
    };

    expect(await sensorsFor('SA')).toEqual(['Created']);
    expect([await sensorsFor('U1'), await sensorsFor('guest')]).toEqual([404, 404]); // S1-086
    expect(await namesSeenBy('U1')).toEqual([]);
  });

  it('T-043 counts, pages and tags do not reveal hidden missions', async () => {
    const visible = ['a', 'b', 'c'];
    for (const [at, name] of visible.entries()) {
      const places = {
        creation_time: at * 100,
        start_time: at * 100,
        end_time: at * 100 + 50,
        rating: 2 * at,
        views: 2 * at,
      };
      await shared(name, 1, ['G1', 'G2'], { tags: ['open'], country_code: 'GR', ...places });
    }
    for (let n = 0; n < 50; n += 1) {
      const places = { creation_time: n * 5, start_time: n * 5, end_time: n * 5 + 50, rating: n % 5, views: n % 5 };
      await shared(`${visible[n % 3]}${n}`, 3, ['G1'], { tags: ['hidden'], country_code: 'FR', ...places });
    }

    const seen = async (who: Subject) => {
      const page = await ask(who).get<Mission[]>('/api/missions/brief?limit=2&count=1&sort=name');
      return {
        count: page.headers['x-total-count'],
        names: page.body.map(({ name }) => name),
        hasMore: page.headers['x-next-after'] !== undefined,
        tags: (await ask(who).get('/api/tags')).body,
        countries: (await ask(who).get('/api/countryCodes?used=1')).body,
      };
    };

    // Missions that U2 does not see are between its own, in every order.
    const pages = async () => {
      const all: unknown[] = [];
      for (const sort of missionSorts.flatMap((key) => [key, `-${key}`])) {
        let after = '';
        do {
          const page = await ask('U2').get<Mission[]>(`/api/missions/brief?limit=2&count=1&sort=${sort}${after}`);
          const next = page.headers['x-next-after'];
          all.push([sort, page.body.map((row) => ({ ...row, accessToken: '' })), page.headers['x-total-count'], next]);
          after = next === undefined ? '' : `&after=${String(next)}`;
        } while (after !== '');
      }
      return all;
    };
    const beside = await pages();

    // U2 is in G2 alone: its three are all there is for it.
    expect(await seen('U2')).toEqual({
      count: '3',
      names: ['a', 'b'],
      hasMore: true,
      tags: ['open'],
      countries: [expect.objectContaining({ code: 'GR' })],
    });
    await db.deleteFrom('missions').where('country_code', '=', 'FR').execute();
    expect(beside).toEqual(await pages());
  });
});

describe('creating', () => {
  const post = (who: Subject, body: object) => ask(who).post<Mission>('/api/missions', body);
  const open = () => ({ securityClassification: 'UNCLASSIFIED', usergroups: [groups.Demo] });

  it('gives the defaults of the specification and one sensor', async () => {
    const { status, body } = await post('SA', { name: 'Alpha', ...open() });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'Alpha',
      state: 'Created',
      marked: true,
      platform: { name: '-', type: 'Plane', presentation: { color: '#004dcf' } },
      sensors: [{ name: 'EO/IR', type: 'video', state: 'Created' }],
      revision: 1,
    });
  });

  it('refuses a taken name, also when eight ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('SA', { name: 'Alpha', ...open() })));

    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(7).fill(409)]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'missionNameTaken',
      text: 'Mission name Alpha already exists',
    });
  });

  it('T-044 does not betray a hidden name, and asks for the id where two are seen', async () => {
    await shared('ALPHA', 4, ['G2']);

    expect((await post('A2', { name: 'ALPHA', ...open() })).status).toBe(200);

    const ambiguous = await ask('SA').delete('/api/missions', { missions: ['ALPHA'] });
    expect(ambiguous).toMatchObject({ status: 409, body: { code: 'missionNameAmbiguous' } });
    expect((await ask('SA').get<Mission>('/api/missions/ALPHA')).body.securityClassification).toBe('UNCLASSIFIED');
  });

  it('T-037 keeps an unmarked mission at system-high, without an audience unless named; other labels are refused', async () => {
    const unmarked = await post('SA', { name: 'X' });

    expect(unmarked.body).toMatchObject({
      securityClassification: 'TOP SECRET',
      marked: false,
      audience: 'groups',
      usergroups: [],
    });
    for (const label of [0, 6, 'SECRET ', null]) {
      expect((await post('SA', { name: 'Y', securityClassification: label })).status).toBe(400);
    }
  });

  it('T-024 takes or refuses odd names, and opens nothing outside its folder', async () => {
    const odd = ['..', 'a/b', '%2e%2e%2f', 'a\0b', 'x'.repeat(300), 'CON', '🛰️', '-i', 'a b', ''];

    for (const name of odd) {
      const created = await post('SA', { name, ...open() });
      expect([200, 400]).toContain(created.status);
      const address = encodeURIComponent(name === '' ? 'nothing' : name);
      const read = await ask('SA').get(`/api/missions/${address}`);
      expect([200, 400, 404]).toContain(read.status);
      const picture = await ask('SA').get(`/api/videos/${address}/${encodeURIComponent('../../x')}.jpg`);
      expect([400, 404]).toContain(picture.status);
      if (created.status === 200) {
        expect((await ask('SA').delete('/api/missions', { missions: [created.body._id] })).status).toBe(200);
      }
    }
    const outside = await readdir(join(server.dataDir, '..'));
    expect(outside.filter((name) => odd.includes(name) && name !== '')).toEqual([]);
    await expect(access(join(server.dataDir, 'x.jpg'))).rejects.toThrow();
  });

  it.each([
    ['a user', 'U1', {}, 403],
    ['an admin who asks for more than their clearance', 'A2', { securityClassification: 'SECRET' }, 403],
    ['a group below the label', 'SA', { securityClassification: 'SECRET', usergroups: 'G1' }, 422],
    ['a group that is unknown', 'SA', { usergroups: [crypto.randomUUID()] }, 422],
    ['a mission its maker could not see', 'A2', { usergroups: 'G2' }, 422],
    ['two sensors of one name', 'SA', { sensors: [{ name: 'A' }, { name: 'A' }] }, 409],
  ] as const)('refuses %s and stores nothing', async (_what, who, requested, status) => {
    const usergroups =
      'usergroups' in requested && typeof requested.usergroups === 'string'
        ? { usergroups: [groups[requested.usergroups]] }
        : {};

    const answer = await post(who, { name: 'Alpha', ...open(), ...requested, ...usergroups });

    expect(answer.status).toBe(status);
    expect(await db.selectFrom('missions').select('id').execute()).toEqual([]);
  });
});

describe('changing', () => {
  const put = (who: Subject, body: object) => ask(who).put<Mission>('/api/missions', body);

  it('T-026 refuses a change made on an old version', async () => {
    const id = await shared('Alpha', 1, 'everyone');

    const first = await put('SA', { _id: id, name: 'Alpha', revision: 1, rating: 3 });
    const second = await put('SA', { _id: id, name: 'Alpha', revision: 1, description: 'late' });

    expect(first).toMatchObject({ status: 200, body: { rating: 3, revision: 2 } });
    expect(second).toMatchObject({ status: 409, body: { code: 'revisionConflict' } });
    expect((await ask('SA').get<Mission>(`/api/missions/${id}`)).body).toMatchObject({ rating: 3, description: '' });
  });

  it('T-040 lowers a label only by a cleared admin with a reason, and notes it', async () => {
    const id = await shared('Alpha', 3, ['G1']);
    const lower = { _id: id, name: 'Alpha', securityClassification: 'RESTRICTED' };

    expect((await put('U1', lower)).status).toBe(403);
    expect((await put('GA', { ...lower, reason: 'wrongly marked' })).status).toBe(403);
    expect((await put('A2', { ...lower, reason: 'wrongly marked' })).status).toBe(404);
    expect((await put('SA', { ...lower, reason: 'short' })).body).toMatchObject({ code: 'reasonNeeded' });
    expect((await put('SA', { ...lower, reason: 'wrongly marked' })).body).toMatchObject({
      securityClassification: 'RESTRICTED',
    });

    const row = await db
      .selectFrom('audit')
      .select(['reason', 'result'])
      .where('action', '=', 'mission.update')
      .where('item_id', '=', id)
      .where('decision', '=', 'allowed')
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ reason: 'wrongly marked', result: 'label CONFIDENTIAL -> RESTRICTED' });
  });

  it('T-041 never opens a mission by taking its groups away', async () => {
    const id = await shared('M2', 3, ['G1']);

    expect((await put('GA', { _id: id, name: 'M2', usergroups: [] })).status).toBe(422);
    expect((await put('SA', { _id: id, name: 'M2', usergroups: [crypto.randomUUID()] })).status).toBe(422);
    expect(await namesSeenBy('U2')).toEqual([]);
    expect(await namesSeenBy('U1')).toEqual(['M2']);
  });

  it('adds sensors with new names and changes the descriptions of known ones', async () => {
    const id = await shared('Alpha', 1, 'everyone');
    await addSensor(db, id);

    const { body } = await put('SA', {
      _id: id,
      name: 'Alpha',
      sensors: [{ name: 'EO/IR', description: 'new' }, { name: 'SAR' }],
    });

    expect(body.sensors.map(({ name, description }) => [name, description])).toEqual([
      ['EO/IR', 'new'],
      ['SAR', ''],
    ]);
  });

  it('brings a deleted mission back from the bin', async () => {
    const id = await shared('Alpha', 1, 'everyone');

    await ask('SA').delete('/api/missions', { missions: ['Alpha'] });
    expect(await namesSeenBy('SA')).toEqual([]);
    expect((await ask('U1').post('/api/missions/restore', { missions: [id] })).status).toBe(403);
    expect((await ask('SA').post('/api/missions/restore', { missions: [id] })).status).toBe(200);

    expect(await namesSeenBy('SA')).toEqual(['Alpha']);
  });

  it('removes the samples and nothing else', async () => {
    await shared('Real', 1, 'everyone');
    await shared('Sample', 1, 'everyone', { sample: true });

    expect((await ask('U1').delete('/api/missions/samples')).status).toBe(403);
    expect((await ask('SA').delete('/api/missions/samples')).status).toBe(200);

    expect(await namesSeenBy('SA')).toEqual(['Real']);
  });
});

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;

async function actorOf(who: Subject) {
  const { actorsById } = await import('../../base/access/actors.ts');
  const id = server.userId(who);
  return (await actorsById(db, [id])).get(id)!.actor;
}
