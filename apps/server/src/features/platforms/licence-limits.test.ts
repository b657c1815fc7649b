import { rm } from 'node:fs/promises';
import type { LicencePayload, PlatformControlled } from '@osprey/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { licenceForm, licenceKey, tokenOf } from '../../../test/licences.ts';
import { addPlatform, sensorsOf } from '../../../test/platforms.ts';
import { type TestRecorder, testRecorder } from '../../../test/recorder.ts';
import { askAs } from '../../../test/recordings.ts';
import { type TestServer, testServer } from '../../../test/server.ts';

let server: TestServer;
let recorder: TestRecorder;
let key: Awaited<ReturnType<typeof licenceKey>>;
beforeEach(async () => {
  server = await testServer();
  recorder = await testRecorder(server.dataDir);
  key = await licenceKey(server.dataDir);
  await expect.poll(() => server.coordination.mirror.connected()).toBe(true);
});

async function license(fields: Partial<LicencePayload>): Promise<void> {
  const form = licenceForm(tokenOf(key.privateKey, fields));
  const answer = await server.asUser('SA').inject({ method: 'POST', url: '/api/upload/license', ...form });
  expect(answer.json()).toMatchObject({ valid: true });
}

/** A platform with two sensors, whose streams are there. */
async function flying(): Promise<string> {
  const id = await addPlatform(server.db, { audience: 'everyone', autostart: true, sensors: ['EO', 'IR'] });
  for (const sensorId of Object.values(await sensorsOf(server.db, id))) recorder.source(id, sensorId);
  return id;
}

async function control(command: 'start' | 'stop', platformName: string, body: object = {}): Promise<string> {
  const answer = await askAs(server, 'SA').post<PlatformControlled & { text?: string }>(
    `/api/platforms/control?command=${command}`,
    { platformName, ...body },
  );
  return answer.status === 200 ? 'done' : (answer.body.text ?? '');
}
const record = (platform: string, sensors: string[] = []) => control('start', platform, { record: true, sensors });

/** Whether the recorder's orders receive, by platform, and how many it may record by itself. */
const ordered = () => {
  const orders = recorder.orders();
  const on = (orders?.platforms ?? []).map(
    ({ platformId, sensors, record: { onPresence } }) =>
      [platformId, sensors.some((sensor) => sensor.on), onPresence] as const,
  );
  return { on: new Map(on.map(([id, ...rest]) => [id, rest])), max: orders?.recordingsMax };
};

describe('the licence', () => {
  it('in demo mode lets what is being recorded go on, then one platform at a time with all of its sensors', async () => {
    await license({ platforms: 4 });
    const [first, second] = [await flying(), await flying()];
    expect([await record(first), await record(second)]).toEqual(['done', 'done']);
    await rm(key.publicFile);
    const info = async () => (await askAs(server, 'SA').get<{ demoMode: boolean }>('/api/info')).body.demoMode;
    await expect.poll(info).toBe(true);
    const refused = 'The licence allows one live platform at once.';

    await expect.poll(() => ordered().max).toBe(1);
    const running = () => server.coordination.mirror.running().map(({ platform }) => platform.platformId);
    expect(running().toSorted()).toEqual([first, second].toSorted());
    const received = recorder.orders()?.platforms.flatMap(({ sensors }) => sensors.map(({ on }) => on));
    expect(received).toEqual([true, true, true, true]);
    for (const platform of [first, second]) expect(await control('stop', platform)).toBe('done');
    await expect.poll(running).toEqual([]);

    const together = await Promise.all([record(first, ['EO']), record(second, ['EO'])]);
    const [recorded, other] = together[0] === 'done' ? [first, second] : [second, first];

    expect(together.toSorted()).toEqual([refused, 'done']);
    expect(await record(recorded, ['IR'])).toBe('done');
    expect(await record(other)).toBe(refused);
    expect(await control('stop', recorded)).toBe('done');
    await expect.poll(() => server.coordination.mirror.runningOf(recorded)).toBeNull();
    expect(await record(other)).toBe('done');
  });

  it('allows as many as it says, and its limit ends nothing that runs', async () => {
    await license({ platforms: 2 });
    const [first, second, third] = [await flying(), await flying(), await flying()];

    expect([await record(first), await record(second)]).toEqual(['done', 'done']);
    expect(await record(third)).toBe('The licence allows 2 live platforms at once.');
    await license({ platforms: 1 });

    await expect.poll(() => ordered().max).toBe(1);
    expect(server.coordination.mirror.running().length).toBe(2);
  });

  it('without live streams refuses to start and to record, and receives no more than what is being recorded', async () => {
    const [recorded, other] = [await flying(), await flying()];
    await server.db
      .updateTable('platforms')
      .set({ record: JSON.stringify({ onPresence: true, schedule: [], preRollSeconds: 0 }) })
      .execute();
    expect(await record(recorded)).toBe('done');
    await expect.poll(() => ordered().on.get(other)).toEqual([true, true]);
    const refused = 'The licence does not include live streams.';

    await license({ options: ['export'] });

    expect([await control('start', other), await record(other)]).toEqual([refused, refused]);
    await expect.poll(() => ordered().on.get(other)).toEqual([false, false]);
    expect(ordered().on.get(recorded)).toEqual([true, false]);
    expect(await control('stop', recorded)).toBe('done');
    await expect.poll(() => ordered().on.get(recorded)).toEqual([false, false]);
    await license({ options: ['live'] });
    await expect.poll(() => ordered().on.get(other)).toEqual([true, true]);
  });
});
