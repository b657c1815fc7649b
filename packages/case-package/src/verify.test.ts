import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foundIn, manifestIn, signed, type TestPackage, testKey, testPackage, zipOf } from '../test/packages.ts';
import { fastestHashing, fileHasher, type Hashing, plainHashing } from './hashing.ts';
import { BLOCK_BYTES, isSafeRelativePath, MANIFEST_PATH, SIGNATURE_PATH } from './manifest.ts';
import { isSignedBy, keyOfPem } from './signature.ts';
import { verifyPackage } from './verify.ts';
import { readZip } from './zip.ts';

const bytes = (length: number, seed = 7): Uint8Array => Uint8Array.from({ length }, (_, at) => (at * seed) ^ (at >> 8));
const files = {
  'parts/1-clip.ts': bytes(3 * BLOCK_BYTES + 17),
  'parts/2-note.md': bytes(40),
  'parts/3-empty.txt': bytes(0),
};
const good = testPackage(files);
const key = testKey();

const check = (made: TestPackage, keyPem: string | null = key.pem, hashing: Hashing = plainHashing) =>
  verifyPackage(foundIn(made), { hashing, keyPem });

function changedAt(path: string, at: number): TestPackage {
  const copy = good.get(path)!.slice();
  copy[at] = copy[at]! ^ 1;
  return new Map(good).set(path, copy);
}

