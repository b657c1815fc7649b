import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { uploadPlatforms } from '../../../test/platforms.ts';
import { type TestRecorder, testRecorder } from '../../../test/recorder.ts';
import { type TestServer, testServer } from '../../../test/server.ts';

const yaml = (autostart: string, more = '') => `
platforms:
  - name: KEA-1
    securityClassification: UNCLASSIFIED
    audience: everyone
    autostart: ${autostart}
    sensors:
      - { name: EO, url: "rtsp://cam:hush@10.1.2.3/main" }
      - { name: IR, url: "udp://127.0.0.1:5000" }
${more}`;

async function upload(server: TestServer, text: string) {
  const answer = await uploadPlatforms(server, text);
  expect(answer.json()).toMatchObject({ valid: true });
}

describe('the orders of the recorder', () => {
  let server: TestServer;
  let recorder: TestRecorder;
  beforeAll(async () => {
    server = await testServer();
    recorder = await testRecorder(server.dataDir);
  });

  const ordered = () =>
    (recorder.orders()?.platforms ?? []).map(({ name, sensors }) => [name, sensors.map((one) => [one.name, one.on])]);

  it('are given when it is found, and again when platforms change', async () => {
    await expect.poll(() => recorder.orders()).toEqual({ platforms: [] });

    await upload(server, yaml('false'));

    await expect.poll(ordered).toEqual([
      [
        'KEA-1',
        [
          ['EO', false],
          ['IR', false],
        ],
      ],
    ]);
    const [platform] = recorder.orders()!.platforms;
    expect(platform?.sensors[0]?.url).toBe('rtsp://cam:***@10.1.2.3/main');
    expect(platform?.sensors[0]?.secret).not.toBeNull();
  });

  it('keep what a user switched, also through a new configuration, until autostart says something new', async () => {
    await server.db.updateTable('platform_sensors').set({ switched: true }).where('name', '=', 'IR').execute();
    await expect.poll(() => ordered()[0]?.[1]).toContainEqual(['IR', true]);

    await upload(server, yaml('false', '    description: changed'));
    await expect.poll(() => recorder.orders()?.platforms[0]?.description).toBe('changed');
    expect(ordered()[0]?.[1]).toEqual([
      ['EO', false],
      ['IR', true],
    ]);

    await server.db.updateTable('platform_sensors').set({ switched: false }).where('name', '=', 'IR').execute();
    await upload(server, yaml('true'));
    await expect
      .poll(() => ordered()[0]?.[1])
      .toEqual([
        ['EO', true],
        ['IR', true],
      ]);
  });

  it('are given to the next recorder too', async () => {
    await recorder.die();
    await expect.poll(() => server.coordination.mirror.connected()).toBe(false);
    const received = recorder.received.length;

    await recorder.comeBack();

    await expect.poll(() => recorder.received.slice(received).map(({ kind }) => kind)).toContain('orders');
  });
});

describe('the mirror of the recorder', () => {
  it('knows sources, ring and segments, forgets what was cut, and takes the next greeting for the whole truth', async () => {
    const server = await testServer();
    const recorder = await testRecorder(server.dataDir);
    const { mirror } = server.coordination;
    await expect.poll(() => mirror.connected()).toBe(true);
    const sensorId = randomUUID();
    const ring = {
      sensorId,
      startUs: 1,
      firstPtsTicks: 0,
      durationSeconds: 1,
      sizeBytes: 1,
      discontinuity: false,
      breaks: 0,
    };
    const fileId = randomUUID();

    recorder.source(randomUUID(), sensorId);
    for (const n of [7, 8]) recorder.say({ kind: 'ring', segment: { ...ring, n, done: n === 7, parts: [] } });
    recorder.say({ kind: 'ring', segment: { ...ring, n: 8, done: true, parts: [] } });
    recorder.say({ kind: 'ringCut', sensorId, first: 8 });
    recorder.say({
      kind: 'segment',
      segment: {
        ...{ missionId: randomUUID(), sensorId, fileId, n: 0, offset: 0, sizeBytes: 188, startUs: 1 },
        ...{ durationSeconds: 1, discontinuity: false },
      },
    });

    await expect.poll(() => mirror.segments(fileId).length).toBe(1);
    expect(mirror.source(sensorId)).toMatchObject({ state: 'online' });
    expect(mirror.ring(sensorId)).toMatchObject([{ n: 8, done: true }]);

    await recorder.die();
    await recorder.comeBack();
    await expect.poll(() => mirror.ring(sensorId)).toEqual([]);
    expect(mirror.segments(fileId)).toEqual([]);
    expect(mirror.source(sensorId)).toMatchObject({ state: 'online' });
  });
});
