import { describe, expect, it } from 'vitest';
import { applyManifest, readManifest } from './manifest.ts';

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

describe('a manifest', () => {
  it('is read with its hashes in lower case and its times in microseconds', () => {
    const hash = 'AB'.repeat(32);
    const files = [
      { name: 'b.ts', sha256: hash, startTime: '2020-01-01T00:00:00Z' },
      { name: 'a.ts', startTime: 1_577_836_800_000_005 },
    ];

    expect(readManifest(bytes({ files, comment: 'ignored' })).files).toEqual([
      { name: 'b.ts', sha256: hash.toLowerCase(), startTime: 1_577_836_800_000_000 },
      { name: 'a.ts', startTime: 1_577_836_800_000_005 },
    ]);
  });

  it.each([
    ['no JSON', '{', 'not valid JSON'],
    ['no files', { files: [] }, 'files'],
    ['a hash of the wrong length', { files: [{ name: 'a', sha256: 'ff' }] }, 'files.0.sha256'],
    ['a time without zone', { files: [{ name: 'a', startTime: '2020-01-01' }] }, 'files.0.startTime'],
    ['a time in seconds', { files: [{ name: 'a', startTime: 1_577_836_800 }] }, 'files.0.startTime: is before 1990'],
    ['a time in milliseconds', { files: [{ name: 'a', startTime: 1_577_836_800_000 }] }, 'use microseconds'],
    ['one name twice', { files: [{ name: 'a' }, { name: 'a' }] }, 'twice'],
    ['too many files', { files: Array.from({ length: 10_001 }, (_, i) => ({ name: `${i}` })) }, 'files'],
    ['more than 1 MiB', ' '.repeat(1024 * 1024 + 1), '1 MiB'],
  ])('is refused with %s', (_what, value, text) => {
    expect(() => readManifest(bytes(value))).toThrow(text);
  });

  it('orders the files it names, reports damaged and missing ones, and leaves the rest alone', () => {
    const list = readManifest(
      bytes({ files: [{ name: 'two.ts' }, { name: 'dir/one.ts', sha256: '0'.repeat(64) }, { name: 'gone.ts' }] }),
    );

    const verdict = applyManifest(list, [
      { id: '1', name: 'one.ts', sha256: 'f'.repeat(64) },
      { id: '2', name: 'two.ts', sha256: null },
      { id: '3', name: 'three.ts', sha256: null },
    ]);

    expect(verdict.missing).toEqual(['gone.ts']);
    expect([...verdict.files]).toEqual([
      ['2', { position: 0, startTime: null, intact: true }],
      ['1', { position: 1, startTime: null, intact: false }],
    ]);
  });

  it('distinguishes files of one name by their hashes, and gives none to two entries', () => {
    const [x, y] = ['a'.repeat(64), 'b'.repeat(64)];
    const list = readManifest(
      bytes({ files: [{ name: 'gone/1.ts' }, { name: 'left/1.ts', sha256: x }, { name: 'right/1.ts', sha256: y }] }),
    );

    const verdict = applyManifest(list, [
      { id: 'right', name: '1.ts', sha256: y },
      { id: 'left', name: '1.ts', sha256: x },
    ]);

    expect(verdict.missing).toEqual(['gone/1.ts']);
    expect([...verdict.files].map(([id, { position, intact }]) => [id, position, intact])).toEqual([
      ['left', 1, true],
      ['right', 2, true],
    ]);
  });
});
