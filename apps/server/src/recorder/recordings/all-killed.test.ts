import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mission, PlatformControlled } from '@osprey/contract';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { codedFlight } from '../../../test/coded-flight.ts';
import { flightBytes } from '../../../test/flight.ts';
import { type Flight, fly, placeOf } from '../../../test/flights.ts';
import { openPlatform } from '../../../test/platforms.ts';
import { picturesIn } from '../../../test/played.ts';
import { isAlive, killNow, treeOf } from '../../../test/processes.ts';
import { dataFolder, type RunningServer, startServer } from '../../../test/running-server.ts';
import { basicOf } from '../../../test/server.ts';
import { recorderClient } from '../../recorder-wire/client.ts';
import type { FromRecorder, RecordedFile, RecordedSensor, Recording } from '../../recorder-wire/protocol.ts';

/** 20 in a soak. */
const KILLS = Number(process.env.OSPREY_KILLS ?? 1);
const isSoak = process.env.OSPREY_KILLS !== undefined;
/** The promise, on a machine with nothing else to do; three times that in the test run. */
const AGAIN_MAX_MS = isSoak ? 5000 : 15_000;
const FIRST_PORT = 31_000 + (process.pid % 400) * 4;
const RATES = [6e6, 2e6, 2e6, 2e6];
/** Length of one flight: from before a start of the server until it is killed. */
const FLIGHT_SECONDS = 120;
/** Bytes of each flight that contain whole pictures and telemetry. */
const PICTURE_BYTES = 200_000;

vi.setConfig({ testTimeout: 120_000 + KILLS * 120_000 });

const password = 'correct horse battery';
const admin = { authorization: basicOf('admin', password) };
/** The last of them has pictures that can be shown. */
const flights = [
  ...RATES.slice(0, -1).map((bitsPerSecond) => flightBytes({ seconds: FLIGHT_SECONDS, bitsPerSecond })),
  ...codedFlight(['h264'], FLIGHT_SECONDS),
];
const SHOWN = `EO ${RATES.length - 1}`;
const flyAll = () => Promise.all(flights.map((bytes, n) => fly(bytes, FIRST_PORT + n)));
const land = (flying: readonly Flight[]) => Promise.all(flying.map(({ stop }) => stop()));

const PLATFORM = openPlatform(Object.fromEntries(RATES.map((_, n) => [`EO ${n}`, FIRST_PORT + n])));

/** Recordings by the journals of successive recorders. */
function journalsOf(dataDir: string): Map<string, Recording> {
  const recordings = new Map<string, Recording>();
  const keep = (one: Recording) => recordings.set(one.missionId, one);
  const client = recorderClient({
    dataDir,
    log: pino({ level: 'silent' }),
    onMessage(message: FromRecorder) {
      if (message.kind === 'hello') message.recordings.forEach(keep);
      if (message.kind === 'recording') keep(message.recording);
    },
  });
  atEnd(() => client.close());
  return recordings;
}

/** Main, api, worker, gateway, recorder and every process of the database, all at once. */
async function killAll({ process: main }: RunningServer): Promise<number> {
  const pids = treeOf(main.pid!);
  // Main, its four children and the database with its own.

  expect(pids.length).toBeGreaterThan(6);
  const atMs = performance.now();
  for (const pid of pids) killNow(pid);
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]));
  return atMs;
}

