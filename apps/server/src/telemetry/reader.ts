import { NotStored, type Storage, type StoredFile } from '../base/storage/storage.ts';
import {
  aligned,
  type BlockEntry,
  type BlockHeader,
  type ColumnHeader,
  type Directory,
  MAGIC,
  MAGIC_BYTES,
} from './format.ts';
import { IndexDamaged } from './index-damaged.ts';

/** Maximum number of cached directories; a directory is small. */
const CACHED_DIRECTORIES = 200;

/** One unpacked column, with a value for each row; null or NaN where there is none. */
export type ColumnValues =
  | { kind: 'numbers'; values: Float64Array }
  | { kind: 'texts'; at: (row: number) => string | null }
  /** Byte strings. Equal byte strings have the same index; -1 means that the row has no value. */
  | { kind: 'parts'; indexOf: (row: number) => number; part: (index: number) => Uint8Array };

/** One block, restricted to the requested columns. */
export type Block = {
  rows: number;
  /** KLV time as written, PTS in 90 kHz ticks (both NaN if absent), and clock run, for each row. */
  time: Float64Array;
  pts: Float64Array;
  run: Float64Array;
  columns: Map<number, ColumnValues>;
};

export type TelemetryReader = ReturnType<typeof telemetryReader>;

export type TelemetryReaderDeps = {
  storage: Pick<Storage, 'open'>;
  /** Called when an index is missing or cannot be read. */
  damaged?: (key: string) => void;
};

/**
 * Reads telemetry indexes block by block. Directories are cached, since an index never changes once it is written.
 *
 * @throws IndexDamaged
 */
export function telemetryReader({ storage, damaged }: TelemetryReaderDeps) {
  const directories = new Map<string, Directory>();

  /**
   * Converts an error into IndexDamaged if it means that the index is missing or corrupt. An error of the disk means
   * neither and is returned unchanged.
   */
  function judged(key: string, error: unknown): unknown {
    const isOfDisk = error instanceof Error && 'code' in error;
    if (error instanceof NotStored) damaged?.(key);
    if (error instanceof NotStored || error instanceof IndexDamaged || isOfDisk) return error;
    damaged?.(key);
    return new IndexDamaged(key, error);
  }

  async function directory(key: string): Promise<Directory> {
    const cached = directories.get(key);
    if (cached) return cached;
    const read = await opened(key, readDirectory);
    if (directories.size >= CACHED_DIRECTORIES) directories.delete(directories.keys().next().value ?? '');
    directories.set(key, read);
    return read;
  }

  async function opened<T>(key: string, read: (file: StoredFile) => Promise<T>): Promise<T> {
    let file: StoredFile | null = null;
    try {
      file = await storage.open(key);
      return await read(file);
    } catch (error) {
      throw judged(key, error);
    } finally {
      await file?.close();
    }
  }

  /**
   * Reads the blocks that `requested` selects, in the order of the file.
   *
   * @param options.tags columns to unpack; all when left out
   */
  async function* blocks(
    key: string,
    options: { requested?: (entry: BlockEntry) => boolean; tags?: ReadonlySet<number> } = {},
  ): AsyncGenerator<Block> {
    const { requested = () => true, tags } = options;
    const entries = (await directory(key)).blocks.filter(requested);
    if (entries.length === 0) return;
    const file = await storage.open(key).catch((error) => {
      throw judged(key, error);
    });
    try {
      for (const entry of entries) yield await blockOf(file, entry, tags);
    } catch (error) {
      // Only errors of reading the index arrive here: an error thrown by the consumer of this generator does not.
      throw judged(key, error);
    } finally {
      await file.close();
    }
  }

  return { directory, blocks };
}

async function blockOf(file: StoredFile, entry: BlockEntry, tags: ReadonlySet<number> | undefined): Promise<Block> {
  const bytes = new Uint8Array(entry.bytes);
  if ((await file.read(bytes, entry.offset)) < entry.bytes) throw new RangeError('The index is cut off');
  return readBlock(bytes, tags);
}

