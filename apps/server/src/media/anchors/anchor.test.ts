import type { FrameAnchor } from '@osprey/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Timebase, utcOfPts } from '../../telemetry/timebase.ts';
import type { PlayableSegment } from '../index/sensor-index.ts';
import { type ArrangedFile, arrange, type FileToArrange } from '../ingest/arrange.ts';
import { shownSegments } from '../ingest/timeline.ts';
import { anchorAt, type Placed, utcOf } from './anchor.ts';

const START_US = Date.UTC(2026, 5, 1) * 1000;

/** A file as ingest knows it: runs of segments of pictures, and where its clock says that it begins. */
type Flight = { id: string; clock: 'klv' | 'none'; startUs: number; rate: number; runs: Run[] };
type Run = { firstPts: number; pauseUs: number; segments: number[][] };

/** The pictures of a run: a list of PTS for each segment. */
function picturesOf({ firstPts, segments }: Run): number[][] {
  let pts = firstPts;
  return segments.map((steps) =>
    steps.map((step) => {
      const own = pts;
      pts += step;
      return own;
    }),
  );
}

const lastStep = ({ segments }: Run): number => segments.at(-1)!.at(-1)!;

function fileOf({ id, clock, startUs, rate, runs }: Flight, { byUs = 0 } = {}): FileToArrange {
  let us = startUs + byUs;
  const anchors: Timebase['runs'] = runs.map((run, n) => {
    const pictures = picturesOf(run).flat();
    const length = pictures.at(-1)! + lastStep(run) - run.firstPts;
    const fromUs = us + run.pauseUs;
    us = fromUs + Math.round((length / 0.09) * rate);
    return {
      run: n,
      anchors: [
        [run.firstPts, fromUs],
        [run.firstPts + length, us],
      ],
    };
  });
  const known = clock === 'klv';
  const index = {
    telemetryKey: known ? 'telemetry' : null,
    runs: runs.map((run, n) => {
      const pictures = picturesOf(run).flat();
      return { run: n, firstPts: run.firstPts, lastPts: pictures.at(-1)!, lastDurationTicks: lastStep(run) };
    }),
    klvSpans: [],
    klv: {
      anchors: known ? anchors : [],
      clock: {
        trustworthy: known,
        missing: 0,
        unit: 'microseconds',
        firstTimeUs: known ? anchors[0]!.anchors[0]![1] : null,
        lastTimeUs: known ? us : null,
      },
    },
  } as unknown as FileToArrange['index'];
  return {
    id,
    name: `${id}.ts`,
    lastModifiedUs: null,
    uploadedUs: START_US,
    remark: null,
    manifest: null,
    index,
  };
}

function segmentsOf({ runs }: Flight): PlayableSegment[] {
  let offset = 0;
  let n = 0;
  return runs.flatMap((run, number) =>
    picturesOf(run).map((pictures, at) => {
      const steps = run.segments[at]!;
      const segment = {
        ...{ n: n++, offset, sizeBytes: pictures.length, run: number, startTicks: pictures[0]! },
        durationTicks: steps.reduce((sum, step) => sum + step, 0),
      };
      offset += pictures.length;
      return segment;
    }),
  );
}

type Shown = { index: Placed; files: { file: ArrangedFile; segments: PlayableSegment[]; flight: Flight }[] };

/** Windows, timebases and shown segments as ingest makes them of the files. */
function shownOf(flights: readonly Flight[], byUs = new Map<string, number>()): Shown {
  const arranged = arrange(flights.map((flight) => fileOf(flight, { byUs: byUs.get(flight.id) ?? 0 })));
  const files = arranged.map((file) => {
    const flight = flights.find(({ id }) => id === file.id)!;
    const keys = segmentsOf(flight).map(({ offset, startTicks, run }) => ({ offset, ptsTicks: startTicks, run }));
    return { file, flight, segments: shownSegments(file, segmentsOf(flight), keys) };
  });
  const index = {
    files: files.map(({ file, segments }) => ({
      fileId: file.id,
      telemetryKey: null,
      timebase: file.timebase,
      window: file.window,
      media: { segments } as unknown as Placed['files'][number]['media'],
    })),
  };
  return { index, files };
}

