import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { AppError } from '@osprey/contract';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import type { Storage, StoredFile } from '../../base/storage/storage.ts';

/**
 * Maximum number of entries that need not be named by a playlist. With more entries, each must be named, which the
 * archive's reader checks, and none may be empty.
 */
export const UNNAMED_MAX = 10_000;
/** Maximum number of entries: the segments of a playlist, and the files that belong to them. */
const ENTRIES_MAX = 101_000;
const NAME_MAX_BYTES = 255;
/** Size from which an entry may not unpack to more than RATIO_MAX times its packed bytes. */
const RATIO_FROM_BYTES = 1024 * 1024;
const RATIO_MAX = 100;
const STORED = 0;
const DEFLATED = 8;

// General purpose flags of an entry (APPNOTE 4.4.4).
const FLAG_ENCRYPTED = 0x0001;
const FLAG_SIZES_FOLLOW = 0x0008;
const FLAG_STRONG_ENCRYPTION = 0x0040;
const FLAG_UTF8 = 0x0800;
const FLAG_MASKED_HEADERS = 0x2000;

const UNIX = 3;
const MODE_TYPE = 0o170000;
const MODE_FILE = 0o100000;
const MODE_FOLDER = 0o040000;

export type ZipEntry = { name: string; sizeBytes: number; entry: Entry };

/** An opened archive whose directory passed all checks; data is checked while it is read. */
export type Zip = {
  /** Files by name, normalized to NFC; folders are left out. */
  files: Map<string, ZipEntry>;
  /** Yields the unpacked bytes of one file. @throws AppError badArchive if they differ from the directory */
  read: (file: ZipEntry) => AsyncGenerator<Uint8Array>;
  close: () => Promise<void>;
};

export const refuse = (reason: string, cause?: unknown): AppError => new AppError('badArchive', { reason }, cause);

/** The bytes of an archive, in any storage. */
export type ZipSource = StoredFile & { stream: (start: number, end: number) => Readable };

/** Opens an archive in the storage and checks its whole directory. @throws AppError badArchive */
export async function openZip(storage: Storage, key: string): Promise<Zip> {
  const file = await storage.open(key);
  return openZipSource({
    sizeBytes: file.sizeBytes,
    read: file.read,
    close: file.close,
    stream: (start, end) => storage.read(key, { start, end }),
  });
}

/** Opens an archive from any source and checks its whole directory. @throws AppError badArchive */
export async function openZipSource(stored: ZipSource): Promise<Zip> {
  try {
    const zip = await openDirectory(stored);
    if (zip.entryCount === 0) throw refuse('it is empty');
    if (zip.entryCount > ENTRIES_MAX) throw refuse(`it has more than ${ENTRIES_MAX} entries`);
    const mayBeEmpty = zip.entryCount <= UNNAMED_MAX;
    const files = await checkDirectory(zip, { archiveBytes: stored.sizeBytes, mayBeEmpty });
    return { files, read: (file) => readEntry(zip, file), close: () => stored.close() };
  } catch (error) {
    await stored.close();
    throw error;
  }
}

/** Size of one read, from which small reads close to each other are served. */
const WINDOW_BYTES = 64 * 1024;
const NEAR_BYTES = 4096;
/** Number of windows: reads of the directory alternate with reads of the entries' headers. */
const WINDOWS = 2;

/** Combines the reads of a directory with many entries, each of which has some fifty bytes. */
function windowed(stored: ZipSource): ZipSource['read'] {
  const windows: { start: number; bytes: Uint8Array; endOfLast: number }[] = [];

  return async (buffer, position) => {
    const end = position + buffer.byteLength;
    const near = windows.find(({ endOfLast }) => position >= endOfLast && position - endOfLast <= NEAR_BYTES);
    if (near === undefined || buffer.byteLength > WINDOW_BYTES) {
      windows.unshift({ start: position, bytes: new Uint8Array(), endOfLast: end });
      windows.length = Math.min(windows.length, WINDOWS);
      return stored.read(buffer, position);
    }
    near.endOfLast = end;
    const isWithin = position >= near.start && end <= near.start + near.bytes.byteLength;
    if (!isWithin) {
      const bytes = new Uint8Array(WINDOW_BYTES);
      near.bytes = bytes.subarray(0, await stored.read(bytes, position));
      near.start = position;
    }
    const part = near.bytes.subarray(position - near.start, Math.min(end - near.start, near.bytes.byteLength));
    buffer.set(part);
    return part.byteLength;
  };
}

async function openDirectory(stored: ZipSource): Promise<ZipFile> {
  const read = windowed(stored);
  class StorageReader extends yauzl.RandomAccessReader {
    override _readStreamForRange(start: number, end: number): Readable {
      return stored.stream(start, end);
    }
    override read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      callback: (error: Error | null, bytesRead?: number) => void,
    ): void {
      read(buffer.subarray(offset, offset + length), position).then(
        (filled) => callback(filled < length ? new Error('Unexpected end') : null, filled),
        callback,
      );
    }
  }
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: true };
  return asRefusal('it is damaged or cut off', () =>
    yauzl.fromRandomAccessReaderPromise(new StorageReader(), stored.sizeBytes, options),
  );
}

