import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { sentenceOf, sentencesIn } from '../../../test/ais-files.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { flightBytes } from '../../../test/flight.ts';
import { fly, placeOf } from '../../../test/flights.ts';
import { platformOrder, recordingOf } from '../../../test/orders.ts';
import { recorderProcess } from '../../../test/recorder-process.ts';
import type { RecordedFile, Recording } from '../../recorder-wire/protocol.ts';

/** 20 in a soak. */
const KILLS = Number(process.env.OSPREY_KILLS ?? 3);
const SECONDS = 20 + 8 * KILLS;
const FIRST_PORT = 23_000 + (process.pid % 400) * 8;
/** One at 10 Mbit/s, three smaller ones. */
const RATES = [10e6, 2e6, 2e6, 2e6];

vi.setConfig({ testTimeout: 60_000 + SECONDS * 3000 });

it('T-079 kill -9 of the recorder during 4 recordings costs at most the last second of each', {
  tags: 'long',
}, async () => {
  const platforms = RATES.map((_, n) =>
    platformOrder({ n, sensors: 1, url: () => `udp://127.0.0.1:${FIRST_PORT + n}` }),
  );
  const recorder = await recorderProcess(platforms);
  const { client, recordings } = recorder;
  const flights = await Promise.all(
    RATES.map((bitsPerSecond, n) => fly(flightBytes({ seconds: SECONDS * 2, bitsPerSecond }), FIRST_PORT + n)),
  );
  const read = (sensorId: string, fileId: string) =>
    readFile(join(recorder.dataDir, 'files/originals', sensorId, `${fileId}.ts`));
  const begin = async (n: number): Promise<Recording> => {
    const recording = recordingOf(platforms[n]!, Date.now() * 1000);
    expect(await client.request({ kind: 'record', recording, preRoll: false })).toBeNull();
    return recording;
  };
  const filesOf = ({ missionId }: Recording): RecordedFile[] => recordings.get(missionId)?.sensors[0]?.files ?? [];
  const growing = (all: Recording[], count: number, timeout: number) =>
    vi.waitFor(
      () => {
        for (const one of all) {
          expect(filesOf(one)).toHaveLength(count);
          expect(filesOf(one).at(-1)!.sizeBytes).toBeGreaterThan(0);
        }
      },
      { timeout, interval: 20 },
    );
  // A mission that was recorded before and belongs to neither.
  const other = await begin(0);
  await growing([other], 1, 20_000);
  expect(await client.request({ kind: 'stop', missionId: other.missionId, sensors: null })).toBeNull();
  const untouched = async () => {
    const journal = await readFile(join(recorder.dataDir, 'live/journals', `${other.missionId}.json`), 'utf8');
    const original = await read(other.sensors[0]!.sensorId, filesOf(other)[0]!.fileId);
    // The next recorder writes the same fields, in an order of its own.
    return { journal: JSON.parse(journal) as unknown, original: createHash('sha256').update(original).digest('hex') };
  };
  const otherBefore = await untouched();

  const all = await Promise.all(RATES.map((_, n) => begin(n)));
  const kills: number[] = [];
  const starts: number[] = [];
  for (let n = 1; n <= KILLS; n += 1) {
    await growing(all, n, 20_000);
    await new Promise((done) => setTimeout(done, 1000 + Math.random() * 1500));
    kills.push(performance.now());
    await recorder.end('SIGKILL');
    starts.push(Date.now());
    await recorder.start();
    await growing(all, n + 1, 20_000);
  }
  await Promise.all(flights.map(({ stop }) => stop()));
  for (const { missionId } of all) await client.request({ kind: 'stop', missionId, sensors: null });

  expect(await untouched()).toEqual(otherBefore);
  let worstMs = 0;
  let slowestMs = 0;
  for (const [n, one] of all.entries()) {
    const { bytes, sentBy, whenSent } = flights[n]!;
    const files = filesOf(one);
    expect(files.map(({ cause }) => cause)).toEqual(['start', ...kills.map(() => 'restart')]);
    expect(files.every(({ endedUs, suspect }) => endedUs !== null && !suspect)).toBe(true);
    const places = [];
    for (const { fileId, sizeBytes } of files) {
      const file = await read(one.sensors[0]!.sensorId, fileId);
      expect(file.length).toBe(sizeBytes);
      expect(file.length % 188).toBe(0);
      places.push(placeOf(bytes, file));
    }
    for (const [k, atMs] of kills.entries()) {
      const { end } = places[k]!;
      worstMs = Math.max(worstMs, atMs - whenSent(end));
      expect(end).toBeGreaterThanOrEqual(sentBy(atMs - 1000));
      expect(places[k + 1]!.start).toBeGreaterThanOrEqual(end);
      slowestMs = Math.max(slowestMs, files[k + 1]!.startedUs / 1000 - starts[k]!);
      // The gap is there to be seen in the times.
      expect(files[k + 1]!.startedUs).toBeGreaterThan(files[k]!.endedUs!);
    }
    expect(recordings.get(one.missionId)).toMatchObject({ state: 'stopped' });
  }
  expect(slowestMs).toBeLessThan(5000);
  process.stdout.write(
    `T-079: ${KILLS} kills, at most ${Math.round(worstMs)} ms lost of what was sent, recording again after ${Math.round(slowestMs)} ms\n`,
  );
});

