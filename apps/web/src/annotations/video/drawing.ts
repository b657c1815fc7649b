import type { AnnotationFeature } from '@osprey/contract';
import { useSyncExternalStore } from 'react';

export type VideoTool = 'point' | 'line' | 'polygon';

/** A shape drawn on a frame, projected to the ground, with the sensor and the time of the frame in UTC microseconds. */
export type DrawnOnVideo = { feature: AnnotationFeature; sensorId: string; timeUs: number };

type State = {
  tool: VideoTool | null;
  /** True if the ground shown by the frame under the last click is not known. */
  noGround: boolean;
  done: DrawnOnVideo | null;
};

const atRest: State = { tool: null, noGround: false, done: null };
const listeners = new Set<() => void>();
let state = atRest;

function set(change: Partial<State>) {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

/** State of drawing on a picture; there is only one drawing per page. */
export const videoDrawing = {
  get: () => state,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  begin: (tool: VideoTool) => set({ tool, noGround: false, done: null }),
  refuse: () => set({ noGround: true }),
  finish: (done: DrawnOnVideo) => set({ tool: null, noGround: false, done }),
  end: () => set(atRest),
};

export const useVideoDrawing = (): State => useSyncExternalStore(videoDrawing.subscribe, videoDrawing.get);
