import type { Dashboard } from '@osprey/contract';
import { describe, expect, it } from 'vitest';
import { addMission, addSensor } from '../../../test/missions.ts';
import { addPlatform } from '../../../test/platforms.ts';
import { basicOf, testServer } from '../../../test/server.ts';

const server = await testServer({ config: { supervisorUrl: 'https://watch.example:8443/' } });
const { asUser, db, inject } = server;

describe('the dashboard', () => {
  it('counts all for admins, and their own for a groupAdmin', async () => {
    const figures = async (by: 'SA' | 'GA') =>
      (await asUser(by).inject({ method: 'GET', url: '/api/dashboard' })).json() as Dashboard;

    const all = await figures('SA');
    const own = await figures('GA');

    // SA, A2, GA, U1, U2, U0 and the guest; Demo, G1 and G2.
    expect(all.users).toMatchObject({ total: 7, superAdmins: 1, admins: 1, groupAdmins: 1, others: 4 });
    expect(all.usergroups.total).toBe(3);
    // GA and those in G1 alone count; that everybody is in Demo too says nothing.
    const listed = (await asUser('GA').inject({ method: 'GET', url: '/api/users' })).json() as object[];
    expect(listed.length).toBeGreaterThan(1);
    expect(own.users).toMatchObject({ total: listed.length, groupAdmins: 1, others: 1 });
    expect(own.usergroups.total).toBe(2);
  });

  it('counts platforms as visible to the caller, and as live while a mission of theirs runs', async () => {
    const add = (name: string, classification = 1) => addPlatform(db, { name, classification, audience: 'everyone' });
    const recorded = await add('KEA');
    await add('KEA');
    await add('TOP', 5);
    const running = { state: 'Running', platform_name: 'KEA', platform_id: recorded };
    await addMission(db, { ...running, audience: 'everyone' });

    const platforms = async (by: 'SA' | 'A2') =>
      ((await asUser(by).inject({ method: 'GET', url: '/api/dashboard' })).json() as Dashboard).platforms;

    expect(await platforms('SA')).toMatchObject({ total: 3, live: 1 });
    expect(await platforms('A2')).toMatchObject({ total: 2, live: 1 });
    await db.updateTable('platforms').set({ name: 'KEA renamed' }).where('id', '=', recorded).execute();
    expect(await platforms('SA')).toMatchObject({ live: 1 });
  });
});

describe('shutdown and update', () => {
  it('says that there is no source of updates, also to the superAdmin', async () => {
    const answer = await asUser('SA').inject({ method: 'POST', url: '/api/update?version=9.9.9' });
    const updates = await asUser('SA').inject({ method: 'GET', url: '/api/updates' });

    expect(answer.statusCode).toBe(404);
    expect(updates.json()).toMatchObject({ isSet: false, packages: [], running: null, last: null });
  });

  it('restarts, and never only switches off', async () => {
    const off = await asUser('SA').inject({ method: 'POST', url: '/api/shutdown' });

    expect(off.json()).toMatchObject({ code: 'ruleRefused', text: 'The server can be restarted, not switched off.' });
  });
});

describe('health', () => {
  it('tells a stranger and a user up or not, an admin every fact', async () => {
    const ask = async (by: 'U1' | 'SA') => (await asUser(by).inject({ method: 'GET', url: '/api/health' })).json();

    expect((await inject({ method: 'GET', url: '/api/health' })).json()).toEqual({ status: 'up' });
    expect(await ask('U1')).toEqual({ status: 'up' });
    const { checks } = (await ask('SA')) as { checks: { name: string; state: string; text: string }[] };
    const names = checks.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['database', 'audit', 'disk', 'jobs', 'clock', 'ports', 'ffmpeg', 'ffmpeg.isolated']),
    );
    expect(checks.find(({ name }) => name === 'clock')).toMatchObject({ state: 'ok' });
  });

  it('names failed jobs', async () => {
    const mission_id = await addMission(db, {});
    const sensor_id = await addSensor(db, mission_id);
    await db
      .insertInto('jobs')
      .values({
        kind: 'ingest',
        state: 'failed',
        mission_id,
        sensor_id,
        file_id: null,
        error: 'x',
        created: 0,
        heartbeat: null,
      })
      .execute();

    const answer = (await asUser('SA').inject({ method: 'GET', url: '/api/health' })).json() as {
      checks: { name: string; state: string; text: string }[];
    };

    expect(answer.checks.find(({ name }) => name === 'jobs')).toMatchObject({
      state: 'warning',
      text: '1 failed; 0 running, 0 waiting. Whoever may edit their missions and documents can try them again, or cancel them.',
    });
  });
});

describe('metrics', () => {
  it('are read with a credential that was made for a program', async () => {
    const scrape = async (by: 'A2' | 'U1') => {
      const payload = { name: 'monitoring', days: 30 };
      const made = await asUser(by).inject({ method: 'POST', url: '/api/credentials', payload });
      const { credential } = made.json() as { credential: string };
      return (await inject({ method: 'GET', url: '/metrics', headers: { authorization: basicOf(by, credential) } }))
        .statusCode;
    };

    expect([await scrape('A2'), await scrape('U1')]).toEqual([200, 403]);
  });

  it('are for superAdmin and admin by Basic, and hold no name', async () => {
    await asUser('U1').inject({ method: 'GET', url: `/api/missions/${crypto.randomUUID()}` });
    const read = (by: 'SA' | 'A2' | 'GA' | 'U1') => asUser(by).inject({ method: 'GET', url: '/metrics' });

    const answer = await read('SA');

    expect(answer.headers['content-type']).toContain('text/plain; version=0.0.4');
    for (const line of [
      'osprey_http_request_duration_seconds_count{method="GET",route="/api/missions/:mission",status="404"} 1',
      'osprey_jobs{state="failed"} 1',
      'osprey_sockets 0',
      'osprey_uploads_open 0',
      'osprey_ingest_bytes 0',
      'osprey_live_lost_packets_total 0',
      'process_resident_memory_bytes',
    ]) {
      expect(answer.body).toContain(line);
    }
    expect(answer.body).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect([(await read('A2')).statusCode, (await read('GA')).statusCode, (await read('U1')).statusCode]).toEqual([
      200, 403, 403,
    ]);
    expect((await inject({ method: 'GET', url: '/metrics' })).statusCode).toBe(401);
  });
});

it('gives the address of the supervisor to admins alone', async () => {
  const info = async (by: 'A2' | 'U1') => (await asUser(by).inject({ method: 'GET', url: '/api/info' })).json();

  expect(await info('A2')).toMatchObject({ supervisorUrl: 'https://watch.example:8443/', supervisorPort: 8443 });
  expect(await info('U1')).not.toHaveProperty('supervisorUrl');
});
