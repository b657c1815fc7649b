import { describe, expect, it, vi } from 'vitest';
import { faultsBetween, faultsOf, joined, readPlaylist } from '../../../../../tools/test-support/hls-checker.ts';
import type { RecordedSegment, RingSegment } from '../../recorder-wire/protocol.ts';
import { dvrPlaylist, ofRecording, ofRing, skippable } from './dvr-playlist.ts';
import { answersReload, isTooFarAhead, llPlaylist } from './ll-playlist.ts';
import { rewindLists } from './rewind-lists.ts';

const SENSOR = '6f1f64b4-2b53-4a5e-9c0e-6ad7e1f3a1c1';
const START_US = 1_700_000_000_000_000;
const PARTS = [0.44, 0.44, 0.44, 0.44, 0.24];

/** The first parts of a segment of two seconds. */
function segmentOf(n: number, fields: Partial<RingSegment> & { count?: number } = {}): RingSegment {
  const { count = PARTS.length, ...rest } = fields;
  const parts = PARTS.slice(0, count).map((durationSeconds, i) => ({
    ...{ offset: i * 1000, sizeBytes: 1000, durationSeconds },
    independent: i === 0,
  }));
  return {
    ...{ sensorId: SENSOR, n, startUs: START_US + n * 2e6, firstPtsTicks: n * 180_000 },
    durationSeconds: parts.reduce((sum, part) => sum + part.durationSeconds, 0),
    ...{ sizeBytes: parts.length * 1000, discontinuity: false, breaks: 3, done: count === PARTS.length, parts },
    ...rest,
  };
}

const ringOf = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => segmentOf(from + i));

describe('the low-latency playlist', () => {
  it('holds half a minute, with parts at its end, and what it says of itself is right', () => {
    const list = readPlaylist(llPlaylist([...ringOf(0, 40), segmentOf(40, { count: 2 })], null));

    expect(faultsOf(list)).toEqual([]);
    expect(list).toMatchObject({ version: 9, targetSeconds: 2, partTarget: 0.5, partHoldBack: 1.5, canBlock: true });
    expect([list.firstN, list.segments.at(-1)!.n, list.breaks]).toEqual([25, 40, 3]);
    expect(list.segments.filter(({ parts }) => parts.length > 0).map(({ n }) => n)).toEqual([37, 38, 39, 40]);
    expect(list.segments.at(-1)!.parts[0]).toEqual({
      ...{ uri: '40.ts', bytes: '1000@0', durationSeconds: 0.44, independent: true },
    });
    expect(list.hint).toEqual({ uri: '40.ts', start: 2000 });
  });

  it('keeps its promises while it grows, over a break too', () => {
    const ring = ringOf(0, 12);
    let before = readPlaylist(llPlaylist(ring, null));
    for (let n = 12; n < 30; n += 1) {
      const fields = { discontinuity: n === 15, breaks: n < 15 ? 3 : 4 };
      for (let count = 1; count <= PARTS.length; count += 1) {
        const now = readPlaylist(llPlaylist([...ring, segmentOf(n, { ...fields, count })], null));

        expect([...faultsOf(now), ...faultsBetween(before, now)]).toEqual([]);
        before = now;
      }
      ring.push(segmentOf(n, fields));
    }
    expect(before.breaks).toBe(4);
  });

  it('names the next segment where the last one is whole, and takes the token along', () => {
    const list = readPlaylist(llPlaylist(ringOf(0, 3), 'a b'));

    expect(list.hint).toEqual({ uri: '3.ts?token=a%20b', start: 0 });
    expect(list.segments[0]!.uri).toBe('0.ts?token=a%20b');
  });

  it('says so where pictures last longer than a part', () => {
    const slow = segmentOf(0, {});
    slow.parts = slow.parts.map((part) => ({ ...part, durationSeconds: 0.8 }));
    slow.durationSeconds = 4;

    const list = readPlaylist(llPlaylist([slow], null));

    expect(list).toMatchObject({ partTarget: 0.8, targetSeconds: 4 });
    expect(faultsOf(list)).toEqual([]);
  });

  it.each([
    ['a part that is there', { msn: 5, part: 1 }, true],
    ['the next part', { msn: 5, part: 2 }, false],
    ['the segment that grows', { msn: 5, part: null }, false],
    ['one before it', { msn: 4, part: null }, true],
    ['a part that a whole segment does not have', { msn: 4, part: 9 }, true],
    ['a later segment', { msn: 6, part: 0 }, false],
  ])('answers a reload for %s or waits', (_what, reload, isThere) => {
    expect(answersReload([...ringOf(0, 5), segmentOf(5, { count: 2 })], reload)).toBe(isThere);
  });

  it('takes a part beyond the last of a whole segment for the first of the next one', () => {
    expect(answersReload(ringOf(0, 6), { msn: 5, part: 5 })).toBe(false);
    expect(answersReload([...ringOf(0, 6), segmentOf(6, { count: 1 })], { msn: 5, part: 5 })).toBe(true);
  });

  it('refuses what is too far ahead', () => {
    const ring = [...ringOf(0, 5), segmentOf(5, { count: 2 })];
    const refused = (msn: number, part: number | null) => isTooFarAhead(ring, { msn, part });

    expect([refused(7, null), refused(5, 4), refused(5, null)]).toEqual([false, false, false]);
    expect([refused(8, 0), refused(5, 40)]).toEqual([true, true]);
  });
});

const FILES = ['a3c5d1f4-0000-4000-8000-000000000001', 'a3c5d1f4-0000-4000-8000-000000000002'];

