import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { BackupDamaged, contentName, seal, sealedBytes, unseal } from './seal.ts';

const MIB = 1024 * 1024;
const key = randomBytes(32);

async function* parts(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const part of source) all.push(part);
  return Buffer.concat(all);
}

const sealed = (bytes: Buffer, purpose = 'a') => collect(seal(key, purpose, parts(bytes, 70_000)));
const opened = (bytes: Buffer, { with: other = key, purpose = 'a' } = {}) =>
  collect(unseal(other, purpose, parts(bytes, 333_333)));

describe('a sealed file', () => {
  it.each([0, 1, MIB - 1, MIB, MIB + 1, 3 * MIB, 3 * MIB + 17])(
    'of %i bytes opens to what was put in',
    async (size) => {
      const content = randomBytes(size);

      const closed = await sealed(content);

      expect(closed.length).toBe(sealedBytes(size));
      expect(closed.includes(content.subarray(0, 32)) && size > 32).toBe(false);
      expect((await opened(closed)).equals(content)).toBe(true);
    },
  );

  it('does not open with another key, in another place, or sealed twice alike', async () => {
    const content = randomBytes(100);
    const closed = await sealed(content);

    await expect(opened(closed, { with: randomBytes(32) })).rejects.toThrow(BackupDamaged);
    await expect(opened(closed, { purpose: 'b' })).rejects.toThrow(BackupDamaged);
    expect((await sealed(content)).equals(closed)).toBe(false);
  });

  it('does not open when any one bit is another', async () => {
    const closed = await sealed(randomBytes(200));

    for (let at = 0; at < closed.length; at++) {
      const damaged = Buffer.from(closed);
      damaged[at]! ^= 1 << (at % 8);
      await expect(opened(damaged), `byte ${at}`).rejects.toThrow(BackupDamaged);
    }
  });

  it('does not open cut off, also at a chunk, and not with chunks in another order or said twice', async () => {
    const closed = await sealed(randomBytes(3 * MIB));
    const chunk = MIB + 16;
    const at = (n: number) => 37 + n * chunk;
    const [head, one, two, three] = [0, 1, 2, 3].map((n) =>
      n === 0 ? closed.subarray(0, 37) : closed.subarray(at(n - 1), at(n)),
    ) as [Buffer, Buffer, Buffer, Buffer];

    const wrong = [
      [head],
      [head, one],
      [head, one, two],
      [head, two, one, three],
      [head, one, two, three, three],
      [head, one, two, three, Buffer.from([0])],
      [one, two, three],
      [],
    ];
    for (const order of wrong) await expect(opened(Buffer.concat(order))).rejects.toThrow(BackupDamaged);
  });
});

it('names content by its hash only for who has the key', () => {
  expect(contentName(key, 'abc')).toBe(contentName(key, 'abc'));
  expect(contentName(key, 'abc')).not.toBe(contentName(randomBytes(32), 'abc'));
});
