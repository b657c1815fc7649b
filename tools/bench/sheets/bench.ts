import { createReadStream, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addMission, addSensor } from '../../../apps/server/test/missions.ts';
import { median } from '../../test-support/statistics.ts';
import { testData } from '../../test-support/test-data.ts';
import { type BenchLine, belowGoal } from '../bench-line.ts';
import { rounded } from '../bench-server.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const PAIRS = 7;
/** One window of ten minutes with a picture each 10 s. */
const PICTURES = 60;
const STEP_US = 10_000_000;
const HOUR_US = 3_600_000_000;
/** Sheets may take this share of the time of the job, and so many bytes for an hour of a sensor. */
const SHARE = 0.05;
const HOUR_BYTES = 600_000;

type Db = Parameters<typeof addMission>[0];
type Sheets = (order: object) => Promise<string[]>;
type Run = { seconds: number; sheetSeconds: number; bytes: number };

const server = (path: string) => import(pathToFileURL(join(ROOT, 'apps/server/src', path)).href);

/**
 * Measures the job that makes the pictures along a recording with and without their sheets, alternately, over ten minutes
 * of a real recording.
 */
export async function bench(): Promise<BenchLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-bench-sheets-'));
  const { startPostgres } = await server('base/db/postgres-server.ts');
  const { connect } = await server('base/db/connect.ts');
  const { migrate } = await server('base/db/migrate.ts');
  const own = process.getuid?.() === 0 ? `/var/lib/osprey/bench-${process.pid}` : join(folder, 'postgres');
  const postgres = await startPostgres({ folder: own });
  const db = connect({ url: postgres.url('postgres'), statementTimeoutMs: 60_000 });
  try {
    await migrate(db);
    return await measure(db, join(folder, 'data'));
  } finally {
    await db.destroy();
    await postgres.stop();
    for (const path of [folder, own]) await rm(path, { recursive: true, force: true });
  }
}

async function measure(db: Db, root: string): Promise<BenchLine[]> {
  const run = await runner(db, root);
  // Once each first, so that files are cached and modules are compiled.
  for (const isJoined of [true, false]) await run(isJoined);
  const pairs: [joined: Run, plain: Run][] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) pairs.push([await run(true), await run(false)]);
  const ratios = pairs.map(([joined, plain]) => plain.seconds / joined.seconds);
  const shares = pairs.map(([joined]) => joined.sheetSeconds / joined.seconds);
  const hourBytes = (pairs[0]![0].bytes * HOUR_US) / (PICTURES * STEP_US);
  return [
    {
      name: 'sheets',
      unit: 's',
      ours: rounded(median(pairs.map(([joined]) => joined.seconds))),
      peer: rounded(median(pairs.map(([, plain]) => plain.seconds))),
      peerName: 'the same job without sheets',
      ratio: thousandths(median(ratios)),
      failure:
        hourBytes > HOUR_BYTES
          ? `${Math.round(hourBytes)} bytes for an hour, at most ${HOUR_BYTES}`
          : belowGoal(median(ratios), 1 - SHARE),
      note:
        `${PICTURES} pictures; sheet and list ${Math.round(hourBytes)} bytes for an hour; ` +
        `inside the job sheets take ${thousandths(median(shares))} of its time; ratios ${ratios.map(thousandths).join(' ')}`,
    },
  ];
}

async function runner(db: Db, root: string): Promise<(isJoined: boolean) => Promise<Run>> {
  const { folderStorage } = await server('base/storage/folder.ts');
  const { originalKey } = await server('base/storage/originals.ts');
  const { ffmpegTools } = await server('base/ffmpeg/ffmpeg.ts');
  const { findSandbox } = await server('base/ffmpeg/sandbox.ts');
  const { openGrowingIndex } = await server('media/index/growing-index.ts');
  const { putGrowingStills } = await server('media/index/growing-stills.ts');
  const { sheetListKey, sheetKey } = await server('media/index/sheet-files.ts');
  const { thumbnailsJob } = await server('media/convert/thumbnails.ts');
  const { makeSheets } = await server('media/convert/sheets.ts');
  const storage = folderStorage({ root });
  const ffmpeg = ffmpegTools({ sandbox: await findSandbox('auto') });
  const log = { warn: (fields: object, text: string) => process.stderr.write(`${text} ${JSON.stringify(fields)}\n`) };
  const path = testData('ts/osh/sample-stream.ts');

  /** Key frames of the recording, as often as needed. */
  const index = await openGrowingIndex({
    ...{ storage, sensorId: crypto.randomUUID(), fileId: crypto.randomUUID() },
    ...{ nowUs: () => Date.now() * 1000, onMark: () => undefined },
  });
  for await (const part of createReadStream(path)) index.push(part as Buffer);
  const segments = index.closed(0) as { offset: number; sizeBytes: number }[];
  await index.discard();
  if (segments.length < 2) throw new Error(`${statSync(path).size} bytes without segments`);

  return async (isJoined) => {
    const missionId = await addMission(db, { name: 'sheets', state: 'Running' });
    const sensorId = await addSensor(db, missionId, { name: 'EO', state: 'Running' });
    const fileId = crypto.randomUUID();
    await storage.put(originalKey(sensorId, fileId), createReadStream(path));
    const stills = Array.from({ length: PICTURES }, (_none, n) => {
      const { offset, sizeBytes } = segments[n % segments.length]!;
      return { fileId, timeUs: n * STEP_US, offset, sizeBytes };
    });
    await putGrowingStills(storage, { missionId, sensorId }, stills);
    let sheetSeconds = 0;
    const sheets: Sheets = async (order) => {
      const begun = performance.now();
      const keys = isJoined ? await makeSheets({ storage, ffmpeg, log }, order) : [];
      sheetSeconds += (performance.now() - begun) / 1000;
      return keys;
    };
    const job = thumbnailsJob({ db, storage, ffmpeg, log, sheets, changed: () => undefined });
    const order = { jobId: 'bench', missionId, sensorId, fileId: null, documentId: null, attempt: 1 };
    const begun = performance.now();
    await job.run({ ...order, signal: new AbortController().signal, progress: () => undefined });
    const seconds = (performance.now() - begun) / 1000;
    const bytes = isJoined
      ? await sizeOf(storage, [sheetListKey(missionId, sensorId), sheetKey(missionId, sensorId, '')])
      : 0;
    return { seconds, sheetSeconds, bytes };
  };

  /** Size of the files whose keys begin as one of these. */
  async function sizeOf(from: typeof storage, keys: readonly string[]): Promise<number> {
    let size = 0;
    const stems = keys.map((key) => key.replace(/\.jpg$/, ''));
    for await (const { key, sizeBytes } of from.list(stems[0]!.slice(0, stems[0]!.lastIndexOf('/')))) {
      if (stems.some((stem) => key.startsWith(stem))) size += sizeBytes;
    }
    return size;
  }
}

const thousandths = (value: number): number => Math.round(value * 1000) / 1000;
