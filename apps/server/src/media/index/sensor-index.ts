import type { KlvHealth, SensorTimeline } from '@osprey/contract';
import type { Packeting, Program, VideoFormat } from '@osprey/mpegts';
import type { Timebase } from '../../telemetry/timebase.ts';
import type { VideoMove } from './shown-program.ts';

/** Index of a sensor, for playing it and for serving its telemetry; one file in the storage, written by ingest. */
export type SensorIndex = {
  version: 1;
  files: IndexedFile[];
  /** In the sensor's own times. Null if nothing can be dated. */
  timeline: SensorTimeline | null;
  health: KlvHealth;
};

export type IndexedFile = {
  fileId: string;
  telemetryKey: string | null;
  timebase: Timebase;
  /** Sets with a wrong checksum: run and PTS in ticks. */
  failedSets?: [run: number, ptsTicks: number][];
  /** The part of the file that is shown, in UTC microseconds on the sensor's own clock. */
  window: [fromUs: number, toUs: number];
  /** Time from which telemetry is shown, if earlier than the start of the window. */
  telemetryFromUs?: number;
  video: VideoFormat | null;
  media: PlayableFile | null;
};

/** Source of a file's video: the original, or the rendition made of it. */
export type PlayableFile = {
  storageKey: string;
  sizeBytes: number;
  rangesPlayable: boolean;
  packeting: Packeting;
  program: Program;
  /** Points at which the video continues in another stream. */
  moves?: VideoMove[];
  segments: PlayableSegment[];
};

export type PlayableSegment = {
  /** Number of the segment in the file, used to request the segment. */
  n: number;
  offset: number;
  sizeBytes: number;
  startTicks: number;
  durationTicks: number;
  run: number;
  /** True if it begins at a key frame within a segment of its file, because another file shows the part before. */
  isTrimmed?: true;
};
