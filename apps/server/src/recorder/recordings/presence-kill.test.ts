import { expect, it, vi } from 'vitest';
import { flightBytes } from '../../../test/flight.ts';
import { fly } from '../../../test/flights.ts';
import { platformOrder } from '../../../test/orders.ts';
import { recorderProcess } from '../../../test/recorder-process.ts';
import type { Recording } from '../../recorder-wire/protocol.ts';

const FIRST_PORT = 20_600 + (process.pid % 400) * 4;
const WAIT = { timeout: 30_000, interval: 20 };

vi.setConfig({ testTimeout: 180_000 });

it('a recording by presence outlives kill -9 until its stream is back, and one that a user stopped does not begin again', {
  tags: 'long',
}, async () => {
  const record = { onPresence: true, schedule: [], preRollSeconds: 0 };
  const platforms = [0, 1, 2].map((n) =>
    platformOrder({ n, sensors: 1, url: () => `udp://127.0.0.1:${FIRST_PORT + n}`, order: { record } }),
  );
  const recorder = await recorderProcess(platforms);
  const bytes = flightBytes({ seconds: 120 });
  const [recorded, stopped, later] = [0, 1, 2];
  const flyTo = (n: number) => fly(bytes, FIRST_PORT + n);
  const missionsOf = (n: number): Recording[] =>
    [...recorder.recordings.values()].filter(({ platform }) => platform.platformId === platforms[n]!.platformId);
  const growing = (n: number, files: number) =>
    vi.waitFor(() => {
      const own = missionsOf(n)[0]!.sensors[0]!.files;
      expect(own).toHaveLength(files);
      expect(own.at(-1)!.sizeBytes).toBeGreaterThan(0);
    }, WAIT);
  const before = await flyTo(recorded);
  const stays = await flyTo(stopped);
  await growing(recorded, 1);
  await growing(stopped, 1);
  const { missionId } = missionsOf(stopped)[0]!;
  expect(await recorder.client.request({ kind: 'stop', missionId, sensors: null })).toBeNull();

  await recorder.end('SIGKILL');
  await before.stop();
  await recorder.start();
  await vi.waitFor(() => expect(recorder.sources.get(platforms[stopped]!.sensors[0]!.sensorId)).toBe('online'), WAIT);
  // The platform of the last rank begins: the rules have looked at those before it.
  const another = await flyTo(later);
  await growing(later, 1);
  const back = await flyTo(recorded);
  await growing(recorded, 2);
  await Promise.all([stays, another, back].map(({ stop }) => stop()));

  const [mission, ...others] = missionsOf(recorded);
  expect(others).toEqual([]);
  expect(mission).toMatchObject({
    state: 'recording',
    sensors: [{ files: [{ cause: 'start' }, { cause: 'restart' }] }],
  });
  expect(missionsOf(stopped)).toMatchObject([{ missionId, state: 'stopped' }]);
});
