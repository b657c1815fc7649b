import type { TimestampReport } from '@osprey/klv';
import type { KlvClock } from '../../telemetry/klv-clock.ts';
import type { Timebase } from '../../telemetry/timebase.ts';
import type { KlvChosenBy } from './klv-choice.ts';

/** Content of one KLV stream by its packets. */
export type KlvStream = {
  pid: number;
  program: number;
  kind: 'sync' | 'async';
  /** Packets by standard. */
  standards: Record<string, number>;
  sets: number;
  /** Packets under keys of no known set, by key in hex digits. Absent where there are none. */
  unknownKeys?: Record<string, number>;
};

/** Counts of one of several KLV streams: whole sets, and those that hold a position. */
export type KlvCount = { pid: number; program: number; sets: number; positions: number };

/** Tags that one stream filled in, ascending. */
export type KlvFilled = { pid: number; tags: number[] };

/** The KLV stream that is to be shown. */
export type RequestedKlv = { pid: number; by: 'user' | 'positions' };

/** Everything about the KLV of one file that is not in its telemetry index. */
export type KlvSurvey = {
  streams: KlvStream[];
  checksum: { good: number; bad: number; missing: number };
  /** Where sets failed their checksum: run and PTS in ticks. Absent from older indexes. */
  failedSets?: [run: number, ptsTicks: number][];
  faults: { tag: number | null; fault: string; count: number }[];
  clock: TimestampReport;
  /** Times of sets with PTS in the stream's clock, by run: how PTS becomes UTC where the clock is trustworthy. */
  anchors: Timebase['runs'];
  /** Verdict on the clock; absent in older indexes, and if no set has a place in the stream's clock. */
  line?: Omit<KlvClock, 'isBelieved' | 'runs'>;
  /** Metadata after (positive) or before the picture of the same PTS; null if sets have no PTS. */
  latencyMs: { median: number; p95: number; max: number } | null;
  /** PIDs of the other KLV streams, whose sets were left out. Absent where there are none. */
  others?: number[];
  /** Where there are several KLV streams: what each sent, and which is shown and why. */
  found?: KlvCount[];
  chosen?: { pid: number; by: KlvChosenBy };
  /** A stream that holds clearly more positions than the one that is shown: the file is read again for it. */
  better?: number;
  /** Tags that other streams filled into sets of the shown one. Absent where they filled none. */
  filled?: KlvFilled[];
  /**
   * PIDs of streams that hold positions as the shown one does, so that the file has to be read again without joining
   * them.
   */
  apart?: number[];
  /** Highest mark of ST 0102, 1 to 5; null without one. */
  mark: number | null;
  /** Marks that no label of ours means. */
  unknownMarks: string[];
};
