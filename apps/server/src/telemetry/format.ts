/**
 * The telemetry index of one file: blocks of records in columns, then a directory.
 *
 *     magic (8 bytes) | block | block | … | directory as JSON | its length (u32) | magic (8 bytes)
 *
 * A block: length of its header (u32), the header as JSON, zero padding to a multiple of 8, then the columns, each at a
 * multiple of 8. All numbers are little-endian.
 */
export const MAGIC = 'OSPTEL01';
export const MAGIC_BYTES = 8;

/** Records in a block: some ten seconds to a minute, the amount that a player requests at once. */
export const BLOCK_ROWS = 512;

/** Encoding of one column of a block. Absent values have no bit in `mask`; without a mask all are present. */
export type ColumnHeader = {
  /** `time`, `pts`, `run`, or the number of an ST 0601 tag. */
  key: string;
  /** Byte offset of the presence bits after the header; null: all values are present. */
  mask: number | null;
} & (
  | { kind: 'same'; value: number | string }
  /** Integers: value = min + step * integer. */
  | { kind: 'u8' | 'u16' | 'u32'; at: number; min: number; step: number }
  | { kind: 'f64'; at: number }
  /** u16 indexes into `words`. */
  | { kind: 'text'; at: number; words: string[] }
  /** u16 indexes into the byte strings at `partsAt`; `ends` are the offsets where each ends. */
  | { kind: 'raw'; at: number; partsAt: number; ends: number[] }
);

export type BlockHeader = { rows: number; columns: ColumnHeader[] };

/** Location of a block, and the times in it. */
export type BlockEntry = {
  offset: number;
  bytes: number;
  rows: number;
  /** Smallest and largest KLV time as written in the stream, in its own unit; null if no record has one. */
  klv: [min: number, max: number] | null;
  /** Range of PTS in 90 kHz ticks, for each clock run in the block. */
  spans: { run: number; min: number; max: number }[];
  /** Number of records without a KLV time of their own. */
  timeless: number;
};

export type Directory = { records: number; blocks: BlockEntry[] };

export const aligned = (offset: number): number => (offset + 7) & ~7;
