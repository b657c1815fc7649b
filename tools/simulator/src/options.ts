import type { PlanePoint } from './track.ts';

export const classifications = ['UNCLASSIFIED', 'RESTRICTED', 'CONFIDENTIAL', 'SECRET', 'TOP SECRET'] as const;
export type SimulatedClassification = (typeof classifications)[number];

export const spectra = ['EO', 'IR'] as const;
export type Spectrum = (typeof spectra)[number];

export const tracks = ['orbit', 'racetrack', 'eight'] as const;
export type TrackName = (typeof tracks)[number];

/** Options of a simulated recording. All have a default; the same options produce the same recording. */
export type SimulationOptions = {
  /** Length in seconds. Default 60. */
  seconds?: number;
  /** Time of the first frame in UTC microseconds. Default 2026-06-01T09:00:00Z. */
  startUs?: number;
  /** Determines the start positions of ships and platform, and the wind. Default 1. */
  seed?: number;
  width?: number;
  height?: number;
  /** Frames per second, 1 to 60. Default 25. */
  fps?: number;
  /** Number of frames from key frame to key frame. Default two seconds. */
  gop?: number;
  /** Consecutive B-frames, 0 to 3. Default 0. */
  bFrames?: number;
  /** Maximum video bit rate in kbit/s. The default depends on picture size and frame rate. */
  kbps?: number;
  /** Number of the sensor on the platform, from 1: 1 EO, 2 IR, 3 a wider EO, 4 a wider IR ... Default 1. */
  sensor?: number;
  /** Colour or infrared; by default, this follows from `sensor`. */
  spectrum?: Spectrum;
  /** Widest horizontal field of view in degrees; by default, this follows from `sensor`. */
  fovDeg?: number;
  /** Shape of the course around the origin, or points [longitude, latitude] of a closed course. Default orbit. */
  track?: TrackName | readonly (readonly [lon: number, lat: number])[];
  /** Centre of the scene as [longitude, latitude]. Default off the north-west coast of Kea, 24.295, 37.672. */
  origin?: readonly [lon: number, lat: number];
  /** Altitude in metres above the sea. Default 1400. */
  altitudeM?: number;
  /** Ground speed in metres per second. Default 52. */
  speedMps?: number;
  /** Number of ships, 0 to 24. Default 6. */
  ships?: number;
  classification?: SimulatedClassification;
  mission?: string;
  platform?: string;
  /**
   * Form of the KLV: in metadata access units tied to frames (stream type 0x15), or asynchronous (0x06). Default async.
   */
  klv?: 'sync' | 'async';
  /** Number of ST 0601 packets per second, or one for each frame. Default 10. */
  klvRate?: number | 'frame';
  /**
   * Form of the footprint in the metadata: full corners (82-89), offsets (26-33), or only the angles. Default corners.
   */
  footprint?: 'corners' | 'offsets' | 'angles';
  /** Whether text and a crosshair are burnt in; the machine-readable code is always present. Default true. */
  overlay?: boolean;
  /** PTS of the first frame in 90 kHz ticks; a value close to 2^33 produces a wrap. Default 126000. */
  firstPtsTicks?: number;
};

/** All options with their values, and values derived from them. */
export type ResolvedOptions = Required<Omit<SimulationOptions, 'track' | 'kbps' | 'origin'>> & {
  origin: { lon: number; lat: number };
  /** Points of the closed course: either a shape in metres around the origin, or places. */
  course: { plane: readonly PlanePoint[] } | { places: readonly (readonly [number, number])[] };
  kbps: number;
  frames: number;
};

/** Thrown for an option whose value is not allowed. */
export class OptionError extends Error {
  override name = 'OptionError';
  readonly option: keyof SimulationOptions;
  /** The given value and the allowed ones: the message without the name of the option. */
  readonly reason: string;

  constructor(option: keyof SimulationOptions, value: unknown, allowed: string) {
    const reason = `is ${String(value)}: it must be ${allowed}`;
    super(`${option} ${reason}`);
    this.option = option;
    this.reason = reason;
  }
}
