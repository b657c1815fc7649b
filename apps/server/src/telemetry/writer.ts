import { isSame } from '@osprey/bytes';
import { HIGHEST_TAG, type NestedItem, type St0601Record, type TagInfo } from '@osprey/klv';
import { blockBytes, type Column } from './block-writer.ts';
import { BLOCK_ROWS, type BlockEntry, type Directory, MAGIC } from './format.ts';
import { numericTags, textTags } from './values.ts';

const TAGS = HIGHEST_TAG + 1;
const HAS_NULL = 0x02020202;
/**
 * Number of entries per column in memory. Not a power of two, so that the values of one row do not map to the same set
 * of the processor's cache.
 */
const COLUMN = BLOCK_ROWS + 8;
/**
 * Maximum size of the nested sets in a block, in bytes. A set may hold thousands of targets, so a block that exceeds
 * this is closed early.
 */
const MAX_RAW_BYTES = 4 * 1024 * 1024;

/** A record for the index: an ST 0601 set and its place on the stream's clock. */
export type TelemetryRow = {
  record: Pick<St0601Record, 'timeUs' | 'numbers' | 'present' | 'texts' | 'nested'>;
  /** The buffer to which the offsets in `record.nested` refer. */
  bytes: Uint8Array;
  /** PTS in unwrapped 90 kHz ticks: that of the packet, or of the video before it; null if neither has one. */
  ptsTicks: number | null;
  run: number;
};

/** Statistics of one tag over a whole file. */
export type TagStatistics = {
  tag: number;
  /** Number of sets that contain the tag, either with a value or marked as unknown. */
  sets: number;
  first: number | string | null;
  last: number | string | null;
  min: number | null;
  max: number | null;
};

/**
 * Packs records into blocks of columns as they arrive, keeping their order. Memory use is that of one block, for any
 * length of the recording. Each block is passed to `write`, which then owns it.
 */
