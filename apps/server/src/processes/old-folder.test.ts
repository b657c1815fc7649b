import type { Mission } from '@osprey/contract';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { readOldFolder, unpackedFolder } from '../../test/old-folder.ts';
import { startServer } from '../../test/running-server.ts';
import { basicOf } from '../../test/server.ts';

/** Ids of missions of the folder. */
const INGESTED = '4e5ee50a-71d7-4db8-b5b1-b474c6827a63';
const WAITING = ['7d4269c9-4481-4ae0-80a6-311036e744e8', 'c50a9ff8-2fb4-4e1f-ac74-86f27f27c91e'] as const;
const RECORDED = '3e79cfad-85df-4759-b74c-787c52ff26d6';
/** Size of its one file, which ends on a packet. */
const RECORDED_BYTES = 81_592;
const RECORDED_SECONDS_MIN = 6;

const authorization = basicOf('admin', 'correct horse battery');

/** Jobs expire after two weeks. */
async function unpacked(): Promise<string> {
  const columns = ['created_on', 'start_after', 'started_on', 'keep_until', 'heartbeat_on'].map((name) =>
    sql.ref(name),
  );
  const shifted = columns.map((column) => sql`${column} = ${column} + age.span`);
  return unpackedFolder(await readOldFolder('2337fee'), (db) =>
    sql`update pgboss.job_common set ${sql.join(shifted)}
      from (select now() - max(created_on) as span from pgboss.job_common) age`.execute(db),
  );
}

it('finds recording, waiting jobs and files in a data folder of the version before names of the code changed', async () => {
  const server = await startServer(await unpacked());
  const ask = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(new URL(`/api/${path}`, server.address), {
      method: body ? 'POST' : 'GET',
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    return JSON.parse(text) as Answer;
  };
  const missionOf = (id: string) => ask<Mission>(`missions/${id}`);
  const stateOf = async (id: string) => (await missionOf(id)).state;
  const playlistOf = async (id: string) => {
    const { accessToken, sensors } = await missionOf(id);
    const answer = await fetch(new URL(`${sensors[0]!.hlsProps?.url}?token=${accessToken}`, server.address));
    return answer.text();
  };

  // The recording goes on, since it was not stopped.
  expect(await missionOf(RECORDED)).toMatchObject({
    state: 'Running',
    sensors: [{ assets: [{ sizeBytes: RECORDED_BYTES }] }],
  });
  expect(await ask('platforms')).toMatchObject([{ name: 'KEA-1', mission: RECORDED, sensors: [{ on: true }] }]);
  expect(await ask('platforms/control?command=stop', { platformName: 'KEA-1' })).toMatchObject({
    mission: { _id: RECORDED },
  });
  for (const id of [RECORDED, ...WAITING]) await expect.poll(() => stateOf(id)).toBe('Ready');

  const recorded = await missionOf(RECORDED);
  expect(recorded.sensors[0]).toMatchObject({
    state: 'Ready',
    assets: [{ sizeBytes: RECORDED_BYTES, state: 'ready' }],
  });
  expect(recorded.sensors[0]!.hlsProps?.durationSeconds).toBeGreaterThan(RECORDED_SECONDS_MIN);
  for (const id of [INGESTED, RECORDED, ...WAITING])
    expect(await playlistOf(id)).toMatch(/#EXTINF[\s\S]*#EXT-X-ENDLIST/);
  expect((await server.stop()).code).toBe(0);
}, 120_000);
