import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CutShort, NotStored, type Storage } from '../src/base/storage/storage.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const bytes of source) parts.push(bytes);
  return Buffer.concat(parts);
}

async function keys(storage: Storage, folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of storage.list(folder)) found.push(key);
  return found.sort();
}

/** Tests that every storage must pass. Each storage implementation calls this from its own test file. */
export function storageContract(name: string, make: () => Promise<Storage>): void {
  describe(`${name} as a storage`, () => {
    it('gives back what was put, with its length and hash', async () => {
      const storage = await make();
      const bytes = randomBytes(700_001);

      const stored = await storage.put('originals/s/a.ts', [bytes.subarray(0, 300_000), bytes.subarray(300_000)]);

      expect(stored).toEqual({ sizeBytes: 700_001, sha256: sha256(bytes) });
      expect(await collect(storage.read('originals/s/a.ts'))).toEqual(bytes);
      expect(await storage.stat('originals/s/a.ts')).toMatchObject({ sizeBytes: 700_001 });
    });

    it('reads half-open ranges, also empty ones and such that reach past the end', async () => {
      const storage = await make();
      await storage.put('originals/s/a.ts', [Buffer.from('0123456789')]);
      const range = async (start: number, end?: number) =>
        String(await collect(storage.read('originals/s/a.ts', end === undefined ? { start } : { start, end })));

      expect(await range(2, 5)).toBe('234');
      expect(await range(7)).toBe('789');
      expect(await range(4, 4)).toBe('');
      expect(await range(8, 100)).toBe('89');
      expect(await range(50, 60)).toBe('');
    });

    it('fails for a range that must be whole and reaches past the end', async () => {
      const storage = await make();
      await storage.put('originals/s/a.ts', [Buffer.from('0123456789')]);
      const whole = (start: number, end: number) =>
        collect(storage.read('originals/s/a.ts', { start, end, isComplete: true }));

      expect(String(await whole(2, 10))).toBe('23456789');
      await expect(whole(2, 11)).rejects.toThrow(CutShort);
      await expect(whole(20, 30)).rejects.toThrow(CutShort);
    });

    it('keeps the old file and leaves no temporary one when a put fails half-way', async () => {
      const storage = await make();
      await storage.put('indexes/s/a.json', [Buffer.from('old')]);
      const breaking = (async function* () {
        yield Buffer.from('new');
        throw new Error('the source broke');
      })();

      await expect(storage.put('indexes/s/a.json', breaking)).rejects.toThrow('the source broke');

      expect(String(await collect(storage.read('indexes/s/a.json')))).toBe('old');
      expect(await keys(storage, 'indexes')).toEqual(['indexes/s/a.json']);
      expect(await storage.sweep(-1)).toBe(0);
    });

    it('fills a buffer from any place of an open file', async () => {
      const storage = await make();
      await storage.put('originals/s/a.ts', [Buffer.from('0123456789')]);
      const file = await storage.open('originals/s/a.ts');
      const buffer = Buffer.alloc(4);

      expect(file.sizeBytes).toBe(10);
      expect(await file.read(buffer, 3)).toBe(4);
      expect(String(buffer)).toBe('3456');
      expect(await file.read(buffer, 8)).toBe(2);
      expect(await file.read(buffer, 10)).toBe(0);
      await file.close();
    });

    it('appends where it left off after being opened again, and cuts', async () => {
      const storage = await make();
      const first = await storage.append('uploads/u.part');
      await first.write(Buffer.from('hello '));
      await first.sync();
      await first.close();

      const again = await storage.append('uploads/u.part');
      expect(again.sizeBytes()).toBe(6);
      await again.write(Buffer.from('world!'));
      await again.truncate(11);
      await again.sync();
      await again.close();

      expect(String(await collect(storage.read('uploads/u.part')))).toBe('hello world');
    });

    it('moves a file into a folder that was not there', async () => {
      const storage = await make();
      await storage.put('uploads/u.part', [Buffer.from('x')]);

      await storage.move('uploads/u.part', 'originals/sensor/file.ts');

      expect(await storage.stat('uploads/u.part')).toBeNull();
      expect(String(await collect(storage.read('originals/sensor/file.ts')))).toBe('x');
      await expect(storage.move('uploads/u.part', 'originals/sensor/other.ts')).rejects.toThrow(NotStored);
    });

    it('has the same bytes under a second key, which stay when the first goes', async () => {
      const storage = await make();
      await storage.put('originals/a/one.ts', [Buffer.from('x')]);

      await storage.duplicate('originals/a/one.ts', 'originals/b/two.ts');
      await storage.remove('originals/a/one.ts');

      expect(String(await collect(storage.read('originals/b/two.ts')))).toBe('x');
      await expect(storage.duplicate('originals/a/one.ts', 'originals/b/three.ts')).rejects.toThrow(NotStored);
    });

    it('says NotStored for an absent key, and removes it without complaint', async () => {
      const storage = await make();

      await expect(storage.open('originals/s/none.ts')).rejects.toThrow(NotStored);
      await expect(collect(storage.read('originals/s/none.ts'))).rejects.toThrow(NotStored);
      expect(await storage.stat('originals/s/none.ts')).toBeNull();
      await storage.remove('originals/s/none.ts');
      await storage.removeAll('originals/s');
      expect(await keys(storage, 'originals')).toEqual([]);
    });

    it('lists what is in a folder, and removes all of it', async () => {
      const storage = await make();
      for (const key of ['indexes/s/a.json', 'indexes/s/b.bin', 'indexes/t/c.bin']) await storage.put(key, []);

      expect(await keys(storage, 'indexes/s')).toEqual(['indexes/s/a.json', 'indexes/s/b.bin']);
      await storage.removeAll('indexes/s');

      expect(await keys(storage, 'indexes')).toEqual(['indexes/t/c.bin']);
    });

    it.each([
      '',
      'a',
      '/etc/passwd',
      'a/../b',
      'a/./b',
      '../a',
      'a//b',
      'a\\b/c',
      'a/b\0c',
      'a/.hidden',
      'a/b c',
      `a/${'x'.repeat(300)}`,
    ])('refuses the key %j in every call', async (key) => {
      const storage = await make();

      for (const call of [
        () => storage.put(key, []),
        () => storage.append(key),
        () => storage.open(key),
        () => storage.stat(key),
        () => storage.remove(key),
        () => storage.move(key, 'a/b'),
        () => storage.move('a/b', key),
        () => storage.duplicate(key, 'a/b'),
        () => storage.duplicate('a/b', key),
        async () => storage.read(key),
        async () => storage.path(key),
      ]) {
        await expect(call()).rejects.toThrow(RangeError);
      }
    });

    it('reports its free space', async () => {
      const { freeBytes, totalBytes } = await (await make()).space();

      expect(freeBytes).toBeGreaterThan(0);
      expect(totalBytes).toBeGreaterThanOrEqual(freeBytes);
    });
  });
}