export function createTelemetryWriter({ write }: { write: (bytes: Uint8Array) => void }) {
  /** Numbers of the current block, column by column; NaN where a record has no value. */
  const numbers = new Float64Array(COLUMN * TAGS).fill(Number.NaN);
  const times = new Float64Array(BLOCK_ROWS);
  const ticks = new Float64Array(BLOCK_ROWS);
  const runs = new Float64Array(BLOCK_ROWS);
  const seen = new Uint8Array(TAGS);
  const seenWords = new Uint32Array(seen.buffer);
  const texts = new Map<number, (string | null)[]>();
  const nested = new Map<number, RawColumn>();
  const statistics = new Map<number, TagStatistics>();
  const directory: Directory = { records: 0, blocks: [] };
  /**
   * Presence array of the previous record. The KLV reader reuses a single array, so a word view of it need only be
   * created once.
   */
  let present: Uint8Array = new Uint8Array(TAGS);
  let presentWords: Uint32Array = new Uint32Array(TAGS / 4);
  let rows = 0;
  let rawBytes = 0;
  let offset = 0;

  const emit = (bytes: Uint8Array) => {
    write(bytes);
    offset += bytes.byteLength;
  };
  emit(new TextEncoder().encode(MAGIC));

  function add({ record, bytes, ptsTicks, run }: TelemetryRow): void {
    times[rows] = record.timeUs ?? Number.NaN;
    ticks[rows] = ptsTicks ?? Number.NaN;
    runs[rows] = run;
    keepNumbers(record);
    for (const tag of textTags) if (record.present[tag] === 1) keepText(tag, record.texts[tag] ?? null);
    for (const item of record.nested) keepNested(item, bytes);
    rows += 1;
    directory.records += 1;
    if (rows === BLOCK_ROWS || rawBytes > MAX_RAW_BYTES) flush();
  }

  /** Stores the numbers of a record. Four tags are skipped at a time if the record holds none of them. */
  function keepNumbers({ present: next, numbers: values }: TelemetryRow['record']): void {
    if (next !== present) {
      present = next;
      presentWords = new Uint32Array(next.buffer, next.byteOffset, TAGS / 4);
    }
    let nulls = 0;
    for (let at = 0; at < TAGS / 4; at += 1) {
      const word = presentWords[at]!;
      if (word === 0) continue;
      seenWords[at]! |= word;
      nulls |= word & HAS_NULL;
      for (let tag = 4 * at; tag < 4 * at + 4; tag += 1) numbers[tag * COLUMN + rows] = values[tag]!;
    }
    if (nulls === 0) return;
    for (let tag = 1; tag < TAGS; tag += 1) if (present[tag] === 2) statisticsOf(tag).sets += 1;
  }

  function keepText(tag: number, text: string | null): void {
    let column = texts.get(tag);
    if (column === undefined) {
      column = new Array<string | null>(BLOCK_ROWS).fill(null);
      texts.set(tag, column);
    }
    column[rows] = text;
  }

  function keepNested({ tag, start, end }: NestedItem, bytes: Uint8Array): void {
    let column = nested.get(tag);
    if (column === undefined) {
      column = new RawColumn();
      nested.set(tag, column);
    }
    rawBytes += column.set(rows, bytes, start, end);
  }

  function statisticsOf(tag: number): TagStatistics {
    let found = statistics.get(tag);
    if (found === undefined) {
      found = { tag, sets: 0, first: null, last: null, min: null, max: null };
      statistics.set(tag, found);
    }
    return found;
  }

  function flush(): void {
    if (rows === 0) return;
    const columns: Column[] = [
      { key: 'time', values: times.subarray(0, rows), info: null },
      { key: 'pts', values: ticks.subarray(0, rows), info: null },
      { key: 'run', values: runs.subarray(0, rows), info: null },
    ];
    for (const info of numericTags) {
      if ((seen[info.tag]! & 1) === 1) columns.push({ key: `${info.tag}`, values: columnOf(info), info });
    }
    for (const [tag, values] of texts) {
      columns.push({ key: `${tag}`, texts: values.slice(0, rows) });
      noteTexts(statisticsOf(tag), values);
    }
    for (const [tag, column] of nested) {
      columns.push({ key: `${tag}`, indexes: column.indexes.slice(0, rows), parts: column.parts });
      statisticsOf(tag).sets += column.count;
    }
    const bytes = blockBytes(rows, columns);
    for (let tag = 0; tag < TAGS; tag += 1) {
      if (seen[tag] !== 0) numbers.fill(Number.NaN, tag * COLUMN, tag * COLUMN + rows);
    }
    directory.blocks.push({ ...entryOf(), offset, bytes: bytes.byteLength });
    emit(bytes);
    rows = 0;
    rawBytes = 0;
    seen.fill(0);
    texts.clear();
    nested.clear();
  }

  function columnOf(info: TagInfo): Float64Array {
    const values = numbers.subarray(info.tag * COLUMN, info.tag * COLUMN + rows);
    const stats = statisticsOf(info.tag);
    let { min, max } = { min: stats.min ?? Number.POSITIVE_INFINITY, max: stats.max ?? Number.NEGATIVE_INFINITY };
    let last = Number.NaN;
    let first = Number.NaN;
    let count = 0;
    for (let row = 0; row < rows; row += 1) {
      const value = values[row]!;
      if (Number.isNaN(value)) continue;
      if (count === 0) first = value;
      if (value < min) min = value;
      if (value > max) max = value;
      last = value;
      count += 1;
    }
    if (count > 0) Object.assign(stats, { min, max, last, first: stats.first ?? first, sets: stats.sets + count });
    return values;
  }

  function noteTexts(stats: TagStatistics, values: readonly (string | null)[]): void {
    for (let row = 0; row < rows; row += 1) {
      const text = values[row];
      if (text === null || text === undefined) continue;
      stats.sets += 1;
      stats.first ??= text;
      stats.last = text;
    }
  }

  function entryOf(): Omit<BlockEntry, 'offset' | 'bytes'> {
    let [first, last, timeless] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
    for (let row = 0; row < rows; row += 1) {
      const time = times[row]!;
      if (Number.isNaN(time)) timeless += 1;
      if (time < first) first = time;
      if (time > last) last = time;
    }
    return { rows, klv: timeless === rows ? null : [first, last], spans: spansOf(), timeless };
  }

  function spansOf(): BlockEntry['spans'] {
    const spans: BlockEntry['spans'] = [];
    let [run, min, max] = [Number.NaN, 0, 0];
    const end = () => void (Number.isNaN(run) || spans.push({ run, min, max }));
    for (let row = 0; row < rows; row += 1) {
      const pts = ticks[row]!;
      if (Number.isNaN(pts)) continue;
      if (runs[row] !== run) {
        end();
        [run, min, max] = [runs[row]!, pts, pts];
      }
      if (pts < min) min = pts;
      if (pts > max) max = pts;
    }
    end();
    return spans;
  }

  return {
    add,
    records: () => directory.records,
    /** Writes the remaining records and the directory. No records may be added afterwards. */
    finish(): { directory: Directory; tags: TagStatistics[] } {
      flush();
      const text = new TextEncoder().encode(JSON.stringify(directory));
      emit(text);
      const tail = new Uint8Array(4 + MAGIC.length);
      new DataView(tail.buffer).setUint32(0, text.byteLength, true);
      tail.set(new TextEncoder().encode(MAGIC), 4);
      emit(tail);
      return { directory, tags: [...statistics.values()].sort((a, b) => a.tag - b.tag) };
    },
  };
}

/** Byte strings of one tag in a block. A string that equals the previous one is stored only once. */
class RawColumn {
  readonly indexes = new Int32Array(BLOCK_ROWS).fill(-1);
  readonly parts: Uint8Array[] = [];
  count = 0;
  /** Row for which the last string was added to `parts`; -1: none. */
  #newIn = -1;

  /** Sets the value of a row; returns the number of bytes added. */
  set(row: number, bytes: Uint8Array, start: number, end: number): number {
    // If an item occurs more than once in a set, its last value is kept.
    if (this.#newIn === row) this.parts.pop();
    const last = this.parts[this.parts.length - 1];
    const isNew = last === undefined || !isSame(last, bytes, start, end);
    if (isNew) this.parts.push(bytes.slice(start, end));
    this.#newIn = isNew ? row : -1;
    if (this.indexes[row] === -1) this.count += 1;
    this.indexes[row] = this.parts.length - 1;
    return isNew ? end - start : 0;
  }
}
