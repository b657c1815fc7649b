import { randomUUID } from 'node:crypto';
import { constants as fsConstants } from 'node:fs';
import { type FileHandle, link, mkdir, open, opendir, rm, stat, statfs, unlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { makeFolder, moveDurably, syncFolder, writeAll, writeAtomic } from './durable.ts';
import {
  type Append,
  type ByteRange,
  CutShort,
  checkFolder,
  checkKey,
  NotStored,
  type Storage,
  type StoredFile,
} from './storage.ts';

/** Directory of files being written. It is on the same volume, so that the final rename is atomic. */
const TEMPORARY = '.temporary';
/** Number of bytes read at a time by a stream. */
const READ_BYTES = 256 * 1024;
/** Error codes of file systems that do not support hard links, or that allow no further link to a file. */
const HAS_NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS']);
const READ_ONLY = fsConstants.O_RDONLY | fsConstants.O_NOFOLLOW;
const GROWING = fsConstants.O_RDWR | fsConstants.O_CREAT | fsConstants.O_NOFOLLOW;

/** The storage in a folder of the server's own disk. No other program may write there. */
export function folderStorage({ root }: { root: string }): Storage {
  const place = (key: string) => join(root, checkKey(key));

  return {
    async put(key, source) {
      const target = place(key);
      const temporary = join(root, TEMPORARY, randomUUID());
      await makeFolder(dirname(temporary), root);
      try {
        const stored = await writeAtomic(temporary, source);
        await moveDurably(temporary, target, root);
        return stored;
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },

    async append(key) {
      const path = place(key);
      await makeFolder(dirname(path), root);
      const file = await open(path, GROWING, 0o600);
      await syncFolder(dirname(path));
      return growing(file, (await file.stat()).size);
    },

    read: (key, range = { start: 0 }) => readRange(place(key), range),
    open: async (key) => openStored(place(key)),

    async stat(key) {
      const found = await stat(place(key)).catch(absentIsNull);
      return found === null ? null : { sizeBytes: found.size, modifiedMs: found.mtimeMs };
    },

    async move(from, to) {
      const source = place(from);
      await moveDurably(source, place(to), root).catch((error) => {
        throw isAbsent(error) ? new NotStored('Not stored', { cause: error }) : error;
      });
      await syncFolder(dirname(source));
    },

    async duplicate(from, to) {
      const target = place(to);
      await makeFolder(dirname(target), root);
      try {
        await link(place(from), target);
        await syncFolder(dirname(target));
      } catch (error) {
        if (isAbsent(error)) throw new NotStored('Not stored', { cause: error });
        if (!HAS_NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
        await this.put(to, readRange(place(from), { start: 0 }) as AsyncIterable<Uint8Array>);
      }
    },

    async remove(key) {
      await unlink(place(key)).catch(absentIsNull);
    },

    async removeAll(folder) {
      await rm(join(root, checkFolder(folder)), { recursive: true, force: true });
    },

    async hasFolder(folder) {
      const found = await stat(join(root, checkFolder(folder))).catch(absentIsNull);
      return found?.isDirectory() === true;
    },

    async *list(folder) {
      for await (const path of walk(join(root, checkFolder(folder)))) {
        const found = await stat(path).catch(absentIsNull);
        if (found === null) continue;
        const key = relative(root, path).split(sep).join('/');
        yield { key, sizeBytes: found.size, modifiedMs: found.mtimeMs };
      }
    },

    async space() {
      await mkdir(root, { recursive: true, mode: 0o700 });
      const { bavail, blocks, bsize } = await statfs(root);
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
    },

    async sweep(olderThanMs) {
      let removed = 0;
      for await (const path of walk(join(root, TEMPORARY))) {
        const found = await stat(path).catch(absentIsNull);
        if (found === null || Date.now() - found.mtimeMs < olderThanMs) continue;
        await rm(path, { force: true });
        removed += 1;
      }
      return removed;
    },

    path: place,
  };
}

function growing(file: FileHandle, startSize: number): Append {
  let size = startSize;
  let failed: unknown = null;

  const trustDisk = async (work: () => Promise<void>) => {
    if (failed !== null) throw failed;
    try {
      await work();
    } catch (error) {
      failed = error;
      throw error;
    }
  };

  return {
    sizeBytes: () => size,
    write: (bytes) =>
      trustDisk(async () => {
        await writeAll(file, bytes, size);
        size += bytes.byteLength;
      }),
    sync: () => trustDisk(() => file.datasync()),
    truncate: (sizeBytes) =>
      trustDisk(async () => {
        await file.truncate(sizeBytes);
        size = sizeBytes;
      }),
    close: () => file.close(),
  };
}

async function openStored(path: string): Promise<StoredFile> {
  const file = await open(path, READ_ONLY).catch((error) => {
    throw isAbsent(error) ? new NotStored('Not stored', { cause: error }) : error;
  });
  const { size } = await file.stat();
  return {
    sizeBytes: size,
    async read(buffer, position) {
      let filled = 0;
      while (filled < buffer.byteLength) {
        const { bytesRead } = await file.read(buffer, filled, buffer.byteLength - filled, position + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return filled;
    },
    close: () => file.close(),
  };
}

function readRange(path: string, range: ByteRange): Readable {
  let opening: Promise<StoredFile> | null = null;
  let position = range.start;
  const end = range.end ?? Number.POSITIVE_INFINITY;

  async function step(): Promise<Uint8Array | null> {
    opening ??= openStored(path);
    const file = await opening;
    if (range.isComplete && end > file.sizeBytes) throw new CutShort('The file is shorter than what is read of it');
    const size = Math.min(READ_BYTES, Math.min(end, file.sizeBytes) - position);
    if (size <= 0) return null;
    const buffer = Buffer.allocUnsafe(size);
    const filled = await file.read(buffer, position);
    if (range.isComplete && filled < size) throw new CutShort('The file was cut while it was read');
    position += filled;
    return filled === 0 ? null : buffer.subarray(0, filled);
  }

  return new Readable({
    highWaterMark: READ_BYTES,
    read() {
      step().then(
        (bytes) => this.push(bytes),
        (error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      if (opening === null) return done(error);
      // If the reader was closed while the file was being opened, close the file as well.
      opening
        .then((file) => file.close())
        .then(
          () => done(error),
          (failure) => done(error ?? failure),
        );
    },
  });
}

async function* walk(folder: string): AsyncIterable<string> {
  const entries = await opendir(folder).catch(absentIsNull);
  if (entries === null) return;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    if (entry.isFile()) yield path;
  }
}

const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

function absentIsNull(error: unknown): null {
  if (isAbsent(error)) return null;
  throw error;
}
