import { expect, it } from 'vitest';
import { type MovieTrack, movieBox } from './mp4-movie.ts';

const track: MovieTrack = {
  handler: 'meta',
  entry: new Uint8Array(),
  timescale: 90_000,
  ...{ width: 0, height: 0 },
  sizes: Float64Array.of(57),
  durations: Float64Array.of(3000),
  ...{ delays: null, keys: null },
  chunks: Float64Array.of(1),
  ...{ emptyTicks: 0, shownTicks: 3000, mediaStart: 0 },
};

/** Duration and media time of each entry of the first edit list (ISO/IEC 14496-12, 8.6.6, version 0). */
function editsOf(emptyTicks: number): [ticks: number, mediaTime: number][] {
  const tracks = [{ ...track, emptyTicks }];
  const box = Buffer.from(movieBox({ tracks, createdSeconds: null, title: '', comment: '' }, null, false));
  const at = box.indexOf('elst') + 8;
  return Array.from({ length: box.readUInt32BE(at) }, (_, i) => [
    box.readUInt32BE(at + 4 + i * 12),
    box.readInt32BE(at + 8 + i * 12),
  ]);
}

it.each([
  [0, [[3000, 0]]],
  [
    1,
    [
      [1, -1],
      [3000, 0],
    ],
  ],
])('a track that begins %d ticks later has the edits %j', (emptyTicks, edits) => {
  expect(editsOf(emptyTicks)).toEqual(edits);
});
