import type { Mission, RetentionRule } from '@osprey/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { addDocument } from '../../../test/documents.ts';
import { addMission, addSensor } from '../../../test/missions.ts';
import { askAs } from '../../../test/recordings.ts';
import { type Subject, testServer } from '../../../test/server.ts';
import { readSetting, writeSetting } from '../../base/db/settings.ts';
import { retireMission } from '../missions/bin.ts';
import { applyRetention } from './apply.ts';
import { diskGrowth, noteDiskUse } from './disk-use.ts';
import type { Forecast } from './forecast.ts';

const server = await testServer();
const { db, groups, dependencies } = server;
const ask = (who: Subject) => askAs(server, who);
const DAY_US = 24 * 3_600_000_000;
const changed = vi.fn();
const run = () =>
  applyRetention({
    db,
    nowUs: dependencies.nowUs,
    retire: (id) => retireMission(db, id, dependencies.nowUs()),
    changed,
  });

beforeEach(async () => {
  await db.deleteFrom('missions').execute();
  await db.deleteFrom('retention_rules').execute();
});

/** A mission of G1 and platform Heron that ended `days` days ago. */
async function aged(name: string, days: number, fields: Parameters<typeof addMission>[1] = {}, group = groups.G1) {
  const end = dependencies.nowUs() - days * DAY_US;
  const own = { name, audience: 'groups' as const, state: 'Ready', platform_name: 'Heron', end_time: end };
  const id = await addMission(db, { ...own, creation_time: dependencies.nowUs(), ...fields });
  await db.insertInto('mission_usergroups').values({ mission_id: id, usergroup_id: group }).execute();
  return id;
}

