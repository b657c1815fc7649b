import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SHEET_CELL, SHEET_COLUMNS } from '@osprey/contract';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { ffmpegTools } from '../../base/ffmpeg/ffmpeg.ts';
import { findSandbox } from '../../base/ffmpeg/sandbox.ts';
import { folderStorage } from '../../base/storage/folder.ts';
import { pictureKey, pictureName } from '../index/picture-files.ts';
import { readSheets, sheetKey, sheetListKey } from '../index/sheet-files.ts';
import { makeSheets } from './sheets.ts';

const root = await mkdtemp(join(tmpdir(), 'osprey-sheets-'));
afterAll(() => rm(root, { recursive: true, force: true }));
const storage = folderStorage({ root });
const ffmpeg = ffmpegTools({ sandbox: await findSandbox('auto') });
const SECOND = 1_000_000;
const START_US = Date.UTC(2026, 5, 1) * 1000;

type Rgb = readonly [number, number, number];
/** A colour for each number, far from those of its neighbours. */
const colourOf = (n: number): Rgb => [(n * 83) % 200, (n * 47 + 90) % 200, (n * 131 + 40) % 200];

async function pictureOf([r, g, b]: Rgb, { width = 180, height = 102 } = {}): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: { r, g, b } } })
    .jpeg({ quality: 90, chromaSubsampling: '4:2:0' })
    .toBuffer();
}

/** A sensor of which these pictures are stored, each 10 s. */
async function sensorWith(pictures: readonly (Buffer | null)[]) {
  const [missionId, sensorId] = [crypto.randomUUID(), crypto.randomUUID()];
  const stored: { n: number; timeUs: number }[] = [];
  for (const [n, bytes] of pictures.entries()) {
    if (bytes) await storage.put(pictureKey(missionId, pictureName(sensorId, n)), [bytes]);
    stored.push({ n, timeUs: START_US + n * 10 * SECOND });
  }
  const warnings: string[] = [];
  const log = { warn: (_fields: object, text: string) => void warnings.push(text) };
  const make = ({ of = stored.length, indexKey = 'index', isAll = true } = {}) =>
    makeSheets(
      { storage, ffmpeg, log },
      {
        missionId,
        sensorId,
        isAll,
        signal: new AbortController().signal,
        list: { indexKey, pictures: stored.slice(0, of) },
      },
    );
  const read = (indexKey = 'index') => readSheets(storage, { id: sensorId, missionId, indexKey });
  const bytesOf = async (id: string) => {
    const parts: Buffer[] = [];
    for await (const part of storage.read(sheetKey(missionId, sensorId, id))) parts.push(part as Buffer);
    return Buffer.concat(parts);
  };
  /** Numbers of the pictures in the sheet, by their times, each checked against the colour of its cell. */
  async function checked({ id, timesUs, height }: Awaited<ReturnType<typeof read>>[number]): Promise<number[]> {
    const { data, info } = await sharp(await bytesOf(id))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({
      width: SHEET_CELL * SHEET_COLUMNS,
      height: height * Math.ceil(timesUs.length / SHEET_COLUMNS),
    });
    return timesUs.map((timeUs, cell) => {
      const n = Math.round((timeUs - START_US) / (10 * SECOND));
      const x = (cell % SHEET_COLUMNS) * SHEET_CELL + SHEET_CELL / 2;
      const y = Math.floor(cell / SHEET_COLUMNS) * height + height / 2;
      const at = (Math.round(y) * info.width + x) * info.channels;
      const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3);
      const [red, green, blue] = colourOf(n);
      expect(Math.max(Math.abs(r - red), Math.abs(g - green), Math.abs(b - blue)), `picture ${n}`).toBeLessThan(14);
      return n;
    });
  }
  return { missionId, sensorId, make, read, bytesOf, checked, warnings };
}

const many = (count: number) => Promise.all(Array.from({ length: count }, (_none, n) => pictureOf(colourOf(n))));
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_none, at) => from + at);

it('joins 60 pictures of ten minutes, each in the cell of its time, and makes no sheet twice', async () => {
  const { make, read, checked } = await sensorWith(await many(133));

  await make({ of: 70, isAll: false });
  const [first, ...further] = await read();
  expect(further).toEqual([]);
  await make();
  const sheets = await read();

  expect(sheets[0]).toEqual(first);
  expect(await Promise.all(sheets.map(checked))).toEqual([numbers(0, 60), numbers(60, 120), numbers(120, 133)]);
});

it('leaves out what is absent, cut off, garbled or of another size, and keeps the others in their places', async () => {
  const pictures: (Buffer | null)[] = await many(14);
  pictures[2] = null;
  pictures[4] = Buffer.from('picture');
  pictures[6] = pictures[6]!.subarray(0, 300);
  pictures[12] = Buffer.from(pictures[12]!);
  pictures[12][pictures[12].indexOf(Buffer.from([0xff, 0xc0])) + 4] = 12;
  pictures[8] = await pictureOf(colourOf(8), { width: 180, height: 136 });
  const garbled = Buffer.from(pictures[10]!);
  // Its first component refers to Huffman tables that it does not define.
  garbled[garbled.indexOf(Buffer.from([0xff, 0xda])) + 6] = 0x33;
  pictures[10] = garbled;
  const { make, read, checked, warnings } = await sensorWith(pictures);

  await make();
  const sheets = await read();

  expect(await Promise.all(sheets.map(checked))).toEqual([[0, 1, 3, 5, 7, 9, 11, 13], [8]]);
  expect(sheets.map(({ height }) => height)).toEqual([54, 72]);
  expect(warnings).toEqual(['pictures left out of a sheet']);
});

it('takes at most 0.6 MB an hour, with its list, also of pictures that hardly shrink', async () => {
  const noise = await sharp({
    create: {
      width: 180,
      height: 102,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 90 },
    },
  })
    .jpeg({ quality: 100 })
    .toBuffer();
  const { make, read, bytesOf, missionId, sensorId } = await sensorWith(Array.from({ length: 60 }, () => noise));

  await make();
  const [sheet] = await read();

  const bytes = (await bytesOf(sheet!.id)).length;
  const list = (await storage.stat(sheetListKey(missionId, sensorId)))!.sizeBytes;
  expect(6 * (bytes + list)).toBeLessThan(600_000);
});

it('are not those of an index that was made meanwhile, and a damaged list has none', async () => {
  const { make, read, checked, missionId, sensorId } = await sensorWith(await many(3));
  await make();
  const [before] = await read();

  expect(await read('newer')).toEqual([]);
  await make({ indexKey: 'newer' });
  const [after] = await read('newer');
  expect(after!.id).not.toBe(before!.id);
  expect(await checked(after!)).toEqual([0, 1, 2]);
  await storage.put(sheetListKey(missionId, sensorId), [Buffer.from('{"sheets":[')]);
  expect(await read('newer')).toEqual([]);
  await make({ indexKey: 'newer' });
  expect(await read('newer')).toHaveLength(1);
});
