import type { PlanePoint } from './track.ts';

export const classifications = ['UNCLASSIFIED', 'RESTRICTED', 'CONFIDENTIAL', 'SECRET', 'TOP SECRET'] as const;
export type SimulatedClassification = (typeof classifications)[number];

export const spectra = ['EO', 'IR'] as const;
export type Spectrum = (typeof spectra)[number];

export const tracks = ['orbit', 'racetrack', 'eight'] as const;
export type TrackName = (typeof tracks)[number];

/** Options of a simulated recording. All have a default; the same options give the same recording. */
export type SimulationOptions = {
  /** Length in seconds. Default 60. */
  seconds?: number;
  /** UTC microseconds of the first frame. Default 2026-06-01T09:00:00Z. */
  startUs?: number;
  /** Sets where ships and platform begin, and the wind. Default 1. */
  seed?: number;
  width?: number;
  height?: number;
  /** Frames a second, 1 to 60. Default 25. */
  fps?: number;
  /** Frames from keyframe to keyframe. Default two seconds. */
  gop?: number;
  /** Consecutive B-frames, 0 to 3. Default 0. */
  bFrames?: number;
  /** Upper bound of the video rate in kbit/s. Default by picture size and rate. */
  kbps?: number;
  /** Which sensor of the platform this recording is, from 1: 1 EO, 2 IR, 3 a wider EO, 4 a wider IR ... Default 1. */
  sensor?: number;
  /** Colour look, when it is not to follow from `sensor`. */
  spectrum?: Spectrum;
  /** Widest horizontal field of view in degrees, when it is not to follow from `sensor`. */
  fovDeg?: number;
  /** A shape around the origin, or points [longitude, latitude] of a closed course. Default orbit. */
  track?: TrackName | readonly (readonly [lon: number, lat: number])[];
  /** [longitude, latitude] of the middle of the scene. Default off the north-west coast of Kea, 24.295, 37.672. */
  origin?: readonly [lon: number, lat: number];
  /** Metres above the sea. Default 1400. */
  altitudeM?: number;
  /** Metres a second over ground. Default 52. */
  speedMps?: number;
  /** Ships, 0 to 24. Default 6. */
  ships?: number;
  classification?: SimulatedClassification;
  mission?: string;
  platform?: string;
  /** Tied to frames by metadata access units (stream type 0x15), or asynchronous (0x06). Default async. */
  klv?: 'sync' | 'async';
  /** ST 0601 packets a second, or one for each frame. Default 10. */
  klvRate?: number | 'frame';
  /** Form of the footprint in the metadata: full corners (82-89), offsets (26-33), or angles alone. Default corners. */
  footprint?: 'corners' | 'offsets' | 'angles';
  /** Burnt-in text and crosshair; the machine-readable code is always there. Default true. */
  overlay?: boolean;
  /** PTS of the first frame in 90 kHz ticks; close to 2^33 shows a wrap. Default 126000. */
  firstPtsTicks?: number;
};

/** Every option with its value, and what follows from them. */
export type ResolvedOptions = Required<Omit<SimulationOptions, 'track' | 'kbps' | 'origin'>> & {
  origin: { lon: number; lat: number };
  /** Points of the closed course: a shape in metres around the origin, or places. */
  course: { plane: readonly PlanePoint[] } | { places: readonly (readonly [number, number])[] };
  kbps: number;
  frames: number;
};

/** An option outside of what is allowed. */
export class OptionError extends Error {
  override name = 'OptionError';
  readonly option: keyof SimulationOptions;
  /** The given and the allowed values: the message without the option's name. */
  readonly reason: string;

  constructor(option: keyof SimulationOptions, value: unknown, allowed: string) {
    const reason = `is ${String(value)}: it must be ${allowed}`;
    super(`${option} ${reason}`);
    this.option = option;
    this.reason = reason;
  }
}
