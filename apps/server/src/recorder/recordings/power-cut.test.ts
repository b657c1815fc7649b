import { truncate } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { sentences, testAisFiles } from '../../../test/ais-files.ts';
import { flightBytes } from '../../../test/flight.ts';
import { testRecorder } from '../../../test/live-recorder.ts';
import type { Storage } from '../../base/storage/storage.ts';

const CUTS = 10;
const STEP_MS = 50;
const LOST_MS = 2000;
const TABLES_BYTES = 2 * 188;

/** A storage whose files below a folder forget at the cut what was not synced; from then on it does not answer. */
function forgetful(folder: 'originals/' | 'ais/') {
  const synced = new Map<string, number>();
  const never = new Promise<never>(() => {});
  let isCut = false;

  const layer = (real: Storage): Storage => ({
    ...real,
    async append(key) {
      if (isCut) return never;
      const file = await real.append(key);
      if (!key.startsWith(folder)) return file;
      const path = real.path(key);
      synced.set(path, 0);
      return {
        ...file,
        write: (bytes) => (isCut ? never : file.write(bytes)),
        async sync() {
          const sizeBytes = file.sizeBytes();
          await file.sync();
          if (isCut) return never;
          synced.set(path, sizeBytes);
        },
        truncate: (sizeBytes) => (isCut ? never : file.truncate(sizeBytes)),
      };
    },
    put: (key, source) => (isCut ? never : real.put(key, source)),
  });

  return {
    layer,
    async cut() {
      isCut = true;
      for (const [path, sizeBytes] of synced) await truncate(path, sizeBytes);
    },
  };
}

const flight = flightBytes({ seconds: 6, bitsPerSecond: 6e6 });

async function begin() {
  const disk = forgetful('originals/');
  const recorder = await testRecorder({ storage: disk.layer });
  const recording = recorder.recordingOf(recorder.platforms[0]!);
  await recorder.recordings.record(recording, { preRoll: false });
  return { disk, recorder, recording };
}

/** One recording that is cut at some instant; how long before it the first byte that is lost came, in milliseconds. */
async function lostAtCut(
  { disk, recorder, recording }: Awaited<ReturnType<typeof begin>>,
  aliveMs: number,
): Promise<number> {
  const came: [atMs: number, bytes: number][] = [];
  const begun = performance.now();
  for (let sent = 0; performance.now() - begun < aliveMs; ) {
    const size = 188 * Math.floor(((performance.now() - begun) * 6e6) / 8000 / 188);
    recorder.receive(flight.subarray(sent, size));
    sent = size;
    came.push([performance.now(), sent]);
    await new Promise((done) => setTimeout(done, STEP_MS));
  }
  const cutMs = performance.now();
  await disk.cut();
  recorder.abandon();

  const next = await testRecorder({ root: recorder.root });
  const { sensorId } = recording.sensors[0]!;
  const [file, ...more] = next.filesOf(recording.missionId);
  expect(more).toEqual([]);
  const bytes = await next.bytesOf(sensorId, file!.fileId);
  const body = flight.indexOf(bytes.subarray(0, 188 * 20)) === 0 ? bytes : bytes.subarray(TABLES_BYTES);
  expect(bytes.length % 188).toBe(0);
  expect(body.equals(flight.subarray(0, body.length))).toBe(true);
  expect(file).toMatchObject({ sizeBytes: bytes.length, indexed: false });
  await next.recordings.stop(recording.missionId, null);
  expect(next.now(recording.missionId).state).toBe('stopped');
  const lost = came.find(([, sent]) => sent > body.length);
  return lost === undefined ? 0 : cutMs - lost[0];
}

it('T-080 a power cut in mid-recording costs at most the last two seconds and changes no earlier byte', async () => {
  const begun = await Promise.all(Array.from({ length: CUTS }, begin));
  const lost = await Promise.all(begun.map((one, n) => lostAtCut(one, 2600 + n * 170)));

  process.stdout.write(`T-080: ${CUTS} cuts, at most ${Math.round(Math.max(...lost))} ms lost\n`);
  expect(Math.max(...lost)).toBeLessThan(LOST_MS);
});

/** Sentences each 10 ms until the cut; how long before it the first one that is lost came, in milliseconds. */
async function sentencesLostAtCut(aliveMs: number): Promise<number> {
  const disk = forgetful('ais/');
  const files = await testAisFiles(disk.layer);
  const came: number[] = [];
  const begun = performance.now();
  while (performance.now() - begun < aliveMs) {
    files.receive(came.length, came.length + 1);
    came.push(performance.now());
    await new Promise((done) => setTimeout(done, 10));
  }
  const cutMs = performance.now();
  await disk.cut();
  files.abandon();

  const [retained = [], ...more] = await files.stored();
  expect(more).toEqual([]);
  expect(retained).toEqual(sentences(0, retained.length));
  return retained.length < came.length ? cutMs - came[retained.length]! : 0;
}

it('T-080 a power cut while AIS is received costs at most its last two seconds and changes no earlier sentence', async () => {
  const lost = await Promise.all(Array.from({ length: CUTS }, (_, n) => sentencesLostAtCut(2600 + n * 170)));

  process.stdout.write(`T-080: ${CUTS} cuts, at most ${Math.round(Math.max(...lost))} ms of AIS lost\n`);
  expect(Math.max(...lost)).toBeLessThan(LOST_MS);
});
