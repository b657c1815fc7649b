import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, statfs, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { makeFolder, syncFolder, writeAll, writeAtomic } from '../../base/storage/durable.ts';
import { compareVersions, PackageRefused } from './manifest.ts';
import type { CheckedPackage } from './packages.ts';
import { MARKER, releasesFolder } from './pointer.ts';
import { readTar, type TarEntry } from './tar.ts';

/** Space left free on the disk, which it shares with the recordings. */
const RESERVE_BYTES = 1024 ** 3;
/** Maximum size of headers, long name and padding of an archive entry. */
const ENTRY_BYTES = 4096;
const PARTIAL = '.partial';
/** Number of releases kept on the disk. */
const RETAINED = 3;
const VERSION_FOLDER = /^\d+\.\d+\.\d+(?:\.partial)?$/;
const PIECE_BYTES = 1024 * 1024;

type Installing = CheckedPackage & {
  dataDir: string;
  /** Receives the progress in per cent, 0 to 100. */
  progress: (percent: number) => void;
};

/**
 * Unpacks a verified package into a separate folder. The folder gets its final name and its marker only after all its
 * bytes are on the disk; if the process is killed at any moment, the release is either complete or absent.
 *
 * @throws PackageRefused if the archive is not the one that was signed, or would write outside of its folder
 */
export async function installRelease({ manifest, path, dataDir, progress }: Installing): Promise<void> {
  const releases = releasesFolder(dataDir);
  const folder = join(releases, manifest.version);
  const partial = `${folder}${PARTIAL}`;
  await makeFolder(releases, dataDir);
  await requireSpace(releases, manifest.archive.unpackedBytes);
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { mode: 0o755 });
  try {
    await unpack({ manifest, path, progress }, partial);
    // A single call, since there are some ten thousand files.
    await promisify(execFile)('sync', ['-f', partial]);
    await writeAtomic(join(partial, MARKER), [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]);
    await syncFolder(partial);
    await rm(folder, { recursive: true, force: true });
    await rename(partial, folder);
    await syncFolder(releases);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytes + RESERVE_BYTES) return;
  const needed = ((bytes + RESERVE_BYTES) / 1e9).toFixed(1);
  throw new PackageRefused(`The disk of the data folder has too little room: ${needed} GB must be free.`);
}

async function unpack({ manifest, path, progress }: Omit<Installing, 'dataDir'>, folder: string): Promise<void> {
  const { archive } = manifest;
  const hash = createHash('sha256');
  const links: TarEntry[] = [];
  const found = { entries: 0, unpackedBytes: 0 };
  let read = 0;

  async function* hashed(source: AsyncIterable<Buffer>) {
    for await (const bytes of source) {
      hash.update(bytes);
      read += bytes.length;
      progress((100 * read) / archive.sizeBytes);
      yield bytes;
    }
  }

  async function unpackEntry(entry: TarEntry, content: AsyncIterable<Buffer>): Promise<void> {
    found.entries += 1;
    found.unpackedBytes += entry.sizeBytes;
    if (found.entries > archive.entries || found.unpackedBytes > archive.unpackedBytes) throw differs();
    // Links are created last, so that nothing is written through a link.
    if (entry.kind === 'link') links.push(entry);
    else await put(folder, entry, content);
  }

  const maximum = archive.unpackedBytes + (archive.entries + 2) * ENTRY_BYTES;
  const source = createReadStream(path, { highWaterMark: PIECE_BYTES });
  await pipeline(source, hashed, createGunzip(), (bytes: AsyncIterable<Buffer>) =>
    readTar(atMost(bytes, maximum), unpackEntry),
  );
  const isSame = found.entries === archive.entries && found.unpackedBytes === archive.unpackedBytes;
  // The hash is checked again, since the file may have been replaced after its first check.
  if (!isSame || hash.digest('hex') !== archive.sha256) throw differs();
  for (const { path: name, target } of links) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await symlink(target, join(folder, name));
  }
}

const differs = () => new PackageRefused('Its archive is not the one that was signed: its content differs.');

async function* atMost(source: AsyncIterable<Buffer>, maximum: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.length;
    if (bytes > maximum) throw differs();
    yield piece;
  }
}

async function put(folder: string, { kind, path, isProgram }: TarEntry, content: AsyncIterable<Buffer>) {
  const place = join(folder, path);
  await mkdir(kind === 'folder' ? place : dirname(place), { recursive: true });
  if (kind === 'folder') return;
  const file = await open(place, 'wx', isProgram ? 0o755 : 0o644);
  try {
    let at = 0;
    for await (const bytes of content) {
      await writeAll(file, bytes, at);
      at += bytes.length;
    }
  } finally {
    await file.close();
  }
}

/**
 * Removes incomplete releases, and all but the newest complete ones. Older ones are kept for a recorder that keeps
 * running during updates.
 */
export async function removeOldReleases(dataDir: string, running: string): Promise<void> {
  const releases = releasesFolder(dataDir);
  const names = (await readdir(releases).catch(() => [])).filter((name) => VERSION_FOLDER.test(name));
  const complete = names.filter((name) => !name.endsWith(PARTIAL)).sort((a, b) => compareVersions(b, a));
  const retained = new Set([...complete.slice(0, RETAINED), running]);
  const old = names.filter((name) => !retained.has(name));
  await Promise.all(old.map((name) => rm(join(releases, name), { recursive: true, force: true })));
}