/** The picture that a player shows at a time, found by looking at the times of all of them. */
function onScreen({ files }: Shown, utcUs: number): FrameAnchor | null {
  for (const { file, flight, segments } of files) {
    for (const { run, startTicks, durationTicks } of segments.toReversed()) {
      const timeOf = (ticks: number) => utcOfPts(file.timebase, run, ticks);
      if (!(timeOf(startTicks) <= utcUs && utcUs < timeOf(startTicks + durationTicks))) continue;
      const pictures = picturesOf(flight.runs[run]!).flat();
      const pts = pictures.findLast((ticks) => ticks >= startTicks && timeOf(ticks) <= utcUs);
      if (pts !== undefined) return { fileId: file.id, run, pts };
    }
  }
  return null;
}

const step = fc.integer({ min: 1500, max: 9000 });
const run = fc.record({
  firstPts: fc.integer({ min: 0, max: 2 ** 34 }),
  pauseUs: fc.integer({ min: 0, max: 5_000_000 }),
  segments: fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 }),
});
const flightNamed = (id: string) =>
  fc.record({
    id: fc.constant(id),
    clock: fc.constantFrom('klv' as const, 'klv' as const, 'none' as const),
    startUs: fc.integer({ min: 0, max: 8_000_000 }).map((us) => START_US + us),
    // Drift of the two clocks.
    rate: fc.double({ min: 0.9999, max: 1.0001, noNaN: true }),
    runs: fc.array(run, { minLength: 1, maxLength: 3 }),
  });