const addRule = async (who: Subject, body: object) => {
  const answer = await ask(who).post<RetentionRule>('/api/retention/rules', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const left = async () =>
  (await db.selectFrom('missions').select('name').where('deleted_time', 'is', null).orderBy('name').execute()).map(
    ({ name }) => name,
  );

describe('retention rules', () => {
  it('move to the bin what is older than they say, by usergroup and platform, and nothing else', async () => {
    await aged('Old', 31);
    await aged('Young', 29);
    await aged('OtherGroup', 31, {}, groups.G2);
    await aged('OtherPlatform', 31, { platform_name: 'Kite' });
    await aged('Busy', 31, { state: 'Processing' });
    await aged('Held', 31, { hold_reason: 'evidence of a case' });
    const rule = await addRule('SA', { usergroup: groups.G1, platform: 'Heron', days: 30 });
    expect(rule).toMatchObject({ due: 1, by: 'SA' });

    const retired = await run();

    expect(retired).toHaveLength(1);
    expect(await left()).toEqual(['Busy', 'Held', 'OtherGroup', 'OtherPlatform', 'Young']);
    const [binned] = (await ask('SA').get<{ name: string; deletedBy: string | null }[]>('/api/bin')).body;
    expect(binned).toMatchObject({ name: 'Old', deletedBy: null });
    expect((await ask('SA').post('/api/missions/restore', { missions: [retired[0]!.id] })).status).toBe(200);
  });

  it('let the longest count where several meet a mission', async () => {
    await aged('Kea', 100);
    await addRule('SA', { days: 30 });
    await addRule('SA', { usergroup: groups.G1, days: 365 });

    await run();

    expect(await left()).toEqual(['Kea']);
  });

  it('touch nothing that their maker could not delete, and rest when the account is gone', async () => {
    await aged('Open', 100);
    await aged('Secret', 100, { classification: 4 });
    await aged('Elsewhere', 100, {}, groups.G2);
    const rule = await addRule('A2', { days: 30 });
    expect(rule.due).toBe(1);
    await db.updateTable('users').set({ disabled: true }).where('username', '=', 'A2').execute();
    await run();
    const resting = (await ask('SA').get<RetentionRule[]>('/api/retention/rules')).body[0];
    expect([await left(), resting!.by]).toEqual([['Elsewhere', 'Open', 'Secret'], null]);
    await db.updateTable('users').set({ disabled: false }).where('username', '=', 'A2').execute();

    await run();

    expect(await left()).toEqual(['Elsewhere', 'Secret']);
  });

  it('count from the making of a mission that has no recording', async () => {
    await aged('Empty', 0, { end_time: null, creation_time: dependencies.nowUs() - 40 * DAY_US });
    await addRule('SA', { days: 30 });

    await run();

    expect(await left()).toEqual([]);
  });

  it('are one for each usergroup and platform, of whole days from 1', async () => {
    const rule = await addRule('SA', { usergroup: groups.G1, days: 30 });
    const again = await ask('SA').post<{ text: string }>('/api/retention/rules', { usergroup: groups.G1, days: 10 });
    expect([again.status, again.body.text]).toEqual([422, 'There is a rule for this usergroup and platform already.']);
    expect((await ask('SA').post('/api/retention/rules', { days: 0 })).status).toBe(400);
    expect((await ask('SA').post('/api/retention/rules', { usergroup: crypto.randomUUID(), days: 1 })).status).toBe(
      422,
    );

    const changed = await ask('A2').put<RetentionRule>(`/api/retention/rules/${rule._id}`, { days: 60 });
    expect(changed.body).toMatchObject({ usergroup: null, days: 60, by: 'A2' });
    expect((await ask('SA').delete(`/api/retention/rules/${rule._id}`)).status).toBe(200);
    expect((await ask('SA').delete(`/api/retention/rules/${rule._id}`)).status).toBe(404);
  });
});

describe('the forecast', () => {
  it('predicts when the disk is full from what came in the last 30 days', async () => {
    const before = (await ask('A2').get<Forecast>('/api/retention/forecast')).body;
    expect(before).toMatchObject({ growthBytes: 0, fullTime: null, uploadsStopTime: null });
    const mission = await aged('Kea', 1);
    const sensor = await addSensor(db, mission);
    const file = (days: number, size_bytes: number) => ({
      sensor_id: sensor,
      kind: 'ts',
      name: 'a.ts',
      size_bytes,
      storage_key: crypto.randomUUID(),
      created: dependencies.nowUs() - days * DAY_US,
      sha256: null,
      rendition_key: null,
      message: null,
      last_modified: null,
      start_time: null,
      end_time: null,
      uploaded_by: null,
    });
    const daily = before.freeBytes / 100;
    await db
      .insertInto('files')
      .values([file(1, Math.round(daily * 15)), file(10, Math.round(daily * 15)), file(40, 1e15)])
      .execute();

    const forecast = (await ask('A2').get<Forecast>('/api/retention/forecast')).body;

    expect(forecast.growthBytes / daily).toBeCloseTo(1, 3);
    const days = (forecast.fullTime! - dependencies.nowUs()) / DAY_US;
    expect(days).toBeGreaterThan(90);
    expect(days).toBeLessThan(110);
    expect(forecast.uploadsStopTime!).toBeLessThan(forecast.fullTime!);
    expect(forecast.days).toHaveLength(30);
    await ask('SA').delete('/api/missions', { missions: [mission] });
    const binned = (await ask('SA').get<Forecast>('/api/retention/forecast')).body;
    expect(binned.binBytes).toBeGreaterThan(1e15);
  });

  it('says what positions of ships take that belong to no mission, by the mean of whole days', async () => {
    const forecast = async () => (await ask('A2').get<Forecast>('/api/retention/forecast')).body;
    expect((await forecast()).ships).toBeNull();
    for (const days of [0, 1, 2]) {
      await sql`select ais_make_partition(${dependencies.nowUs() - days * DAY_US}::bigint)`.execute(db);
    }
    const { ships } = await forecast();
    expect(ships).toMatchObject({ keepDays: 30 });
    expect(ships!.bytes).toBe(3 * ships!.dayBytes);
    await sql`select ais_drop_partitions(${dependencies.nowUs() + 2 * DAY_US}::bigint)`.execute(db);
  });

  it('counts documents, and everything else that fills the disk by the use of the disk itself', async () => {
    const forecast = async () => (await ask('A2').get<Forecast>('/api/retention/forecast')).body;
    const { freeBytes, totalBytes } = await forecast();
    const daily = Math.round(freeBytes / 100);
    await addDocument(db, { size_bytes: daily * 30, creation_time: dependencies.nowUs() - DAY_US });
    expect((await forecast()).growthBytes / daily).toBeCloseTo(1, 3);

    const usedBytes = totalBytes - freeBytes - daily * 2 * 10;
    await writeSetting(db, 'diskUse', [{ time: dependencies.nowUs() - 10 * DAY_US, usedBytes }]);

    // Other work on this machine moves the disk meanwhile.
    expect((await forecast()).growthBytes / daily).toBeCloseTo(2, 1);
    const days = ((await forecast()).fullTime! - dependencies.nowUs()) / DAY_US;
    expect(days).toBeGreaterThan(45);
    expect(days).toBeLessThan(55);
    await db.deleteFrom('documents').execute();
  });

  it('has the use of the disk noted once a day, for 30 days', async () => {
    let freeBytes = 500;
    const storage = { space: async () => ({ freeBytes, totalBytes: 1000 }) };
    await writeSetting(db, 'diskUse', []);

    for (let hour = 0; hour < 40 * 24; hour += 6) {
      freeBytes = 500 - hour / 24;
      await noteDiskUse({ db, storage }, hour * (DAY_US / 24) + 1);
    }

    const noted = await readSetting(db, 'diskUse');
    expect(noted).toHaveLength(30);
    expect(noted[0]).toEqual({ time: 10 * DAY_US + 1, usedBytes: 510 });
    expect(diskGrowth(noted, { time: 40 * DAY_US, usedBytes: 540 })).toBeCloseTo(1, 5);
    expect(diskGrowth(noted.slice(-1), { time: 40 * DAY_US, usedBytes: 900 })).toBe(0);
    await writeSetting(db, 'diskUse', []);
  });
});

it('keeps a mission shown as before while nothing is due', async () => {
  await aged('Kea', 5);
  await addRule('SA', { days: 30 });
  await run();

  expect((await ask('U1').get<Mission>('/api/missions/Kea')).status).toBe(200);
});
