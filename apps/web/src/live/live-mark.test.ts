import { expect, it } from 'vitest';
import { liveMark } from './live-mark.ts';

const goalMs = 6000;

it('says how old a picture is that is held to live, also while it catches up', () => {
  expect(liveMark({ latencyMs: 230, goalMs: 500, isPaused: false })).toEqual({ behindS: null, text: '0.23 s' });
  expect(liveMark({ latencyMs: 6400, goalMs, isPaused: false })).toEqual({ behindS: null, text: '6.4 s' });
  expect(liveMark({ latencyMs: null, goalMs, isPaused: false })).toEqual({ behindS: null, text: '' });
});

it('shows the delay of a picture as soon as it is wound back or paused, though by little', () => {
  expect(liveMark({ latencyMs: 12_400, goalMs, isPaused: true })).toEqual({ behindS: 12, text: '−12 s' });
  expect(liveMark({ latencyMs: 4100, goalMs, isPaused: true })).toEqual({ behindS: 4, text: '−4 s' });
  expect(liveMark({ latencyMs: 610_000, goalMs, isPaused: true })).toEqual({ behindS: 610, text: '−10 min' });
  expect(liveMark({ latencyMs: null, goalMs, isPaused: true })).toEqual({ behindS: 0, text: '' });
});

it('is not live if it stays far later than its way promises', () => {
  expect(liveMark({ latencyMs: 8100, goalMs, isPaused: false })).toEqual({ behindS: 8, text: '−8 s' });
  expect(liveMark({ latencyMs: 2600, goalMs: 500, isPaused: false })).toEqual({ behindS: 3, text: '−3 s' });
});