/** Limits for the checks that are done before anything is unpacked. */
type Directory = { archiveBytes: number; mayBeEmpty: boolean };

async function checkDirectory(zip: ZipFile, { archiveBytes, mayBeEmpty }: Directory): Promise<Map<string, ZipEntry>> {
  const files = new Map<string, ZipEntry>();
  const folded = new Set<string>();
  const spans: { start: number; end: number }[] = [];
  await asRefusal('its directory is damaged', async () => {
    for await (const entry of zip.eachEntry()) {
      const name = checkName(entry);
      checkEntry(entry);
      if (!mayBeEmpty && entry.uncompressedSize === 0 && !name.endsWith('/'))
        throw refuse(`it has more than ${UNNAMED_MAX} entries, and some of them are empty`);
      const key = name.toLowerCase();
      if (folded.has(key)) throw refuse('two of its entries have the same name');
      folded.add(key);
      spans.push(await checkLocalHeader(zip, entry));
      if (!name.endsWith('/')) files.set(name, { name, sizeBytes: entry.uncompressedSize, entry });
    }
  });
  spans.sort((a, b) => a.start - b.start);
  for (const [index, { end }] of spans.entries()) {
    const limit = spans[index + 1]?.start ?? archiveBytes;
    if (end > limit) throw refuse('its entries overlap');
  }
  return files;
}

function checkName(entry: Entry): string {
  const raw = entry.fileNameRaw ?? entry.fileName;
  if (raw.byteLength === 0 || raw.byteLength > NAME_MAX_BYTES)
    throw refuse('the name of an entry is empty or too long');
  // macOS writes names in UTF-8 without setting the flag for it.
  const flags = entry.generalPurposeBitFlag | (isUtf8(raw) ? FLAG_UTF8 : 0);
  const name = yauzl.getFileNameLowLevel(flags, raw, entry.extraFields, true).normalize('NFC');
  if (/[\p{Cc}\\\ufffd]/u.test(name)) throw refuse('the name of an entry holds characters that are not allowed');
  const parts = name.replace(/\/$/, '').split('/');
  if (
    name.startsWith('/') ||
    /^[a-z]:/i.test(name) ||
    parts.some((part) => part === '' || part === '.' || part === '..')
  ) {
    throw refuse('the name of an entry leads out of it');
  }
  return name;
}

function checkEntry(entry: Entry): void {
  const flags = entry.generalPurposeBitFlag;
  if (flags & (FLAG_ENCRYPTED | FLAG_STRONG_ENCRYPTION | FLAG_MASKED_HEADERS)) {
    throw refuse('encrypted archives are not accepted');
  }
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw refuse('its compression method is not supported');
  }
  const mode = (entry.externalFileAttributes >>> 16) & MODE_TYPE;
  const special = mode !== 0 && mode !== MODE_FILE && mode !== MODE_FOLDER;
  if (entry.versionMadeBy >>> 8 === UNIX && special) throw refuse('it holds a link or a device');
  const { uncompressedSize, compressedSize } = entry;
  if (uncompressedSize > RATIO_FROM_BYTES && uncompressedSize > compressedSize * RATIO_MAX) {
    throw refuse('an entry would unpack to far more than its size');
  }
}

/**
 * Checks that the local header before the data agrees with the directory, since programs differ in which of the two
 * they use.
 */
async function checkLocalHeader(zip: ZipFile, entry: Entry): Promise<{ start: number; end: number }> {
  const local = await zip.readLocalFileHeaderPromise(entry);
  const sizesHere = (local.generalPurposeBitFlag & FLAG_SIZES_FOLLOW) === 0;
  // 0xFFFFFFFF means that the size is in a ZIP64 field, which was already resolved for the directory.
  const agrees = (here: number, there: number) => here === there || here === 0xffffffff;
  const same =
    local.compressionMethod === entry.compressionMethod &&
    local.generalPurposeBitFlag === entry.generalPurposeBitFlag &&
    local.fileName.equals(entry.fileNameRaw ?? entry.fileName) &&
    (!sizesHere ||
      (local.crc32 === entry.crc32 &&
        agrees(local.compressedSize, entry.compressedSize) &&
        agrees(local.uncompressedSize, entry.uncompressedSize)));
  if (!same) throw refuse('its directory and its entries do not agree');
  return { start: entry.relativeOffsetOfLocalHeader, end: local.fileDataStart + entry.compressedSize };
}

async function* readEntry(zip: ZipFile, { entry }: ZipEntry): AsyncGenerator<Uint8Array> {
  const damaged = 'the data of an entry is damaged';
  const stream = await asRefusal(damaged, () => zip.openReadStreamPromise(entry));
  let sum = 0;
  try {
    for await (const bytes of stream as AsyncIterable<Uint8Array>) {
      sum = crc32(bytes, sum);
      yield bytes;
    }
  } catch (error) {
    throw error instanceof AppError ? error : refuse(damaged, error);
  }
  if (sum !== entry.crc32) throw refuse(damaged);
}

/**
 * Converts all errors of the library to refusals of the archive. Their texts are only logged, since they may contain
 * names.
 */
async function asRefusal<T>(reason: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof AppError ? error : refuse(reason, error);
  }
}
