import { describe, expect, it } from 'vitest';
import { stepToLive } from './hold-live-edge.ts';

describe('a picture that is kept at live', () => {
  it('plays as it is at its place, and before it', () => {
    expect(stepToLive({ latencyS: 0.05, bufferedAheadS: 1.5 })).toEqual({ way: 'rate', rate: 1 });
    expect(stepToLive({ latencyS: -2, bufferedAheadS: 1.5 })).toEqual({ way: 'rate', rate: 1 });
  });

  it('plays faster the later it is, while enough is buffered', () => {
    const near = stepToLive({ latencyS: 0.3, bufferedAheadS: 1.2 });
    const far = stepToLive({ latencyS: 0.9, bufferedAheadS: 1.2 });

    expect(near).toMatchObject({ way: 'rate' });
    expect('rate' in near && 'rate' in far && near.rate > 1 && far.rate > near.rate).toBe(true);
    expect(stepToLive({ latencyS: 0.9, bufferedAheadS: 0.4 })).toEqual({ way: 'rate', rate: 1 });
  });

  it('leaves out what it would take too long to play, but never what is not loaded', () => {
    expect(stepToLive({ latencyS: 3, bufferedAheadS: 5 })).toEqual({ way: 'seek', skipS: 3 });
    expect(stepToLive({ latencyS: 3, bufferedAheadS: 2.6 })).toEqual({ way: 'seek', skipS: 2 });
    expect(stepToLive({ latencyS: 3, bufferedAheadS: 0.5 })).toEqual({ way: 'rate', rate: 1 });
  });

  it('restarts at live if its buffer is long past', () => {
    expect(stepToLive({ latencyS: 12, bufferedAheadS: 0.5 })).toEqual({ way: 'load', skipS: 12 });
  });
});