it('T-079 kill -9 of every process during 4 recordings costs at most the last second of each', async () => {
  const dataDir = await dataFolder(tmpdir());
  const journals = journalsOf(dataDir);
  let server = await startServer(dataDir, { OSPREY_ADMIN_PASSWORD: password });
  let flying = await flyAll();

  const call = async <T>(path: string, body?: FormData | object): Promise<T> => {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${server.address}/api/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...admin, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as T;
  };
  const sensorsOf = (missionId: string): RecordedSensor[] => journals.get(missionId)?.sensors ?? [];
  /** Waits until each sensor writes its `count`th file, with at least `leastBytes`. */
  const growing = (missionId: string, count: number, leastBytes = 1) =>
    vi.waitFor(
      () => {
        expect(sensorsOf(missionId)).toHaveLength(RATES.length);
        for (const { files } of sensorsOf(missionId)) {
          expect(files).toHaveLength(count);
          expect(files.at(-1)!.sizeBytes).toBeGreaterThanOrEqual(leastBytes);
        }
      },
      { timeout: 60_000, interval: 20 },
    );
  const begin = async (): Promise<string> => {
    const { mission } = await call<PlatformControlled>('platforms/control?command=start', {
      ...{ platformName: 'KEA-1', record: true },
    });
    return mission!._id;
  };
  const ended = async (missionId: string): Promise<Mission> => {
    await call('platforms/control?command=stop', { platformName: 'KEA-1' });
    return vi.waitFor(
      async () => {
        const mission = await call<Mission>(`missions/${missionId}`);
        expect(mission.state).toBe('Ready');
        return mission;
      },
      { timeout: 120_000, interval: 250 },
    );
  };
  const readFiles = (sensorId: string, files: readonly { fileId: string }[]) =>
    Promise.all(files.map(({ fileId }) => readFile(join(dataDir, 'files/originals', sensorId, `${fileId}.ts`))));
  const form = new FormData();
  form.append('platforms', new Blob([PLATFORM]), 'platforms.yml');
  expect(await call('upload/platformsConfig', form)).toMatchObject({ valid: true });

  // A mission that was recorded before and belongs to neither.
  const other = await begin();
  // A recording that ends before its first picture holds nothing, and its file is refused.
  await growing(other, 1, PICTURE_BYTES);
  const otherSensors = sensorsOf(other);
  const mission = await ended(other);
  const untouched = async () => {
    // The token is made for each answer.
    const shown = { ...(await call<Mission>(`missions/${other}`)), accessToken: null };
    const hash = createHash('sha256');
    for (const { sensorId, files } of otherSensors) {
      for (const bytes of await readFiles(sensorId, files)) hash.update(bytes);
    }
    return { shown, bytes: hash.digest('hex') };
  };
  expect(mission.sensors).toHaveLength(RATES.length);
  // Its pictures for the table and the timeline are made when it has ended.
  await vi.waitFor(async () => expect(await call('jobs')).toEqual([]), { interval: 100 });
  const otherBefore = await untouched();

  const recorded = await begin();
  /** The flight that ended with each kill, and with the last stop. */
  const flown: { flights: Flight[]; killedMs: number | null }[] = [];
  const starts: number[] = [];
  for (let n = 1; n <= KILLS; n += 1) {
    await growing(recorded, n);
    await new Promise((done) => setTimeout(done, 500 + Math.random() * 1500));
    flown.push({ flights: flying, killedMs: await killAll(server) });
    await land(flying);
    flying = await flyAll();
    starts.push(Date.now());
    server = await startServer(dataDir);
  }
  await growing(recorded, KILLS + 1);
  const after = await ended(recorded);
  await land(flying);
  flown.push({ flights: flying, killedMs: null });

  expect(await untouched()).toEqual(otherBefore);
  let [worstMs, slowestMs] = [0, 0];
  for (const [s, { name, sensorId, files }] of sensorsOf(recorded).entries()) {
    expect(files.map(({ cause }) => cause)).toEqual(['start', ...starts.map(() => 'restart')]);
    expect(files.every(({ endedUs, suspect }) => endedUs !== null && !suspect)).toBe(true);
    for (const [k, bytes] of (await readFiles(sensorId, files)).entries()) {
      const { flights: own, killedMs } = flown[k]!;
      const { sentBy, whenSent } = own[s]!;
      expect(bytes.length).toBe(files[k]!.sizeBytes);
      const { end } = placeOf(flights[s]!, bytes);
      if (killedMs === null) continue;
      worstMs = Math.max(worstMs, killedMs - whenSent(end));
      expect(end).toBeGreaterThanOrEqual(sentBy(killedMs - 1000));
      slowestMs = Math.max(slowestMs, files[k + 1]!.startedUs / 1000 - starts[k]!);
      expect(files[k + 1]!.startedUs).toBeGreaterThan(files[k]!.endedUs!);
    }
    await expectGapsShown(after, { name, files });
  }
  process.stdout.write(
    `T-079: ${KILLS} kills of all processes, at most ${Math.round(worstMs)} ms lost of what was sent, recording again ${Math.round(slowestMs)} ms after main.ts started\n`,
  );
  expect(slowestMs).toBeLessThan(AGAIN_MAX_MS);
  expect((await server.stop()).code).toBe(0);

  /** The mission has each file, and its playlist a break before each but the first; each begins and ends in pictures. */
  async function expectGapsShown(shown: Mission, sensor: { name: string; files: RecordedFile[] }): Promise<void> {
    const found = shown.sensors.find(({ name }) => name === sensor.name)!;
    expect(found.assets.map(({ _id }) => _id)).toEqual(sensor.files.map(({ fileId }) => fileId));
    const media = (name: string, headers = {}) =>
      fetch(`${server.address}/api/media/${found._id}/${name}`, { headers: { ...admin, ...headers } });
    const runs = (await (await media('index.m3u8')).text()).split('#EXT-X-DISCONTINUITY\n');
    expect(runs).toHaveLength(KILLS + 1);
    if (sensor.name !== SHOWN) return;
    for (const run of runs) {
      const segments = [...run.matchAll(/^#EXTINF:.+\n(?:#EXT-X-BYTERANGE:(\d+)@(\d+)\n)?(.+)$/gm)];
      for (const [, size, start, name = ''] of [segments[0]!, segments.at(-1)!]) {
        const range = size && { range: `bytes=${start}-${Number(start) + Number(size) - 1}` };
        const segment = await media(name, range || {});
        expect(segment.ok).toBe(true);
        expect(picturesIn(await segment.bytes())).toBeGreaterThan(0);
      }
    }
  }
});
