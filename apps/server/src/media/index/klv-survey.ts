import type { TimestampReport } from '@osprey/klv';
import type { KlvClock } from '../../telemetry/klv-clock.ts';
import type { Timebase } from '../../telemetry/timebase.ts';
import type { KlvChosenBy } from './klv-choice.ts';

/** Content of one KLV stream, by its packets. */
export type KlvStream = {
  pid: number;
  program: number;
  kind: 'sync' | 'async';
  /** Number of packets by standard. */
  standards: Record<string, number>;
  sets: number;
  /** Number of packets with keys of no known set, by key in hex digits. Absent if there are none. */
  unknownKeys?: Record<string, number>;
};

/** Counts of one of several KLV streams: complete sets, and those that contain a position. */
export type KlvCount = { pid: number; program: number; sets: number; positions: number };

/** Tags that one stream supplied to sets of the shown one, in ascending order. */
export type KlvFilled = { pid: number; tags: number[] };

/** The KLV stream to show. */
export type RequestedKlv = { pid: number; by: 'user' | 'positions' };

/** Everything known about the KLV of one file, except for its telemetry index. */
export type KlvSurvey = {
  streams: KlvStream[];
  checksum: { good: number; bad: number; missing: number };
  /** Positions of sets with a wrong checksum: run and PTS in ticks. Absent in older indexes. */
  failedSets?: [run: number, ptsTicks: number][];
  faults: { tag: number | null; fault: string; count: number }[];
  clock: TimestampReport;
  /**
   * Times of sets, with their PTS in the stream's clock, by run: these relate PTS to UTC if the clock is trustworthy.
   */
  anchors: Timebase['runs'];
  /** Verdict on the clock; absent in older indexes, and if no set has a position in the stream's clock. */
  line?: Omit<KlvClock, 'isBelieved' | 'runs'>;
  /** How long metadata arrives after (positive) or before the picture with the same PTS; null if sets have no PTS. */
  latencyMs: { median: number; p95: number; max: number } | null;
  /** PIDs of the other KLV streams, whose sets are not used. Absent if there are none. */
  others?: number[];
  /** Present if there are several KLV streams: what each contains, and which is shown and why. */
  found?: KlvCount[];
  chosen?: { pid: number; by: KlvChosenBy };
  /** PID of a stream with clearly more positions than the shown one; the file is then read again for that stream. */
  better?: number;
  /** Tags that other streams supplied to sets of the shown one. Absent if there are none. */
  filled?: KlvFilled[];
  /**
   * PIDs of streams that contain positions like the shown one, so that the file has to be read again without joining
   * them.
   */
  apart?: number[];
  /** Highest mark of ST 0102, 1 to 5; null if there is none. */
  mark: number | null;
  /** Marks that correspond to no label of Osprey. */
  unknownMarks: string[];
};