/** As a browser has it on a page without TLS: no WebCrypto. */
async function withoutWebCrypto<T>(work: () => Promise<T>): Promise<T> {
  const retained = Object.getOwnPropertyDescriptor(globalThis, 'crypto')!;
  Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true });
  try {
    return await work();
  } finally {
    Object.defineProperty(globalThis, 'crypto', retained);
  }
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes in use after garbage collection: what the process keeps beyond them depends on when it collects by itself. */
function memoryHeld(): number {
  collect();
  // Buffers that the first collection frees are subtracted in the background; the second one waits for that.
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('the package of a case', () => {
  it('holds while nothing was changed, also where there is no WebCrypto', async () => {
    const plain = await withoutWebCrypto(() => check(good, key.pem, fastestHashing()));
    const fast = await check(good, key.pem, fastestHashing());

    expect(plain).toEqual(fast);
    expect(plain).toMatchObject({ holds: true, signer: 'known', fingerprint: key.fingerprint, faults: [], files: 6 });
    expect(plain.manifest?.case).toMatchObject({ number: 7, version: 2 });
  });

  it('is signed by an unknown key without one from elsewhere, and by another one with the wrong one', async () => {
    expect(await check(good, null)).toMatchObject({ holds: true, signer: 'unknown' });
    const wrong = await check(good, testKey(2).pem);
    expect(wrong).toMatchObject({ holds: false, signer: 'unknown' });
    expect(wrong.faults[0]?.text).toBe('The manifest is signed by another key than the one given.');
    await expect(check(good, 'no key')).rejects.toThrow(RangeError);
  });

  it.each([
    ['the first byte', 0, 1],
    ['the last byte of a block', BLOCK_BYTES - 1, 1],
    ['the first byte of the next', BLOCK_BYTES, 2],
    ['the last byte', 3 * BLOCK_BYTES + 16, 4],
  ])('names a change of %s with file and block', async (_what, at, block) => {
    const { holds, faults } = await check(changedAt('parts/1-clip.ts', at));

    expect(holds).toBe(false);
    expect(faults).toMatchObject([{ kind: 'changed', path: 'parts/1-clip.ts', block }]);
    expect(faults[0]?.text).toContain(`block ${block} of 4`);
  });

  it.each(['shorter', 'longer', 'cut at a block'])('names a file that is %s', async (how) => {
    const whole = files['parts/1-clip.ts'];
    const other = {
      shorter: whole.slice(0, -1),
      longer: Uint8Array.from([...whole.subarray(0, BLOCK_BYTES * 3), ...bytes(18)]),
      'cut at a block': whole.slice(0, BLOCK_BYTES),
    }[how]!;

    const { faults } = await check(new Map(good).set('parts/1-clip.ts', other));

    expect(faults).toMatchObject([{ kind: 'changed', path: 'parts/1-clip.ts' }]);
  });

  it('names what is missing and what was added', async () => {
    const other = new Map(good).set('parts/4-more.txt', bytes(3));
    other.delete('parts/2-note.md');

    expect((await check(other)).faults).toMatchObject([
      { kind: 'added', path: 'parts/4-more.txt' },
      { kind: 'missing', path: 'parts/2-note.md' },
    ]);
  });

  it('finds each change of manifest and signature', async () => {
    const at = new TextDecoder().decode(good.get(MANIFEST_PATH)).indexOf('kea');

    for (const [path, place] of [
      [MANIFEST_PATH, at],
      [MANIFEST_PATH, 0],
      [SIGNATURE_PATH, 0],
      [SIGNATURE_PATH, 63],
    ] as const) {
      expect(await check(changedAt(path, place))).toMatchObject({ holds: false, signer: 'nobody' });
    }
    const unsigned = new Map(good);
    unsigned.delete(SIGNATURE_PATH);
    expect((await check(unsigned)).faults[0]?.text).toContain('manifest.sig is missing');
    const none = new Map(good);
    none.delete(MANIFEST_PATH);
    await expect(check(none)).rejects.toThrow('There is no manifest.json');
  });

  it('compares the sum of the whole file too, where that is fast', async () => {
    const other = manifestIn(good);
    other.files[0]!.sha256 = '0'.repeat(64);
    const contradicting = signed(good, other);

    expect((await check(contradicting)).faults).toMatchObject([{ kind: 'manifest', path: 'parts/1-clip.ts' }]);
    expect(await check(contradicting, key.pem, fastestHashing())).toMatchObject({ holds: true });
  });

  it('finds a proof of the audit that is of another package, or was signed by another key', async () => {
    const other = testPackage({ 'a.txt': bytes(3) });
    const moved = new Map(good).set('audit.json', other.get('audit.json')!);
    const listed = manifestIn(good);
    const entry = manifestIn(other).files.find(({ path }) => path === 'audit.json')!;
    listed.files = [...listed.files.filter(({ path }) => path !== 'audit.json'), entry];
    expect((await check(signed(moved, listed))).faults).toMatchObject([
      { kind: 'audit', text: 'The row of the audit speaks of another package.' },
    ]);

    const forged = testPackage(files, testKey(2));
    const proof = new Map(good).set('audit.json', forged.get('audit.json')!);
    const second = manifestIn(forged).files.find(({ path }) => path === 'audit.json')!;
    const again = { ...manifestIn(good), files: [...listed.files.filter(({ path }) => path !== 'audit.json'), second] };
    expect((await check(signed(proof, again))).faults[0]?.kind).toBe('audit');
  });

  it('reads no file as a whole and each byte once', async () => {
    const found = foundIn(good);
    const longest: number[] = [];
    let readBytes = 0;
    const watched = found.files.map((file) => ({
      ...file,
      read(start: number, end: number) {
        longest.push(end - start);
        readBytes += end - start;
        return file.read(start, end);
      },
    }));

    const done: number[] = [];
    await verifyPackage({ ...found, files: watched }, { hashing: plainHashing, progress: (now) => done.push(now) });

    const listed = manifestIn(good).files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    expect(Math.max(...longest)).toBeLessThanOrEqual(BLOCK_BYTES);
    expect(readBytes).toBeLessThan(listed + 20_000);
    expect(done.at(-1)).toBe(listed);
    expect(done).toEqual([...done].sort((a, b) => a - b));
  });

  it('of 10 GB is checked in constant memory, and a changed byte near its end is named', {
    tags: 'long',
    timeout: 300_000,
  }, async () => {
    const kinds = Array.from({ length: 16 }, (_none, kind) => bytes(BLOCK_BYTES, 2 * kind + 1));
    const sums = kinds.map((block) => createHash('sha256').update(block).digest('hex'));
    const count = Math.ceil(1e10 / BLOCK_BYTES);
    const blocks = Array.from({ length: count }, (_none, at) => sums[at % 16]!);
    const large = { path: 'parts/4-large.ts', sizeBytes: count * BLOCK_BYTES, sha256: '0'.repeat(64), blocks };
    const manifest = manifestIn(good);
    const found = foundIn(signed(good, { ...manifest, files: [...manifest.files, large] }));
    const checked = async (spoilt: number | null) => {
      const read = async (start: number, end: number) => {
        const at = Math.floor(start / BLOCK_BYTES);
        const block = kinds[at % 16]!.slice(start % BLOCK_BYTES, (start % BLOCK_BYTES) + (end - start));
        if (at === spoilt) block[9]! ^= 1;
        return block;
      };
      let [reported, most] = [0, 0];
      const verdict = await verifyPackage(
        { ...found, files: [...found.files, { path: large.path, sizeBytes: large.sizeBytes, read }] },
        {
          // Leaves out `begin`, as in a browser: the sums of the blocks prove the file, and no sum over the whole is
          // taken.
          hashing: { of: (all) => createHash('sha256').update(all).digest() },
          keyPem: key.pem,
          progress: () => {
            if (reported++ % 256 === 0) most = Math.max(most, memoryHeld());
          },
        },
      );
      return { verdict, most };
    };

    const before = memoryHeld();
    const { verdict, most } = await checked(null);
    expect(verdict).toMatchObject({ holds: true, faults: [] });
    expect(most - before).toBeLessThan(16 * BLOCK_BYTES);
    expect((await checked(count - 2)).verdict.faults[0]?.text).toContain(`block ${count - 1} of ${count}`);
  });

  it('can be broken off', async () => {
    const stop = new AbortController();
    const progress = () => stop.abort();

    const work = verifyPackage(foundIn(good), { hashing: plainHashing, progress, signal: stop.signal });

    await expect(work).rejects.toThrow(/abort/i);
  });
});

describe('its zip', () => {
  const slices = (zip: Uint8Array) => ({
    sizeBytes: zip.length,
    read: async (a: number, b: number) => zip.slice(a, b),
  });
  const zip = zipOf(good);

  it('is read in slices', async () => {
    const found = await readZip(slices(zip));

    expect(await verifyPackage(found, { hashing: plainHashing, keyPem: key.pem })).toMatchObject({ holds: true });
  });

  it('has no room for bytes that belong to no file', async () => {
    const within = await readZip(slices(zipOf(good, bytes(5))));
    const after = await readZip(slices(Uint8Array.from([...zip.subarray(0, -2), 3, 0, 1, 2, 3])));

    expect(within.faults).toEqual(['After the last file lie bytes that belong to no file.']);
    expect(after.faults).toEqual(['In the tables of the zip, or after them, lie more bytes.']);
    expect((await readZip(slices(Uint8Array.from([...zip, 1])))).faults).toEqual(after.faults);
  });

  it('is refused with a sentence where it is none, cut off or packed again', async () => {
    await expect(readZip(slices(bytes(100)))).rejects.toThrow('This is no whole zip');
    await expect(readZip(slices(zip.subarray(0, -30)))).rejects.toThrow('This is no whole zip');
    const packed = zip.slice();
    packed[packed.length - 22 - manifestEntryBytes() + 10] = 8;
    await expect(readZip(slices(packed))).rejects.toThrow('packed again');
  });

  it('says so where the header of a file has another method than the directory', async () => {
    const other = zip.slice();
    other[8] = 8;

    expect((await readZip(slices(other))).faults[0]).toMatch(/^The zip says of .+ two different things\.$/);
  });

  it('throws nothing but that, however it was changed', async () => {
    const small = zipOf(testPackage({ 'a.txt': bytes(30) }));
    await fc.assert(
      fc.asyncProperty(fc.nat(small.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const other = small.slice();
        other[at] = other[at]! ^ by;
        const outcome = await readZip(slices(other))
          .then((found) => verifyPackage(found, { hashing: plainHashing, keyPem: key.pem }))
          .catch((error: Error) => error.name);
        // Times, versions and checksums in the zip's own tables change no file.
        if (typeof outcome === 'string') expect(outcome).toBe('NotAPackage');
        else expect(outcome.faults.every(({ text }) => text.endsWith('.'))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  /** Length of the last entry of the directory: the signature's. */
  const manifestEntryBytes = () => 46 + SIGNATURE_PATH.length;
});

describe('sums and signatures', () => {
  it('are those of Node, however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), fc.integer({ min: 1, max: 700 }), (data, cut) => {
        const hasher = fileHasher(plainHashing);
        for (let at = 0; at < data.length; at += cut) hasher.update(data.subarray(at, at + cut));
        expect(hasher.end().sha256).toBe(createHash('sha256').update(data).digest('hex'));
      }),
    );
  });

  it('are those of OpenSSL', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const message = bytes(1000);

    const read = keyOfPem(pem)!;

    expect(isSignedBy(read, sign(null, message, privateKey), message)).toBe(true);
    expect(isSignedBy(read, sign(null, message, privateKey), message.subarray(1))).toBe(false);
    expect(read.fingerprint).toBe(
      createHash('sha256')
        .update(publicKey.export({ type: 'spki', format: 'der' }))
        .digest('hex'),
    );
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
    expect(keyOfPem(rsa.export({ type: 'spki', format: 'pem' }).toString())).toBeNull();
  });

  it.each(['', '/a', 'a/', '../a', 'a/../b', 'a//b', 'a\\b', 'c:a', 'a\nb', 'x'.repeat(241)])(
    'a path such as %j is none of a package',
    (path) => expect(isSafeRelativePath(path)).toBe(false),
  );
});