async function readDirectory(file: StoredFile): Promise<Directory> {
  const tail = new Uint8Array(4 + MAGIC_BYTES);
  await file.read(tail, file.sizeBytes - tail.byteLength);
  if (new TextDecoder().decode(tail.subarray(4)) !== MAGIC) throw new Error('Not a telemetry index of this version');
  const length = new DataView(tail.buffer).getUint32(0, true);
  const text = new Uint8Array(length);
  await file.read(text, file.sizeBytes - tail.byteLength - length);
  return JSON.parse(new TextDecoder().decode(text));
}

function readBlock(bytes: Uint8Array, tags: ReadonlySet<number> | undefined): Block {
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const header: BlockHeader = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const data = bytes.subarray(aligned(4 + length));
  const block: Block = {
    rows: header.rows,
    time: new Float64Array(),
    pts: new Float64Array(),
    run: new Float64Array(),
    columns: new Map(),
  };
  for (const column of header.columns) {
    const { key } = column;
    if (key === 'time' || key === 'pts' || key === 'run') block[key] = numbersOf(column, header.rows, data);
    else if (!tags || tags.has(Number(key))) block.columns.set(Number(key), readColumn(column, header.rows, data));
  }
  return block;
}

function readColumn(column: ColumnHeader, rows: number, data: Uint8Array): ColumnValues {
  const isThere = presence(column, data);
  if (column.kind === 'raw') {
    const indexes = view(Uint16Array, data, column.at, rows);
    const { ends, partsAt } = column;
    return {
      kind: 'parts',
      indexOf: (row) => (isThere(row) ? indexes[row]! : -1),
      part: (index) => data.subarray(partsAt + (ends[index - 1] ?? 0), partsAt + ends[index]!),
    };
  }
  if (column.kind === 'text') {
    const indexes = view(Uint16Array, data, column.at, rows);
    return { kind: 'texts', at: (row) => (isThere(row) ? (column.words[indexes[row]!] ?? null) : null) };
  }
  if (column.kind === 'same' && typeof column.value === 'string') {
    const { value } = column;
    return { kind: 'texts', at: (row) => (isThere(row) ? value : null) };
  }
  return { kind: 'numbers', values: numbersOf(column, rows, data) };
}

function numbersOf(column: ColumnHeader, rows: number, data: Uint8Array): Float64Array {
  const values = packedNumbers(column, rows, data);
  if (column.mask === null) return values;
  const isThere = presence(column, data);
  for (let row = 0; row < rows; row += 1) if (!isThere(row)) values[row] = Number.NaN;
  return values;
}

function integersOf(kind: 'u8' | 'u16' | 'u32', data: Uint8Array, place: { at: number; rows: number }) {
  if (kind === 'u8') return view(Uint8Array, data, place.at, place.rows);
  if (kind === 'u16') return view(Uint16Array, data, place.at, place.rows);
  return view(Uint32Array, data, place.at, place.rows);
}

function packedNumbers(column: ColumnHeader, rows: number, data: Uint8Array): Float64Array {
  if (column.kind === 'same') return new Float64Array(rows).fill(Number(column.value));
  if (column.kind === 'f64') return view(Float64Array, data, column.at, rows).slice();
  if (column.kind === 'text' || column.kind === 'raw') throw new Error(`Column ${column.key} holds no numbers`);
  const integers = integersOf(column.kind, data, { at: column.at, rows });
  const values = new Float64Array(rows);
  const { min, step } = column;
  for (let row = 0; row < rows; row += 1) values[row] = min + step * integers[row]!;
  return values;
}

function presence({ mask }: ColumnHeader, data: Uint8Array): (row: number) => boolean {
  if (mask === null) return () => true;
  return (row) => ((data[mask + (row >> 3)]! >> (row & 7)) & 1) === 1;
}

type ArrayType<T> = { new (buffer: ArrayBufferLike, offset: number, length: number): T };

const view = <T>(type: ArrayType<T>, data: Uint8Array, at: number, length: number): T =>
  new type(data.buffer, data.byteOffset + at, length);
