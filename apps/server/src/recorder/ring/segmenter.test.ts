import { describe, expect, it } from 'vitest';
import { facts, filming, packetOf, TABLES } from '../../../test/ring-parts.ts';
import { type CutPart, type CutSegment, createSegmenter, type Segmenter } from './segmenter.ts';

type Cut = CutSegment & { parts: CutPart[]; ended: boolean };

function cutting(gop = 25) {
  const segments: Cut[] = [];
  let overflows = 0;
  const segmenter: Segmenter = createSegmenter(
    {
      begin: (segment) => segments.push({ ...segment, parts: [], ended: false }),
      part(part, isLast) {
        segments.at(-1)!.parts.push(part);
        segments.at(-1)!.ended = isLast;
      },
      overflow: () => {
        overflows += 1;
      },
    },
    () => camera.nowUs(),
  );
  const camera = filming(segmenter, { gop });
  return { segments, segmenter, camera, overflows: () => overflows };
}

const lengths = ({ parts }: Cut) => parts.map(({ durationSeconds }) => Math.round(durationSeconds * 100) / 100);
const bytesOf = (segments: readonly Cut[]) =>
  Buffer.concat(
    segments.flatMap(({ parts }) => Buffer.concat(parts.map(({ bytes }) => bytes)).subarray(TABLES.length)),
  );

describe('segments of a live stream', () => {
  it('begin at the first key frame after two seconds, with the tables in front, and hold every packet once', () => {
    const { segments, camera } = cutting();

    camera.film(25 * 6 + 1);

    expect(segments.map(({ firstPtsTicks }) => (firstPtsTicks - 900_000) / 90_000)).toEqual([0, 2, 4, 6]);
    expect(segments.map(({ discontinuity }) => discontinuity)).toEqual([true, false, false, false]);
    const complete = segments.slice(0, 3);
    expect(complete.every(({ parts }) => parts[0]!.bytes.subarray(0, TABLES.length).equals(TABLES))).toBe(true);
    expect(bytesOf(complete)).toEqual(Buffer.concat(camera.sent.slice(0, 150)));
  });

  it('are cut into parts of half a second, whose first can start playback', () => {
    const { segments, camera } = cutting();

    camera.film(25 * 4);

    expect(lengths(segments[0]!)).toEqual([0.44, 0.44, 0.44, 0.44, 0.24]);
    expect(segments[0]!.parts.map(({ independent }) => independent)).toEqual([true, false, false, false, false]);
  });

  it('wait for a key frame, also when they come seldom', () => {
    const { segments, camera } = cutting(25 * 7);

    camera.film(25 * 15);

    expect(segments.map(({ firstPtsTicks }) => (firstPtsTicks - 900_000) / 90_000)).toEqual([0, 7, 14]);
  });

  it('go on after ten seconds without a key frame', () => {
    const { segments, camera } = cutting(25 * 1000);

    camera.film(25 * 21);

    expect(segments.map(({ firstPtsTicks }) => (firstPtsTicks - 900_000) / 90_000)).toEqual([0, 10, 20]);
    expect(segments[1]!.parts[0]!.independent).toBe(false);
  });

  it('end where the clock jumps, the format changes or the stream is lost', () => {
    const { segments, segmenter, camera } = cutting();

    camera.film(25);
    camera.jump();
    camera.film(25);
    segmenter.changed(facts);
    camera.film(25);
    segmenter.lost();
    camera.film(25);

    expect(segments.map(({ discontinuity }) => discontinuity)).toEqual([true, true, true, true]);
    expect(segments.slice(0, 3).every(({ ended }) => ended)).toBe(true);
    expect(lengths(segments[0]!).reduce((sum, one) => sum + one)).toBeCloseTo(1);
    expect(bytesOf(segments.slice(0, 3))).toEqual(Buffer.concat(camera.sent.slice(0, 75)));
  });

  it('end before a hole in the stream, so that no part is stretched over it', () => {
    const { segments, camera } = cutting();

    camera.film(30);
    camera.miss(50);
    camera.film(60);

    expect(segments.map(({ firstPtsTicks }) => (firstPtsTicks - 900_000) / 90_000)).toEqual([0, 4]);
    expect(segments.map(({ discontinuity }) => discontinuity)).toEqual([true, true]);
    expect(lengths(segments[0]!)).toEqual([0.44, 0.44, 0.32]);
  });

  it('do not begin before the tables and a key frame were there', () => {
    const { segments, segmenter, camera } = cutting();
    const unit = { ptsTicks: 0, dtsTicks: 0, keyframe: true, run: 0 };

    segmenter.unit(unit, { ...facts, tables: null });
    segmenter.packets(packetOf(1), 0);
    segmenter.unit({ ...unit, keyframe: false }, facts);
    segmenter.packets(packetOf(2), 0);

    expect(segments).toEqual([]);
    camera.film(1);
    expect(segments).toHaveLength(1);
  });

  it('give up what no picture ends, and go on with the next key frame', () => {
    const { segments, segmenter, camera, overflows } = cutting();
    camera.film(1);
    const flood = Buffer.alloc(188 * 1000, 0x47);

    for (let i = 0; i < 200; i += 1) segmenter.packets(flood, 0);
    camera.film(25);

    expect(overflows()).toBe(1);
    expect(segments.map(({ discontinuity }) => discontinuity)).toEqual([true, true]);
  });
});
