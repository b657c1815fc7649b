import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulateToFile } from '@osprey/simulator';
import { afterAll, describe, expect, it } from 'vitest';
import { mux } from '../../../../../packages/mpegts/test/streams.ts';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { flightStream } from '../../../test/transport.ts';
import { folderStorage } from '../../base/storage/folder.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { indexFile } from './build-file-index.ts';
import { type FileIndex, getJson, readFileIndex } from './file-index.ts';
import { openGrowingIndex } from './growing-index.ts';

const folder = await mkdtemp(join(tmpdir(), 'osprey-growing-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const storage = folderStorage({ root: join(folder, 'storage') });
const NOW_US = Date.UTC(2026, 0, 1) * 1000;

/** The index with its files in place of their names. */
async function contents(of: Storage, index: FileIndex) {
  const { telemetryKey, segmentsKey, fileId: _, ...rest } = index;
  const telemetry = telemetryKey === null ? null : Buffer.concat(await of.read(telemetryKey).toArray());
  return { ...rest, telemetry, segments: segmentsKey === null ? null : await getJson(of, segmentsKey) };
}

async function indexedAtOnce(bytes: Uint8Array): Promise<FileIndex> {
  const sensorId = crypto.randomUUID();
  const file = { id: crypto.randomUUID(), key: `originals/${sensorId}/x.ts` };
  await storage.put(file.key, [bytes]);
  const nothing = { onMark: async () => {}, onProgress: () => {}, signal: new AbortController().signal };
  return indexFile({ storage, sensorId, file, nowUs: NOW_US, ...nothing });
}

async function indexedInPieces(bytes: Uint8Array, pieces: () => number): Promise<FileIndex> {
  const [sensorId, fileId] = [crypto.randomUUID(), crypto.randomUUID()];
  const index = await openGrowingIndex({ storage, sensorId, fileId, nowUs: () => NOW_US, onMark: () => {} });
  for (let at = 0; at < bytes.length; ) {
    const size = pieces();
    index.push(bytes.slice(at, at + size));
    at += size;
    await index.settle();
  }
  await index.finish();
  return (await readFileIndex(storage, sensorId, fileId))!;
}

/** Numbers of a seeded generator (mulberry32), from 1 to about `most`. */
function sizes(seed: number, most: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return 1 + (((t ^ (t >>> 14)) >>> 0) % most);
  };
}

const packets = (next: () => number) => () => 188 * next();

async function expectSame(bytes: Uint8Array): Promise<FileIndex> {
  const complete = await indexedAtOnce(bytes);
  const expected = await contents(storage, complete);
  for (const pieces of [sizes(1, 5000), sizes(2, 400_000), packets(sizes(3, 14))]) {
    expect(await contents(storage, await indexedInPieces(bytes, pieces))).toEqual(expected);
  }
  return complete;
}

describe('the index of a file that grows', () => {
  itWithData.each([
    'ts/osh/sample-stream.ts',
    'ts/kwiver/aphill_klv_10s.ts',
    'ts/kwiver/h264_audio.ts',
    'ts/kwiver/h264_klv.ts',
    'ts/kwiver/h264_no_klv.ts',
    'ts/kwiver/mpeg2_klv.ts',
  ])('is that of the whole file, however %s is cut', async (path) => {
    await expectSame(await readFile(testData(path)));
  });

  it('is that of the pictures in it if it ends after the tables that announce another coding', async () => {
    // A stream begins with its tables, a packet each.
    const other = mux({ streams: [{ pid: 256, kind: 'mpeg2' }] }, [
      { pid: 256, ptsTicks: 0, keyframe: true, bytes: new Uint8Array(100) },
    ]);
    const bytes = Buffer.concat([flightStream({ pictures: 60 }), other.subarray(0, 2 * 188)]);

    const index = await expectSame(bytes);

    expect(index).toMatchObject({ video: { codec: 'h264' }, frames: 60 });
  });

  it('is that of the whole file with telemetry, targets and a clock that jumps', async () => {
    const options = { width: 320, height: 180, fps: 15, seconds: 6, startUs: NOW_US - 3600e6 };
    await simulateToFile({ ...options, bFrames: 2 }, join(folder, 'a.ts'));
    await simulateToFile({ ...options, firstPtsTicks: 5_000_000 }, join(folder, 'b.ts'));
    const flights = [await readFile(join(folder, 'a.ts')), await readFile(join(folder, 'b.ts'))];

    const index = await expectSame(Buffer.concat(flights));

    expect(index.runs.length).toBe(2);
    expect(index.records).toBeGreaterThan(50);
  });

  it('leaves nothing when there is nothing to show, or when it is not wanted any more', async () => {
    const [sensorId, fileId] = [crypto.randomUUID(), crypto.randomUUID()];
    const options = { storage, sensorId, fileId, nowUs: () => NOW_US, onMark: () => {} };
    const empty = await openGrowingIndex(options);
    empty.push(new Uint8Array(1880).fill(0x47));

    await expect(empty.finish()).rejects.toThrow('no program with video or telemetry');
    await empty.discard();
    const heard = await openGrowingIndex(options);
    heard.push(mux({ streams: [{ pid: 257, kind: 'aac' }] }, [{ pid: 257, ptsTicks: 0, bytes: new Uint8Array(300) }]));
    await expect(heard.finish()).rejects.toThrow('it is sound alone');
    await heard.discard();

    for await (const { key } of storage.list(`indexes/${sensorId}`)) expect.fail(`${key} is left`);
  });
});
