import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { flightBytes } from '../../../test/flight.ts';
import { folderStorage } from '../../base/storage/folder.ts';
import { mendFile } from './mend.ts';

const KEY = 'originals/s/f.ts';
const flight = flightBytes({ seconds: 2 });

async function mended(bytes: Buffer) {
  const root = await mkdtemp(join(tmpdir(), 'osprey-mend-'));
  atEnd(() => rm(root, { recursive: true, force: true }));
  const storage = folderStorage({ root });
  await storage.put(KEY, [bytes]);
  const found = await mendFile(storage, KEY);
  const left = (await storage.stat(KEY)) && Buffer.concat(await storage.read(KEY).toArray());
  return { sizeBytes: found?.sizeBytes ?? null, left };
}

it.each([
  ['whole packets', flight, flight.length],
  ['half a packet at the end', flight.subarray(0, 10 * 188 + 100), 10 * 188],
  ['zeros behind the data', Buffer.concat([flight, Buffer.alloc(300_000)]), flight.length],
  ['a packet that became zeros half-way', Buffer.concat([flight.subarray(0, 188 + 90), Buffer.alloc(98)]), 2 * 188],
])('cuts a file with %s', async (_what, bytes, expected) => {
  const { sizeBytes, left } = await mended(bytes);

  expect(sizeBytes).toBe(expected);
  expect(left?.equals(bytes.subarray(0, expected))).toBe(true);
});

it.each([
  ['less than a packet', flight.subarray(0, 100)],
  ['zeros alone', Buffer.alloc(188 * 3000)],
  ['nothing', Buffer.alloc(0)],
])('leaves no file of %s', async (_what, bytes) => {
  expect(await mended(bytes)).toEqual({ sizeBytes: null, left: null });
});
