import { expect, it } from 'vitest';
import { lanesOf } from './lanes.ts';
import type { TimelineSpan } from './marks.ts';

const span = (id: string, timeUs: number, endUs: number): TimelineSpan => ({
  ...{ id, timeUs, endUs, label: id, hint: id, chosen: false, faded: false },
});
const shown = (spans: TimelineSpan[]) =>
  lanesOf(spans).bars.map(({ lane, spans: own }) => `${lane}:${own.map(({ id }) => id).join('+')}`);

it('lays spans that overlap one below the other, and the next one where there is room', () => {
  expect(shown([span('a', 0, 10), span('b', 5, 20), span('c', 10, 15), span('d', 20, 30)])).toEqual([
    '0:a',
    '1:b',
    '0:c',
    '0:d',
  ]);
});

it('joins what has no lane of its own in the last one', () => {
  const spans = [span('a', 0, 100), span('b', 1, 100), span('c', 2, 10), span('d', 5, 20), span('e', 30, 40)];
  expect(shown(spans)).toEqual(['0:a', '1:b', '2:c+d', '2:e']);
  expect(lanesOf(spans)).toMatchObject({ lanes: 3, bars: { 2: { fromUs: 2, toUs: 20 } } });
  expect(lanesOf([])).toEqual({ bars: [], lanes: 0 });
});