/** Sends a sentence each 10 ms, and remembers when. */
function sendAis(port: number) {
  const socket = createSocket('udp4');
  const sentMs: number[] = [];
  const timer = setInterval(() => {
    socket.send(`${sentenceOf(sentMs.length)}\r\n`, port, '127.0.0.1');
    sentMs.push(performance.now());
  }, 10);
  atEnd(() => {
    clearInterval(timer);
    socket.close();
  });
  return sentMs;
}

it('T-079 kill -9 of the recorder while AIS is received costs at most its last second', { tags: 'long' }, async () => {
  const port = FIRST_PORT + RATES.length;
  const platform = platformOrder({ n: RATES.length, sensors: 1, url: () => `udp://127.0.0.1:${port}` });
  const [sensor] = platform.sensors;
  const recorder = await recorderProcess([{ ...platform, sensors: [{ ...sensor!, type: 'ais' }] }]);
  const folder = join(recorder.dataDir, 'live/ais', sensor!.sensorId);
  const sentMs = sendAis(port);
  /** By file: the numbers of its sentences. */
  const stored = async (): Promise<number[][]> => {
    const names = (await readdir(folder).catch(() => [])).sort();
    return Promise.all(
      names.map(async (name) =>
        sentencesIn(await readFile(join(folder, name))).map((one) => {
          const n = Number(one.split(',')[5]);
          expect(one).toBe(sentenceOf(n));
          return n;
        }),
      ),
    );
  };
  const growing = (count: number) =>
    vi.waitFor(
      async () => {
        const files = await stored();
        expect(files).toHaveLength(count);
        expect(files.at(-1)!.length).toBeGreaterThan(0);
      },
      { timeout: 20_000, interval: 20 },
    );

  let worstMs = 0;
  let slowestMs = 0;
  await growing(1);
  for (let n = 1; n <= KILLS; n += 1) {
    await new Promise((done) => setTimeout(done, 1000 + Math.random() * 1500));
    const killedMs = performance.now();
    await recorder.end('SIGKILL');
    const last = (await stored()).at(-1)!.at(-1)!;
    worstMs = Math.max(worstMs, killedMs - (sentMs[last + 1] ?? killedMs));
    const startedMs = performance.now();
    await recorder.start();
    await growing(n + 1);
    slowestMs = Math.max(slowestMs, performance.now() - startedMs);
  }

  expect(worstMs).toBeLessThan(1000);
  expect(slowestMs).toBeLessThan(5000);
  for (const numbers of await stored()) {
    expect(numbers).toEqual(numbers.map((_, k) => numbers[0]! + k));
  }
  process.stdout.write(
    `T-079: ${KILLS} kills, at most ${Math.round(worstMs)} ms of AIS lost, received again after ${Math.round(slowestMs)} ms\n`,
  );
});
