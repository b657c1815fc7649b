import type { ErrorData, Level } from 'hls.js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRecovery } from './hls-recovery.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const PLAYLIST = '/api/hls/eo.m3u8';

/** `levels`: what its playlist says, none before that came. */
function player(levels: Level[] = [{} as Level]) {
  const hls = { levels, url: PLAYLIST, startLoad: vi.fn(), loadSource: vi.fn(), recoverMediaError: vi.fn() };
  const onFailure = vi.fn();
  const recovery = createRecovery(hls, onFailure);
  return {
    hls,
    onFailure,
    goesOn: recovery.goesOn,
    meet(type: 'networkError' | 'mediaError', fields: Partial<ErrorData> = {}) {
      recovery.recover({ type, fatal: true, ...fields } as ErrorData);
      vi.advanceTimersByTime(3000);
    },
  };
}

it('loads again three times, then says that the server does not answer', () => {
  const { hls, onFailure, meet } = player();

  for (let count = 0; count < 3; count += 1) meet('networkError');
  expect(hls.startLoad).toHaveBeenCalledTimes(3);
  expect(onFailure).not.toHaveBeenCalled();
  meet('networkError');

  expect(onFailure.mock.calls).toEqual([['network']]);
});

it('asks for the playlist again where that did not come', () => {
  const { hls, meet } = player([]);

  meet('networkError');

  expect(hls.loadSource.mock.calls).toEqual([[PLAYLIST]]);
  expect(hls.startLoad).not.toHaveBeenCalled();
});

it.each(['networkError', 'mediaError'] as const)('forgets a %s that it has played on after', (type) => {
  const { onFailure, meet, goesOn } = player();

  for (let count = 0; count < 10; count += 1) {
    meet(type);
    goesOn();
    vi.advanceTimersByTime(60_000);
  }

  expect(onFailure).not.toHaveBeenCalled();
});

it('does not forget what comes back at once, nor what no piece came after', () => {
  const soon = player();
  for (let count = 0; count < 3; count += 1) {
    soon.meet('mediaError');
    soon.goesOn();
  }
  const never = player();
  for (let count = 0; count < 4; count += 1) {
    never.meet('networkError');
    vi.advanceTimersByTime(120_000);
  }

  expect(soon.onFailure.mock.calls).toEqual([['broken']]);
  expect(never.onFailure.mock.calls).toEqual([['network']]);
});

it('tries nothing where the recording is not there any more, or no browser could play it', () => {
  const { hls, onFailure, meet } = player();

  meet('networkError', { response: { code: 404, url: '', data: '' } });
  meet('mediaError', { details: 'bufferAddCodecError' as ErrorData['details'] });

  expect(onFailure.mock.calls).toEqual([['gone'], ['unsupported']]);
  expect(hls.startLoad).not.toHaveBeenCalled();
});
