import type Hls from 'hls.js';
import { expect, it } from 'vitest';
import { type Frame, GivenLoader, PTS_TURN, play, type Stream, shownOf, ticksOf } from '../../testing/hls.ts';
import { hlsPictures } from './hls-pictures.ts';

const Player = { DefaultConfig: { loader: GivenLoader } } as unknown as typeof Hls;

const framesFrom = (from: number) => Array.from({ length: 7 }, (_, i) => from + i);
const reordered = (from: number) => [0, 3, 1, 2].map((ahead, i) => ({ shown: from + ahead, turn: from + i - 1 }));

it.each<[string, (readonly Frame[])[], Stream?]>([
  ['where all pictures came', [framesFrom(0), framesFrom(7), framesFrom(14)]],
  ['behind a part whose last picture came late', [framesFrom(0), [7, 8, 9, 11], framesFrom(12), framesFrom(19)]],
  ['where a part begins late', [framesFrom(0), framesFrom(10), framesFrom(17)]],
  ['where parts have a single picture', [framesFrom(0), [7], [8], [9], [12], framesFrom(13)]],
  ['where pictures come in another order', [reordered(0), reordered(4).toSpliced(2, 1), reordered(8), reordered(12)]],
  ['where it begins before a key frame', [framesFrom(0), [7, 8, 10], framesFrom(11)], { keyFrame: 3 }],
  ['where the clock turns', [framesFrom(0), [7, 8, 10], framesFrom(11)], { firstTicks: PTS_TURN - 60_000 }],
  ['of two videos in the first one', [framesFrom(0), [7, 8, 10], framesFrom(11)], { pids: [256, 258] }],
])('knows the PTS of the picture on screen %s', (_where, parts, stream = {}) => {
  const { loader, appended, pictures } = hlsPictures(Player);

  const shown = play(parts, { Loader: loader, appended }, stream);

  const own = parts.flat().map((frame) => ticksOf(shownOf(frame), stream));
  expect(shown.map((mediaTime) => pictures.at(mediaTime)?.ticks)).toEqual(own.slice(stream.keyFrame ?? 0));
});

it('finds where a picture is shown by its PTS, and none where the buffer has none near', () => {
  const { loader, appended, pictures } = hlsPictures(Player);
  expect(pictures.ticksAt(1)).toBeNull();

  const shown = play([framesFrom(0), [7, 8, 9, 11], framesFrom(12)], { Loader: loader, appended });

  const [nine, eleven] = [shown[9]!, shown[10]!];
  expect(pictures.mediaTimeOf(ticksOf(11, {}), nine)).toBeCloseTo(eleven, 9);
  // The time of a lost picture is when it would have been.
  expect(pictures.mediaTimeOf(ticksOf(10, {}), nine)).toBeCloseTo((nine + eleven) / 2, 9);
  expect(pictures.mediaTimeOf(ticksOf(11, {}), eleven + 5)).toBeNull();
  // The time goes on while a picture is shown, and not beyond the next one.
  expect(pictures.ticksAt(nine + 0.01)).toBeCloseTo(ticksOf(9, {}) + 900, 3);
  expect(pictures.ticksAt(shown[11]! - 0.01)).toBeCloseTo(ticksOf(12, {}), 3);
});
