import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { atEnd } from '../../../../test/cleanup.ts';
import { folderStorage } from '../../../base/storage/folder.ts';
import type { RingSegment } from '../../../recorder-wire/protocol.ts';
import { openRingFile } from './ring-file.ts';

const SENSOR = crypto.randomUUID();

async function ringOf(sizes: readonly number[]) {
  const root = await mkdtemp(join(tmpdir(), 'osprey-ring-file-'));
  atEnd(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, SENSOR));
  const bytes = sizes.map((size, i) => Buffer.alloc(size, i + 1));
  for (const [i, one] of bytes.entries()) await writeFile(join(root, SENSOR, `${i + 7}.ts`), one);
  const segments: RingSegment[] = sizes.map((sizeBytes, i) => ({
    ...{ sensorId: SENSOR, n: i + 7, startUs: i * 2e6, firstPtsTicks: 0, durationSeconds: 2, sizeBytes },
    ...{ discontinuity: false, breaks: 1, done: true, parts: [] },
  }));
  const drop = (n: number) => rm(join(root, SENSOR, `${n}.ts`));
  return { storage: folderStorage({ root }), segments, bytes, drop };
}

async function allOf(file: Awaited<ReturnType<typeof openRingFile>>, step: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let at = 0; at < file.sizeBytes; ) {
    const buffer = Buffer.alloc(step);
    const read = await file.read(buffer, at);
    pieces.push(buffer.subarray(0, read));
    at += read;
  }
  return Buffer.concat(pieces);
}

it('reads segments as one file, also those that the ring drops meanwhile', async () => {
  const { storage, segments, bytes, drop } = await ringOf([500, 1, 300, 700]);

  const file = await openRingFile(storage, SENSOR, segments);
  for (const { n } of segments) await drop(n);

  expect(file.sizeBytes).toBe(1501);
  expect((await allOf(file, 256)).equals(Buffer.concat(bytes))).toBe(true);
  const middle = Buffer.alloc(4);
  expect(await file.read(middle, 499)).toBe(4);
  expect([...middle]).toEqual([1, 2, 3, 3]);
  await file.close();
});

it('leaves out those that were dropped before it was opened, and bytes that came after', async () => {
  const { storage, segments, bytes, drop } = await ringOf([500, 100, 300]);
  await drop(7);
  segments[2]!.sizeBytes = 200;

  const file = await openRingFile(storage, SENSOR, segments);

  expect(file.segments.map(({ n }) => n)).toEqual([8, 9]);
  expect((await allOf(file, 1000)).equals(Buffer.concat([bytes[1]!, bytes[2]!.subarray(0, 200)]))).toBe(true);
  await file.close();
});

it('fails where a segment is shorter than the recorder said', async () => {
  const { storage, segments } = await ringOf([500, 100]);
  segments[0]!.sizeBytes = 600;

  const file = await openRingFile(storage, SENSOR, segments);

  await expect(allOf(file, 1000)).rejects.toThrow('shorter');
  await file.close();
});
