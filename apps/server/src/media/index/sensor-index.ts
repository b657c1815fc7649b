import type { KlvHealth, SensorTimeline } from '@osprey/contract';
import type { Packeting, Program, VideoFormat } from '@osprey/mpegts';
import type { Timebase } from '../../telemetry/timebase.ts';
import type { VideoMove } from './shown-program.ts';

/** Index of a sensor for playing it and answering for its telemetry; one file in storage, written by ingest. */
export type SensorIndex = {
  version: 1;
  files: IndexedFile[];
  /** Own times of the sensor. Null where nothing can be dated. */
  timeline: SensorTimeline | null;
  health: KlvHealth;
};

export type IndexedFile = {
  fileId: string;
  telemetryKey: string | null;
  timebase: Timebase;
  /** Sets that failed their checksum: run and PTS in ticks. */
  failedSets?: [run: number, ptsTicks: number][];
  /** The part of the file that is shown, in own time of the sensor, UTC microseconds. */
  window: [fromUs: number, toUs: number];
  /** Where telemetry is shown from already before the window. */
  telemetryFromUs?: number;
  video: VideoFormat | null;
  media: PlayableFile | null;
};

/** Source of a file's pictures: the original, or the rendition made of it. */
export type PlayableFile = {
  storageKey: string;
  sizeBytes: number;
  rangesPlayable: boolean;
  packeting: Packeting;
  program: Program;
  /** Where the video goes on as another stream. */
  moves?: VideoMove[];
  segments: PlayableSegment[];
};

export type PlayableSegment = {
  /** Number of the segment in the file, by which the code that cuts segments names it. */
  n: number;
  offset: number;
  sizeBytes: number;
  startTicks: number;
  durationTicks: number;
  run: number;
  /** True if it begins at a keyframe inside a segment of its file, because another file shows the part before. */
  isTrimmed?: true;
};
