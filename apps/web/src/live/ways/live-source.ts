import type { VideoMode } from '@osprey/contract';
import type { ShownPicture } from '../../player/frames/frame-watch.ts';

/** Why a way to watch does not go on. */
export type LiveProblem =
  /** Cannot work in this browser: the next way is used, and the sentence gives the reason. */
  | { kind: 'impossible'; reason: string }
  /** The connection broke, and may work again. */
  | { kind: 'lost' }
  /** Stream or recording are just beginning: it works in a moment. */
  | { kind: 'starting' }
  /** The sensor is not there, or not for this user. */
  | { kind: 'gone' };

/** Span that can be rewound, media time in seconds; live is at `to`. */
export type LiveRange = { from: number; to: number };

/** One way to the pictures of a live sensor, playing in a video element. */
export type LiveSource = {
  /** PTS of a picture, ticks of 90 kHz modulo 2^32; null while it is not known. */
  ticksOf: (picture: ShownPicture) => number | null;
  /** Span that can be rewound; null if only live is there. */
  range: () => LiveRange | null;
  /** UTC by the receiver's clock, microseconds, if the way gives it. */
  timeOf: (mediaTime: number) => number | null;
  /** The same of the end of what is kept, which is live or some seconds older. */
  newestUs: () => number | null;
  /** Where playing goes on when it goes live, media time; null: it cannot be chosen. */
  livePosition: () => number | null;
  /** True while the player is held to live, and is not paused or at an earlier place that the user chose. */
  isFollowing: () => boolean;
  /** Paused: goes on from this very picture when it plays again. */
  hold: () => void;
  /** Goes on at a place of its range, and keeps that delay. */
  goTo: (mediaTime: number) => void;
  /** Goes on at live and stays there; false where that place cannot be chosen. */
  goLive: () => boolean;
  /** Estimates the delay from the player alone, for streams whose telemetry gives no time. Milliseconds. */
  latencyMs: () => number | null;
  end: () => void;
};

/** For a way that shows live and nothing before it. */
export const LIVE_ONLY = {
  range: () => null,
  timeOf: () => null,
  newestUs: () => null,
  livePosition: () => null,
  isFollowing: () => true,
  hold: () => undefined,
  goTo: () => undefined,
  goLive: () => false,
} satisfies Partial<LiveSource>;

export type SourceDeps = {
  video: HTMLVideoElement;
  sensorId: string;
  /** Connected: the first picture is waited for. */
  onConnected: () => void;
  onProblem: (problem: LiveProblem) => void;
};

/** Promised delay of each way, milliseconds: p95. */
export const LATENCY_GOAL_MS: Record<VideoMode, number> = {
  webRtc: 500,
  lowLatency: 1000,
  highQuality: 3000,
  highQualityDvr: 6000,
};
