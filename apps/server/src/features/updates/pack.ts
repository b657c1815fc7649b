import { createHash, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { packageFiles, type ReleaseManifest, signManifest } from './manifest.ts';
import { type TarEntry, tarOf } from './tar.ts';

/** One entry of a release: a local file, bytes, or a link. Folders follow from the paths. */
export type Packed = { path: string } & ({ from: string } | { bytes: Uint8Array } | { target: string });

type Packing = {
  entries: AsyncIterable<Packed> | Iterable<Packed>;
  version: string;
  platform: string;
  created: Date;
  /** Private key for the signature. */
  key: KeyObject;
  /** Folder into which the three files are written. */
  output: string;
};

/** Packs and signs a release. The archive gets its final name only when it is complete. */
export async function packRelease({ entries, output, key, ...facts }: Packing): Promise<ReleaseManifest> {
  const files = packageFiles(facts.version);
  const path = join(output, files.archive);
  const temporary = `${path}.partial`;
  const counted = { entries: 0, unpackedBytes: 0 };
  const file = await open(temporary, 'w', 0o644);
  try {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    await pipeline(
      Readable.from(tarOf(tarEntries(entries, counted))),
      createGzip(),
      async (source: AsyncIterable<Buffer>) => {
        for await (const bytes of source) {
          hash.update(bytes);
          sizeBytes += bytes.length;
          await file.writeFile(bytes);
        }
      },
    );
    await file.sync();
    const { version, platform, created } = facts;
    const content: ReleaseManifest = {
      product: 'osprey',
      format: 1,
      version,
      created: created.toISOString(),
      platform,
      archive: { sha256: hash.digest('hex'), sizeBytes, ...counted },
    };
    const { bytes, signature } = signManifest(content, key);
    await writeFile(join(output, files.manifest), bytes);
    await writeFile(join(output, files.signature), signature);
    await rename(temporary, path);
    return content;
  } finally {
    await file.close();
    await rm(temporary, { force: true });
  }
}

async function* tarEntries(
  entries: Packing['entries'],
  counted: { entries: number; unpackedBytes: number },
): AsyncGenerator<TarEntry & { content: AsyncIterable<Uint8Array> | null }> {
  const plain = { sizeBytes: 0, isProgram: false, target: '', content: null };
  for await (const entry of entries) {
    const { path } = entry;
    counted.entries += 1;
    if ('target' in entry) yield { ...plain, kind: 'link', path, target: entry.target };
    else if ('bytes' in entry) {
      counted.unpackedBytes += entry.bytes.byteLength;
      yield { ...plain, kind: 'file', path, sizeBytes: entry.bytes.byteLength, content: one(entry.bytes) };
    } else {
      const { size, mode } = await stat(entry.from);
      counted.unpackedBytes += size;
      const content = size === 0 ? null : createReadStream(entry.from);
      yield { ...plain, kind: 'file', path, sizeBytes: size, isProgram: (mode & 0o100) !== 0, content };
    }
  }
}

async function* one(bytes: Uint8Array) {
  yield bytes;
}
