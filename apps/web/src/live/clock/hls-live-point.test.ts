import type { LevelDetails } from 'hls.js';
import { describe, expect, it } from 'vitest';
import { hlsLivePoint } from './hls-live-point.ts';

/** A list of these segments from media time zero, `age` seconds after its last one came. */
function list(durations: readonly number[], age: number) {
  const fragments = durations.map((duration) => ({ duration }) as LevelDetails['fragments'][number]);
  const edge = durations.reduce((sum, duration) => sum + duration, 0);
  return { fragments, fragmentStart: 0, edge, age };
}

describe('where live is played in a list of whole segments', () => {
  it('is 3.5 s later than what is made now, and goes on while the next segment is made', () => {
    const segments = Array.from({ length: 10 }, () => 2);

    expect(hlsLivePoint(list(segments, 0), 0)).toBe(16.5);
    expect(hlsLivePoint(list(segments, 1.5), 0)).toBe(18);
  });

  it('is later if segments are longer, but not for one of long ago', () => {
    expect(hlsLivePoint(list([2, 2, 2, 4, 4, 4], 0), 0)).toBe(18 - 5.5);
    expect(hlsLivePoint(list([9, 2, 2, 2, 2, 2], 0), 0)).toBe(19 - 3.5);
  });

  it('is a little later for each time that the stream was late, 2 s at most', () => {
    const segments = Array.from({ length: 10 }, () => 2);

    expect(hlsLivePoint(list(segments, 0), 2)).toBe(16);
    expect(hlsLivePoint(list(segments, 0), 50)).toBe(14.5);
  });

  it('is before the end of a stream that stopped, and never before the start', () => {
    expect(hlsLivePoint(list([2, 2, 2, 2], 60), 0)).toBe(7.4);
    expect(hlsLivePoint(list([2], 0), 0)).toBe(0);
  });
});