describe('the anchor of a mark', () => {
  it('stays on its picture when files come and go, the sensor is shifted and a clock is read again', () => {
    let [kept, hidden] = [0, 0];
    fc.assert(
      fc.property(
        fc.tuple(flightNamed('a'), flightNamed('b'), flightNamed('c')),
        fc.record({ shiftUs: fc.integer({ min: -9e9, max: 9e9 }), laterUs: fc.integer({ min: -9e9, max: 9e9 }) }),
        fc.integer({ min: -60_000_000, max: 60_000_000 }),
        fc.nat(),
        ([first, second, third], { shiftUs, laterUs }, byUs, pick) => {
          const before = shownOf([first, second]);
          const all = before.files.flatMap(({ file, flight, segments }) =>
            segments.flatMap(({ run, startTicks, durationTicks }) =>
              picturesOf(flight.runs[run]!)
                .flat()
                .filter((pts) => pts >= startTicks && pts < startTicks + durationTicks)
                .map((pts) => ({ fileId: file.id, run, pts })),
            ),
          );
          if (all.length === 0) return;
          const requested = all[pick % all.length]!;
          const utcUs = utcOf(before.index, shiftUs, requested)!;
          // If two files overlap by less than half a picture, both have this time: the first is on screen.
          if (onScreen(before, utcUs - shiftUs)?.fileId !== requested.fileId) return;
          const anchor = anchorAt(before.index, shiftUs, utcUs)!;
          expect(anchor).toEqual(requested);

          const afterwards = [
            shownOf([first, second, third]),
            shownOf([requested.fileId === 'a' ? first : second]),
            shownOf([first, second], new Map([[requested.fileId, byUs]])),
            shownOf([third, second, first], new Map([[requested.fileId, byUs]])),
          ];
          for (const after of afterwards) {
            const time = utcOf(after.index, laterUs, anchor);
            const isShown = after.files.some(
              ({ file, segments }) =>
                file.id === anchor.fileId &&
                segments.some(
                  (one) =>
                    one.run === anchor.run &&
                    one.startTicks <= anchor.pts &&
                    anchor.pts < one.startTicks + one.durationTicks,
                ),
            );
            expect(time !== null).toBe(isShown);
            if (time === null) {
              hidden += 1;
              continue;
            }
            const seen = onScreen(after, time - laterUs);
            if (seen?.fileId !== anchor.fileId) continue;
            kept += 1;
            expect(seen).toEqual(anchor);
          }
        },
      ),
      { numRuns: 1000 },
    );
    // Guards against a test without cases: some marks were hidden, and most were found again.
    expect(hidden).toBeGreaterThan(10);
    expect(kept).toBeGreaterThan(500);
  });

  it('is at the tick of a moment within the time of a picture, and nowhere in a gap', () => {
    const flight: Flight = {
      ...{ id: 'a', clock: 'klv', startUs: START_US, rate: 1 },
      runs: [{ firstPts: 90_000, pauseUs: 0, segments: [[3600, 3600]] }],
    };
    const { index } = shownOf([flight]);
    expect(anchorAt(index, 0, START_US)).toEqual({ fileId: 'a', run: 0, pts: 90_000 });
    expect(anchorAt(index, 0, START_US + 39_999)).toEqual({ fileId: 'a', run: 0, pts: 93_599 });
    expect(anchorAt(index, 0, START_US + 40_000)).toEqual({ fileId: 'a', run: 0, pts: 93_600 });
    expect(anchorAt(index, 0, START_US - 1)).toBeNull();
    expect(anchorAt(index, 0, START_US + 80_000)).toBeNull();
    expect(anchorAt(index, 1_000_000, START_US + 1_000_000)).toEqual({ fileId: 'a', run: 0, pts: 90_000 });
    expect(utcOf(index, 1_000_000, { fileId: 'a', run: 0, pts: 90_001 })).toBe(START_US + 1_000_011);
  });

  it('is at the picture whose time was rounded to the nearest microsecond', () => {
    const step = 3003;
    const flight: Flight = {
      ...{ id: 'a', clock: 'klv', startUs: START_US, rate: 1 },
      runs: [{ firstPts: 0, pauseUs: 0, segments: [Array.from({ length: 90 }, () => step)] }],
    };
    const { index } = shownOf([flight]);
    for (let n = 0; n < 90; n += 1) {
      expect(anchorAt(index, 0, START_US + Math.round((n * step) / 0.09))?.pts).toBe(n * step);
    }
  });

  it('has no time where its file, its run or its place is gone', () => {
    const flight: Flight = {
      ...{ id: 'a', clock: 'klv', startUs: START_US, rate: 1 },
      runs: [{ firstPts: 0, pauseUs: 0, segments: [[3600, 3600]] }],
    };
    const { index } = shownOf([flight]);
    expect(utcOf(index, 0, { fileId: 'b', run: 0, pts: 0 })).toBeNull();
    expect(utcOf(index, 0, { fileId: 'a', run: 1, pts: 0 })).toBeNull();
    expect(utcOf(index, 0, { fileId: 'a', run: 0, pts: 7200 })).toBeNull();
  });

  it('counts by the own times of a telemetry file, which has no other clock, and follows its offset', () => {
    const sidecar = (shiftUs: number): Placed => ({
      files: [
        {
          ...{ fileId: 's', telemetryKey: 't', media: null },
          timebase: { clock: 'klv', klvUnitUs: 1, runs: [], shiftUs },
          window: [START_US + shiftUs, START_US + 5_000_000 + shiftUs],
        },
      ],
    });
    const anchor = anchorAt(sidecar(0), 0, START_US + 1_000_000)!;
    expect(utcOf(sidecar(0), 0, anchor)).toBe(START_US + 1_000_000);
    expect(utcOf(sidecar(250_000), 0, anchor)).toBe(START_US + 1_250_000);
    expect(anchorAt(sidecar(0), 0, START_US + 5_000_001)).toBeNull();
  });

  it('finds telemetry without pictures in the run that the moment belongs to', () => {
    const index: Placed = {
      files: [
        {
          ...{ fileId: 'k', telemetryKey: 't', media: null, window: [START_US, START_US + 20_000_000] },
          timebase: {
            ...{ clock: 'klv', klvUnitUs: 1, shiftUs: 0 },
            runs: [
              { run: 0, anchors: [[900_000, START_US]] },
              { run: 1, anchors: [[0, START_US + 10_000_000]] },
            ],
          },
        },
      ],
    };
    const [early, late] = [3_000_000, 12_000_000].map((us) => anchorAt(index, 0, START_US + us)!);
    expect(early).toEqual({ fileId: 'k', run: 0, pts: 1_170_000 });
    expect(late).toEqual({ fileId: 'k', run: 1, pts: 180_000 });
    expect(utcOf(index, 0, early!)).toBe(START_US + 3_000_000);
    expect(utcOf(index, 0, late!)).toBe(START_US + 12_000_000);
  });
});
