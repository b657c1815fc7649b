import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { headersOf, plainHeaderOf } from '../../../test/zip-headers.ts';
import { directory, localHeader } from './zip-format.ts';
import { summing, writeZip, type ZipSource } from './zip-writer.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
/** Length of an entry that is written and read; 5 GB in a soak. */
const ENTRY_BYTES = Number(process.env.OSPREY_ZIP_ENTRY_BYTES ?? 64 * MIB);
/** Written and read again on a disk that does no more than 20 MB/s. */
const PATIENCE_MS = 60_000 + ENTRY_BYTES / 10_000;
const date = new Date('2026-06-01T09:00:00Z');

const folder = mkdtempSync(join(tmpdir(), 'osprey-zips-'));
atEnd(() => rmSync(folder, { recursive: true, force: true }));

const zipOf = (...sources: Omit<ZipSource, 'date'>[]) =>
  writeZip(Readable.from(sources.map((source) => ({ ...source, date }))));

async function* chunks(count: number, fill = 7): AsyncGenerator<Buffer> {
  for (let at = 0; at < count; at += 1) yield Buffer.alloc(MIB, (fill + at) % 251);
}

const python = (script: string, path: string): string =>
  execFileSync('python3', ['-c', script, path]).toString().trim();

describe('a zip that is written as a stream', () => {
  it('has length and CRC of every entry before its bytes, whether they are in memory or read twice', async () => {
    let readings = 0;
    const { onRead, sum } = summing();
    let written = 0;
    const large = {
      name: 'Ærø/large.ts',
      bytes: () => {
        readings += 1;
        return chunks(20);
      },
      onRead,
      onWrite: (bytes: Uint8Array) => {
        written += bytes.byteLength;
      },
    };
    const small = { name: 'small.json', bytes: () => chunks(1) };

    const zip = await buffer(zipOf({ name: 'empty', bytes: Buffer.alloc(0) }, large, small));

    const { central, local, data, ...rest } = headersOf(zip);
    expect(rest).toEqual({ unusedBytes: 0, hasZip64End: false });
    expect(data.map(({ length }) => length)).toEqual([0, 20 * MIB, MIB]);
    expect(local).toEqual(central.map(({ name, offset }, at) => plainHeaderOf(name, offset, data[at]!)));
    expect(central).toEqual(local);
    expect(central.map(({ name }) => name)).toEqual(['empty', 'Ærø/large.ts', 'small.json']);
    expect(readings).toBe(2);
    expect(written).toBe(20 * MIB);
    expect(sum()).toEqual({ sizeBytes: 20 * MIB, sha256: createHash('sha256').update(data[1]!).digest('hex') });
  });

  it.each([
    ['other bytes', () => chunks(20, 8)],
    ['fewer bytes', () => chunks(19)],
    ['more bytes', () => chunks(21)],
  ])('ends as an error where the second reading gives %s', async (_what, second) => {
    let isFirst = true;
    const bytes = () => {
      const given = isFirst ? chunks(20) : second();
      isFirst = false;
      return given;
    };

    await expect(buffer(zipOf({ name: 'a.ts', bytes }))).rejects.toThrow('a.ts changed');
  });

  it.each([0, 20])('ends as an error where a source fails after %i MiB', async (count) => {
    async function* failing() {
      yield* chunks(count);
      throw new Error('the disk is gone');
    }

    await expect(buffer(zipOf({ name: 'a', bytes: failing }))).rejects.toThrow('the disk is gone');
  });

  it('ends at once where its reader goes away, and ends the source that it waits for', async () => {
    const stuck = new Readable({ read() {} });
    const zip = zipOf({ name: 'a', bytes: () => stuck });
    const ended = buffer(zip);
    await expect.poll(() => stuck.listenerCount('readable')).toBeGreaterThan(0);

    zip.destroy(new Error('cancelled'));

    await expect(ended).rejects.toThrow('cancelled');
    await expect.poll(() => stuck.destroyed).toBe(true);
  });

  it('has ZIP64 fields for those entries alone that need them', async () => {
    const path = join(folder, 'sparse.zip');
    const file = await open(path, 'w');
    const small = { name: 'small', date, sizeBytes: 3, crc32: 0 };
    // Exactly the largest length without ZIP64, the smallest with it, and two entries behind 4 GiB.
    const sizes = [
      ['a', 0xfffffffe],
      ['b', 0xffffffff],
      ['c', 5 * GIB],
      ['d', 3],
    ] as const;
    const placed = [];
    let at = 0;
    for (const [name, sizeBytes] of sizes) {
      const entry = { ...small, name, sizeBytes };
      placed.push({ ...entry, offset: at });
      await file.write(localHeader(entry), 0, undefined, at);
      at += localHeader(entry).length + sizeBytes;
    }
    const end = Buffer.concat([...directory(placed, at)]);
    await file.write(end, 0, undefined, at);
    await file.close();

    expect(sizes.map(([name, sizeBytes]) => localHeader({ ...small, name, sizeBytes }).length)).toEqual([
      ...[31, 31 + 20, 31 + 20, 31],
    ]);
    const listed = python(
      'import sys,zipfile,json; print(json.dumps([[i.filename, i.file_size, i.compress_size, i.header_offset, i.extract_version, len(i.extra)] for i in zipfile.ZipFile(sys.argv[1]).infolist()]))',
      path,
    );
    expect(JSON.parse(listed)).toEqual([
      ['a', 0xfffffffe, 0xfffffffe, 0, 20, 0],
      ['b', 0xffffffff, 0xffffffff, placed[1]!.offset, 45, 28],
      ['c', 5 * GIB, 5 * GIB, placed[2]!.offset, 45, 28],
      ['d', 3, 3, placed[3]!.offset, 45, 12],
    ]);
  });

  it('counts more entries than 16 bits can', () => {
    const path = join(folder, 'many.zip');
    const data = Buffer.from('x');
    const parts: Buffer[] = [];
    const placed = Array.from({ length: 0x10000 }, (_, at) => {
      const entry = { name: String(at).padStart(5, '0'), date, sizeBytes: 1, crc32: crc32(data) };
      parts.push(localHeader(entry), data);
      return { ...entry, offset: at * (30 + 5 + 1) };
    });
    writeFileSync(path, Buffer.concat([...parts, ...directory(placed, placed.length * (30 + 5 + 1))]));

    expect(
      python('import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(len(z.namelist()), z.read("65535"))', path),
    ).toBe("65536 b'x'");
  });

  it(
    'holds a large entry, which other programs read',
    async () => {
      const path = join(folder, 'large.zip');
      const count = Math.ceil(ENTRY_BYTES / MIB);
      const last = { name: 'last', bytes: Buffer.from('after it\n') };
      await pipeline(zipOf({ name: 'large', bytes: () => chunks(count) }, last), createWriteStream(path));

      execFileSync('unzip', ['-tq', path]);
      const read =
        'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), z.getinfo("large").file_size)';
      expect(python(read, path)).toBe(`None ${count * MIB}`);
      expect(execFileSync('unzip', ['-p', path, 'last']).toString()).toBe('after it\n');
      rmSync(path);
    },
    PATIENCE_MS,
  );
});
