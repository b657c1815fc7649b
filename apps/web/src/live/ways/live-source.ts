import type { VideoMode } from '@osprey/contract';
import type { ShownPicture } from '../../player/frames/frame-watch.ts';

/** Reason why playback in one mode cannot continue. */
export type LiveProblem =
  /** The mode cannot work in this browser, so the next mode is used; `reason` is the sentence shown to the user. */
  | { kind: 'impossible'; reason: string }
  /** The connection was lost, and may work again. */
  | { kind: 'lost' }
  /** The stream or its recording is just starting; the mode will work in a moment. */
  | { kind: 'starting' }
  /** The sensor does not exist, or the user has no access to it. */
  | { kind: 'gone' };

/** Range that can be rewound, in media seconds; live is at `to`. */
export type LiveRange = { from: number; to: number };

/** Source of the pictures of a live sensor in one mode, which plays in a video element. */
export type LiveSource = {
  /** Returns the PTS of a picture in 90 kHz ticks, modulo 2^32; null while unknown. */
  ticksOf: (picture: ShownPicture) => number | null;
  /** Returns the range that can be rewound; null if only live is available. */
  range: () => LiveRange | null;
  /**
   * Returns the UTC time of a media time by the receiver's clock, in microseconds; null if the mode does not provide
   * it.
   */
  timeOf: (mediaTime: number) => number | null;
  /**
   * Returns the UTC time of the end of the buffered video, which is live or some seconds older, in microseconds; null
   * if the mode does not provide it.
   */
  newestUs: () => number | null;
  /**
   * Returns the position at which playback continues when it returns to live, in media seconds; null: it cannot be
   * chosen.
   */
  livePosition: () => number | null;
  /**
   * Returns true while playback is kept at live, that is, neither paused nor at an earlier position that the user
   * chose.
   */
  isFollowing: () => boolean;
  /** Called when playback is paused: it later continues from the same picture. */
  hold: () => void;
  /** Continues at a position within the range, and keeps that delay. */
  goTo: (mediaTime: number) => void;
  /** Continues at live and stays there. Returns false if the position cannot be chosen. */
  goLive: () => boolean;
  /**
   * Returns the delay estimated from the player alone, in milliseconds, for streams whose telemetry has no time; null:
   * unknown.
   */
  latencyMs: () => number | null;
  end: () => void;
};

/** Methods of a source that can only play live. */
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
  /** Called when connected, while waiting for the first picture. */
  onConnected: () => void;
  onProblem: (problem: LiveProblem) => void;
};

/** Expected latency of each mode, in milliseconds, as 95th percentile. */
export const LATENCY_GOAL_MS: Record<VideoMode, number> = {
  webRtc: 500,
  lowLatency: 1000,
  highQuality: 3000,
  highQualityDvr: 6000,
};
