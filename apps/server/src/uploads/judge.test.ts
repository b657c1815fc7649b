import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../tools/test-support/test-data.ts';
import { box, words } from '../../test/containers.ts';
import { folderStorage } from '../base/storage/folder.ts';
import { createJudge } from './judge.ts';

const root = await mkdtemp(join(tmpdir(), 'osprey-judge-'));
afterAll(() => rm(root, { recursive: true }));
const storage = folderStorage({ root });

async function judged(bytes: Uint8Array, name: string) {
  const key = `uploads/${crypto.randomUUID()}.part`;
  await storage.put(key, [bytes]);
  return createJudge(storage, key, name).complete();
}

const ftyp = box('ftyp', Buffer.from('isom\0\0\0\0isom', 'latin1'));

describe('a whole file in a container', () => {
  itWithData('is refused where its moov claims 2 ** 62 bytes, without taking them', async () => {
    const before = process.memoryUsage().rss;

    await expect(judged(readFileSync(testData('bad/media/mp4_huge_box.mp4')), 'a.mp4')).rejects.toThrow('no moov box');

    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  it('without moov is refused with that word', async () => {
    await expect(judged(Buffer.concat([ftyp, box('mdat', Buffer.alloc(5000))]), 'DJI_0001.MP4')).rejects.toThrow(
      'The file was refused: it has no moov box, the table of contents that a recorder writes at the end',
    );
  });

  it.each([
    ['an empty moov', box('moov', box('mvhd', words(0, 0, 0, 1000, 0)))],
    ['a moov of random bytes', box('moov', Buffer.from(Array.from({ length: 4000 }, (_, n) => (n * 7919) % 251)))],
    ['a track that is cut short', box('moov', box('trak', box('tkhd', words(3)), box('mdia', box('mdhd', words(0)))))],
    ['boxes within boxes', Array.from({ length: 500 }).reduce<Buffer>((inner) => box('trak', inner), box('moov'))],
  ])('with %s is refused', async (_what, moov) => {
    const bytes = Buffer.concat([ftyp, moov.toString('latin1', 4, 8) === 'moov' ? moov : box('moov', moov)]);

    await expect(judged(bytes, 'a.mp4')).rejects.toThrow(/holds no video|tables are damaged/);
  });

  it.each(['1a45dfa3', '1a45dfa3ff', '1a45dfa39342828b6d6174726f736b6118538067ffffffffffffffff'])(
    'of Matroska that holds nothing (%s) is refused',
    async (hex) => {
      await expect(judged(Buffer.from(hex, 'hex'), 'a.mkv')).rejects.toThrow(/holds no video|tables are damaged/);
    },
  );
});
