import type { ShownPicture } from '../player/frames/frame-watch.ts';
import type { LiveSession } from './ways/live-session.ts';
import type { LiveSource } from './ways/live-source.ts';

export type LivePhase = 'connecting' | 'starting' | 'waiting' | 'playing' | 'reconnecting' | 'gone';

/** State of one player that is kept outside of React, across renders. */
export type Playing = {
  source: LiveSource | null;
  /** Requests from the server what the pictures of the source lack. */
  ask: LiveSession['ask'] | null;
  picture: ShownPicture | null;
  pictureAtMs: number;
  /** UTC time of the picture on screen, in microseconds. */
  timeUs: number | null;
  latencyMs: number | null;
  paused: boolean;
};

export const NOTHING_PLAYING: Playing = {
  source: null,
  ask: null,
  picture: null,
  pictureAtMs: 0,
  timeUs: null,
  latencyMs: null,
  paused: false,
};
