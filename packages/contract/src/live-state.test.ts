import { describe, expect, it } from 'vitest';
import { platformState } from './live-state.ts';

describe('the state of a platform', () => {
  it('is lost if any sensor is lost', () => {
    expect(platformState(['online', 'lost', 'offline'])).toBe('lost');
  });

  it('is online where sensors are online and none is offline', () => {
    expect(platformState(['online', 'online'])).toBe('online');
    expect(platformState(['online', 'unknown'])).toBe('online');
  });

  it.each(['unknown', 'online', 'offline', 'lost'] as const)(
    'is %s where that is the state of its only sensor',
    (state) => {
      expect(platformState([state])).toBe(state);
    },
  );

  it('is partial where some sensors are online and some offline', () => {
    expect(platformState(['offline', 'online'])).toBe('partial');
  });

  it('is offline otherwise', () => {
    expect(platformState(['offline', 'offline'])).toBe('offline');
    expect(platformState(['unknown', 'unknown'])).toBe('offline');
    expect(platformState([])).toBe('offline');
  });
});
