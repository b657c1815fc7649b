import { createHash } from 'node:crypto';
import { addAbortSignal, PassThrough, pipeline, Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { directory, localHeader, type PlacedEntry, type ZipEntry } from './zip-format.ts';

export type ZipSource = {
  name: string;
  date: Date;
  /**
   * Content of the entry. A function must yield the same bytes each time, since size and CRC precede the bytes and need
   * a separate reading. Each reading must yield buffers that are not written to again.
   */
  bytes: Buffer | (() => AsyncIterable<Uint8Array>);
  /** Called with all bytes, as they are read for size and sum. */
  onRead?: (bytes: Uint8Array) => void;
  /** Called with all bytes, as they are written. */
  onWrite?: (bytes: Uint8Array) => void;
};

/** Maximum size of a source that is kept in memory after its first reading instead of being read again, in bytes. */
const RETAINED_BYTES = 16 * 1024 * 1024;

/**
 * Yields the parts of an entry: its local header, then its bytes uncompressed. `placed` is called before the first
 * part.
 *
 * @throws Error if the bytes change between readings
 */
export async function* entryParts(
  source: ZipSource,
  placed: (entry: ZipEntry) => void,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { name, date, onRead, onWrite } = source;
  function read(): AsyncIterable<Uint8Array> | Uint8Array[] {
    if (Buffer.isBuffer(source.bytes)) return [source.bytes];
    const bytes = source.bytes();
    if (signal && bytes instanceof Readable) addAbortSignal(signal, bytes);
    return bytes;
  }
  const entry: ZipEntry = { name, date, sizeBytes: 0, crc32: 0 };
  let retained: Uint8Array[] | null = [];
  for await (const bytes of read()) {
    signal?.throwIfAborted();
    count(entry, bytes);
    onRead?.(bytes);
    if (entry.sizeBytes > RETAINED_BYTES) retained = null;
    retained?.push(bytes);
  }
  placed(entry);
  yield localHeader(entry);
  const again: ZipEntry = { ...entry, sizeBytes: 0, crc32: 0 };
  for await (const bytes of retained ?? read()) {
    if (retained === null) count(again, bytes);
    onWrite?.(bytes);
    yield bytes;
  }
  if (retained === null && (again.sizeBytes !== entry.sizeBytes || again.crc32 !== entry.crc32)) {
    throw new Error(`The bytes of ${name} changed while they were written to a zip`);
  }
}

function count(entry: ZipEntry, bytes: Uint8Array): void {
  entry.sizeBytes += bytes.byteLength;
  entry.crc32 = crc32(bytes, entry.crc32);
}

export type Summed = { sizeBytes: number; sha256: string };

/** Computes size and hash of an entry's bytes as they are read. Call `sum` after the last of them. */
export function summing() {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  return {
    onRead(bytes: Uint8Array): void {
      hash.update(bytes);
      sizeBytes += bytes.byteLength;
    },
    sum: (): Summed => ({ sizeBytes, sha256: hash.digest('hex') }),
  };
}

/**
 * Writes a zip as a stream in constant memory. Entries are stored uncompressed and requested one after the other. An
 * entry that fails destroys the stream.
 */
export function writeZip(sources: AsyncIterable<ZipSource>): Readable {
  const gone = new AbortController();
  const zip = new PassThrough();
  // Aborts the source being read as well, so that nothing more is yielded.
  zip.once('close', () => gone.abort());
  pipeline(zipParts(sources, gone.signal), zip, () => {});
  return zip;
}

async function* zipParts(sources: AsyncIterable<ZipSource>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const entries: PlacedEntry[] = [];
  let at = 0;
  for await (const source of sources) {
    for await (const part of entryParts(source, (entry) => entries.push({ ...entry, offset: at }), signal)) {
      at += part.byteLength;
      yield part;
    }
  }
  yield* directory(entries, at);
}
