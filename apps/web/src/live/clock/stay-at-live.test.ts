import { describe, expect, it } from 'vitest';
import { stepToLive } from './stay-at-live.ts';

describe('a picture that is kept at live', () => {
  it('plays as it is at its place, and before it', () => {
    expect(stepToLive({ lagS: 0.05, aheadS: 1.5 })).toEqual({ way: 'rate', rate: 1 });
    expect(stepToLive({ lagS: -2, aheadS: 1.5 })).toEqual({ way: 'rate', rate: 1 });
  });

  it('plays faster the later it is, while enough is buffered', () => {
    const near = stepToLive({ lagS: 0.3, aheadS: 1.2 });
    const far = stepToLive({ lagS: 0.9, aheadS: 1.2 });

    expect(near).toMatchObject({ way: 'rate' });
    expect('rate' in near && 'rate' in far && near.rate > 1 && far.rate > near.rate).toBe(true);
    expect(stepToLive({ lagS: 0.9, aheadS: 0.4 })).toEqual({ way: 'rate', rate: 1 });
  });

  it('leaves out what it would take too long to play, but never what is not loaded', () => {
    expect(stepToLive({ lagS: 3, aheadS: 5 })).toEqual({ way: 'leap', skipS: 3 });
    expect(stepToLive({ lagS: 3, aheadS: 2.6 })).toEqual({ way: 'leap', skipS: 2 });
    expect(stepToLive({ lagS: 3, aheadS: 0.5 })).toEqual({ way: 'rate', rate: 1 });
  });

  it('restarts at live if its buffer is long past', () => {
    expect(stepToLive({ lagS: 12, aheadS: 0.5 })).toEqual({ way: 'load', skipS: 12 });
  });
});