function recordedOf(fileId: string, n: number, startUs: number): RecordedSegment {
  return {
    ...{ missionId: SENSOR, sensorId: SENSOR, fileId, n, offset: n * 5000, sizeBytes: 5000 },
    ...{ startUs, durationSeconds: 2, discontinuity: false },
  };
}

const COMPLETE = { token: null, skipped: 0 };

describe('the playlist for rewinding', () => {
  it('holds all whole segments of the ring', () => {
    const list = readPlaylist(dvrPlaylist(ofRing([...ringOf(7, 300), segmentOf(300, { count: 3 })]), COMPLETE));

    expect(faultsOf(list)).toEqual([]);
    expect([list.firstN, list.segments.length, list.targetSeconds]).toEqual([7, 293, 2]);
    expect(list.segments[0]).toMatchObject({ uri: '7.ts', bytes: null, dateMs: START_US / 1000 + 14_000 });
  });

  it('holds a recording from its start as pieces of its files, with a break where a new one begins', () => {
    const segments = new Map([
      [FILES[0], [0, 1].map((n) => recordedOf(FILES[0]!, n, START_US + n * 2e6))],
      [FILES[1], [0, 1].map((n) => recordedOf(FILES[1]!, n, START_US + 60e6 + n * 2e6))],
    ]);
    const files = FILES.map((fileId) => ({ fileId }));

    const list = readPlaylist(
      dvrPlaylist(
        ofRecording(SENSOR, files, (id) => segments.get(id) ?? []),
        COMPLETE,
      ),
    );

    expect(faultsOf(list)).toEqual([]);
    expect(list.segments.map(({ uri, discontinuity }) => [uri, discontinuity])).toEqual([
      [`${FILES[0]}-0.ts`, false],
      [`${FILES[0]}-1.ts`, false],
      [`${FILES[1]}-0.ts`, true],
      [`${FILES[1]}-1.ts`, false],
    ]);
  });

  it('leaves out what a player has already, and nothing of the last half minute', () => {
    const segments = ringOf(0, 300).map((segment) => ({ ...segment, discontinuity: segment.n === 100 }));
    const before = readPlaylist(dvrPlaylist(ofRing(segments.slice(0, 299)), COMPLETE));
    const list = ofRing(segments);

    const delta = readPlaylist(dvrPlaylist(list, { token: null, skipped: skippable(list.segments) }));

    expect(faultsOf(delta)).toEqual([]);
    expect([delta.firstN, delta.skipped, delta.segments[0]?.n, delta.segments.length]).toEqual([0, 288, 288, 12]);
    const complete = joined(before, delta);
    expect(faultsBetween(before, complete)).toEqual([]);
    expect(complete.segments).toEqual(readPlaylist(dvrPlaylist(list, COMPLETE)).segments);
  });

  it('makes the list of a recording once for all who wait for it', () => {
    const segments = [recordedOf(SENSOR, 0, START_US)];
    const recordedAs = () => ({ recording: { missionId: SENSOR }, sensor: { files: [{ fileId: SENSOR }] } }) as never;
    const number = vi.fn((_sensorId: string, list) => list);
    const listOf = rewindLists({ mirror: { ring: () => [], segments: () => segments, recordedAs }, number });

    const [first, again] = [listOf(SENSOR), listOf(SENSOR)];
    segments.push(recordedOf(SENSOR, 1, START_US + 2e6));

    expect(again).toBe(first);
    expect(first.text({ knownTo: null, token: null })).toBe(again.text({ knownTo: null, token: null }));
    expect(listOf(SENSOR).next).toBe(2);
    expect(number).toHaveBeenCalledTimes(2);
  });

  it('keeps a delta update of five hours below 2 kB, whose whole list has a megabyte', () => {
    const segments = Array.from({ length: 9000 }, (_, n) => recordedOf(FILES[0]!, n, START_US + n * 2e6));
    const list = ofRecording(SENSOR, [{ fileId: FILES[0]! }], () => segments);

    const [complete, delta] = [0, skippable(list.segments)].map((skipped) =>
      dvrPlaylist(list, { token: null, skipped }),
    );

    expect(complete!.length).toBeGreaterThan(1_000_000);
    expect(delta!.length).toBeLessThan(2000);
  });
});

describe('the checker of playlists', () => {
  const good = () => llPlaylist([...ringOf(0, 20), segmentOf(20, { count: 2 })], null);

  it.each([
    ['a segment beyond the target', ['#EXTINF:2.00000', '#EXTINF:2.60000'], 'longer than the target'],
    ['a falling date', [/(DATE-TIME:2023-11-14T22:13:)58/, '$110'], 'falls'],
    ['a small hold back', ['PART-HOLD-BACK=1.50000', 'PART-HOLD-BACK=1.00000'], 'three parts'],
    ['a long part', ['PART:DURATION=0.44000', 'PART:DURATION=0.54000'], 'longer than the part target'],
    [
      'a short part',
      ['PART:DURATION=0.44000,URI="20.ts",BYTERANGE="1000@1000"', 'PART:DURATION=0.14000,URI="20.ts"'],
      'too short',
    ],
  ])('finds %s', (_what, [from, to], text) => {
    const broken = good().replace(from as string, to as string);

    expect(broken).not.toBe(good());
    expect(faultsOf(readPlaylist(broken)).join()).toContain(text);
  });

  it('finds what changes or goes back between two playlists', () => {
    const [before, after] = [ringOf(0, 30), ringOf(0, 31)].map((ring) => readPlaylist(llPlaylist(ring, null)));

    expect(faultsBetween(before!, after!)).toEqual([]);
    expect(faultsBetween(after!, before!)).toContain('the end goes back');
    expect(faultsBetween(before!, { ...after!, targetSeconds: 3 })).toContain('the target duration changes');
  });
});
