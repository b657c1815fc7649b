/**
 * Format of the telemetry index of one file: blocks of records in columns, then a directory.
 *
 *     magic (8 bytes) | block | block | … | directory as JSON | its length (u32) | magic (8 bytes)
 *
 * A block consists of the length of its header (u32), the header as JSON, zero padding to a multiple of 8, and the
 * columns, each of which begins at a multiple of 8. All numbers are little-endian.
 */
export const MAGIC = 'OSPTEL01';
export const MAGIC_BYTES = 8;

/** Number of records in a block: some ten seconds to a minute of data, the amount that a player requests at a time. */
export const BLOCK_ROWS = 512;

/**
 * Encoding of one column of a block. In `mask`, each present value has its bit set; without a mask all values are
 * present.
 */
export type ColumnHeader = {
  /** Content of the column: `time`, `pts`, `run`, or the number of an ST 0601 tag. */
  key: string;
  /** Byte offset of the presence bits, counted from the end of the header; null: all values are present. */
  mask: number | null;
} & (
  | { kind: 'same'; value: number | string }
  /** Integers, from which the values are calculated: value = min + step * integer. */
  | { kind: 'u8' | 'u16' | 'u32'; at: number; min: number; step: number }
  | { kind: 'f64'; at: number }
  /** 16-bit indexes into `words`. */
  | { kind: 'text'; at: number; words: string[] }
  /** 16-bit indexes into the byte strings stored at `partsAt`; `ends` holds the end offset of each string. */
  | { kind: 'raw'; at: number; partsAt: number; ends: number[] }
);

export type BlockHeader = { rows: number; columns: ColumnHeader[] };

/** Location of a block in the index, and the times that it contains. */
export type BlockEntry = {
  offset: number;
  bytes: number;
  rows: number;
  /**
   * Smallest and largest KLV time in the block, as written in the stream and in the stream's unit; null if no record
   * has a time.
   */
  klv: [min: number, max: number] | null;
  /** Range of PTS in 90 kHz ticks, for each clock run in the block. */
  spans: { run: number; min: number; max: number }[];
  /** Number of records that contain no KLV time. */
  timeless: number;
};

export type Directory = { records: number; blocks: BlockEntry[] };

export const aligned = (offset: number): number => (offset + 7) & ~7;
