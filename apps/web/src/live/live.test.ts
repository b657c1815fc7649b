import { describe, expect, it, vi } from 'vitest';
import { valueAt } from '../onscreen/telemetry-store.ts';
import { createLiveEdge } from './clock/live-edge.ts';
import { ticksSince } from './clock/ticks.ts';
import { livePublisher } from './live-publisher.ts';
import { createLiveTelemetry } from './live-telemetry.ts';
import { NOTHING_PLAYING } from './playing.ts';
import { LIVE_ONLY } from './ways/live-source.ts';
import { bestMode, refusalOf } from './ways/modes.ts';

const START_US = 1_780_000_000_000_000;
const SECOND = 90_000;

/** Ten records a second from this PTS on; tag 5 counts them. */
function flown(records: number, firstPts: number, store = createLiveTelemetry('eo'), startUs = START_US) {
  for (let index = 0; index < records; index += 1) {
    const sets = index % 10 === 0 ? { 74: { 101: [] } } : null;
    store.add({
      pts: firstPts + index * 9000,
      pid: 257,
      time: startUs + index * 100_000,
      tags: { 5: index, ...(index % 3 === 0 ? { 21: 1000 + index } : {}) },
      sets,
    });
  }
  return store;
}

/** Five sets a second, as the server answers for pictures that are wound back over. */
const pastRows = (firstPts: number, fromUs: number, seconds: number) =>
  Array.from({ length: seconds * 5 }, (_, index) => ({
    ...{
      pts: firstPts + index * 18_000,
      pid: 257,
      time: fromUs + index * 200_000,
      tags: { 5: 1000 + index },
      sets: null,
    },
  }));

describe('telemetry of pictures from before one joined', () => {
  // Joined a minute into the flight; a picture of its twentieth second is wound back to.
  const joinedPts = 60 * SECOND;
  const wound = { ticks: 20 * SECOND, arrivedUs: START_US + 20e6, nowMs: 0 };
  const joined = () => flown(50, joinedPts, undefined, START_US + 60e6);

  it('is asked for once, with some before it, and belongs to its pictures when it has come', () => {
    const store = joined();

    const asked = store.lackingFor(wound)!;
    expect(asked).toEqual({ from: START_US + 10e6, to: START_US + 40e6 });
    expect(store.lackingFor(wound)).toBeNull();
    store.addPast({ kind: 'past', ...asked, rows: pastRows(10 * SECOND, START_US + 10e6, 30), last: true });

    const found = store.at(wound.ticks + 9000)!;
    expect(valueAt(found.record, '5')).toBe(1050);
    expect(found.timeUs).toBe(START_US + 20_100_000);
    expect(store.lackingFor({ ...wound, nowMs: 60_000 })).toBeNull();
    expect([...store.between(START_US + 39e6, START_US + 61e6)].map(({ timeUs }) => timeUs)).toEqual([
      ...Array.from({ length: 5 }, (_, i) => START_US + 39e6 + i * 200_000),
      ...Array.from({ length: 11 }, (_, i) => START_US + 60e6 + i * 100_000),
    ]);
    expect(valueAt(store.at(joinedPts)!.record, '5')).toBe(0);
  });

  it('goes on while it plays, and restarts when the user winds elsewhere', () => {
    const store = joined();
    const asked = store.lackingFor(wound)!;
    store.addPast({ kind: 'past', ...asked, rows: pastRows(10 * SECOND, START_US + 10e6, 30), last: true });

    const on = { ticks: 34 * SECOND, arrivedUs: START_US + 34e6, nowMs: 14_000 };
    expect(store.lackingFor(on)).toEqual({ from: START_US + 40e6, to: START_US + 54e6 });
    store.addPast({
      ...{ kind: 'past', from: START_US + 40e6, to: START_US + 54e6, last: true },
      rows: pastRows(40 * SECOND, START_US + 40e6, 14),
    });
    expect(valueAt(store.at(on.ticks)!.record, '5')).toBe(1120);
    expect(valueAt(store.at(53 * SECOND)!.record, '5')).toBe(1065);

    const elsewhere = { ticks: 2 * SECOND, arrivedUs: START_US + 2e6, nowMs: 15_000 };
    expect(store.lackingFor(elsewhere)).toEqual({ from: START_US - 8e6, to: START_US + 22e6 });
  });

  it('is not asked for at once again where there is none, nor for pictures that have theirs', () => {
    const store = joined();
    const asked = store.lackingFor(wound)!;
    store.addPast({ kind: 'past', from: asked.from, to: asked.from, rows: [], last: true });

    expect(store.lackingFor({ ...wound, nowMs: 100 })).toBeNull();
    expect(store.lackingFor({ ...wound, nowMs: 6000 })).not.toBeNull();
    expect(store.lackingFor({ ticks: joinedPts + SECOND, arrivedUs: START_US + 61e6, nowMs: 60_000 })).toBeNull();
  });

  it('is not taken from an answer that is no longer awaited', () => {
    const store = joined();
    const asked = store.lackingFor(wound)!;

    store.addPast({
      kind: 'past',
      from: asked.from - 1,
      to: asked.to,
      rows: pastRows(10 * SECOND, START_US, 30),
      last: true,
    });

    expect(store.at(wound.ticks)).toBeNull();
  });
});

describe('ticks of a stream', () => {
  it('are compared modulo 2^32, for players that count in 33 bits and for RTP in 32', () => {
    expect(ticksSince(100, 2 ** 32 + 190)).toBe(90);
    expect(ticksSince(2 ** 33 - 10, 20)).toBe(30);
    expect(ticksSince(20, 2 ** 32 - 10)).toBe(-30);
  });
});

describe('the telemetry of a live stream', () => {
  it('gives the last record at or before a picture, and the time of the picture by it', () => {
    const store = flown(50, 900_000);

    const found = store.at(900_000 + 9000 * 7 + 3600);

    expect(found && valueAt(found.record, '5')).toBe(7);
    expect(found?.timeUs).toBe(START_US + 700_000 + 40_000);
  });

  it('knows a record of the very picture although its media time was rounded', () => {
    const store = flown(50, 900_000);

    expect(valueAt(store.at(900_000 + 9000 * 8 - 40)!.record, '5')).toBe(8);
  });

  it('has nothing for pictures before its first record, nor for those long after its last', () => {
    const store = flown(50, 900_000);

    expect(store.at(899_000)).toBeNull();
    expect(store.at(900_000 + 70 * SECOND)).toBeNull();
  });

  it('finds pictures on both sides of the turn of the clock', () => {
    const store = flown(50, 2 ** 32 - 9000 * 5);

    expect(valueAt(store.at(2 ** 32 - 9000)!.record, '5')).toBe(4);
    expect(valueAt(store.at(9000 * 3)!.record, '5')).toBe(8);
  });

  it('keeps pictures and records of the same run together when the stream restarts', () => {
    const store = flown(100, 126_000);
    flown(20, 126_000, store, START_US + 60_000_000);

    expect(store.at(126_000 + 9000 * 95)?.timeUs).toBe(START_US + 9_500_000);
    expect(store.at(126_000 + 9000 * 10)?.record.timeUs).toBe(START_US + 1_000_000);
  });

  it('says what was sent last of a tag that does not come each time, and counts what came in a span', () => {
    const store = flown(50, 900_000);
    const { record } = store.at(900_000 + 9000 * 11)!;

    expect(store.lastKnown(record, '21')).toEqual({ value: 1009, timeUs: START_US + 900_000 });
    expect([...store.between(START_US + 500_001, START_US + 1_000_000)]).toHaveLength(5);
  });

  it('forgets the oldest of a long flight, and still finds the newest', () => {
    const store = flown(13_000, 900_000);

    expect(store.at(900_000)).toBeNull();
    const found = store.at(900_000 + 9000 * 12_990);
    expect(found && valueAt(found.record, '5')).toBe(12_990);
    expect(found?.record.page.sets.every(({ i }) => found.record.page.tags['5']?.[i] !== undefined)).toBe(true);
    expect(found?.record.page.tags['5']?.[found.record.page.sets.at(-1)!.i]).toBe(12_990);
  });

  it('names a tag that comes later by a page of its own, so that a panel looks again', () => {
    const store = flown(3, 900_000);
    const { page } = store.at(900_000)!.record;

    store.add({ pts: 927_000, pid: 257, time: START_US + 300_000, tags: { 5: 3, 13: 37.5 }, sets: null });

    const found = store.at(927_000)!.record;
    expect(found.page).not.toBe(page);
    expect([valueAt(found, '13'), valueAt({ ...found, index: 0 }, '13')]).toEqual([37.5, null]);
  });
});

describe('another KLV stream of the sensor', () => {
  const joinedPts = 60 * SECOND;
  const wound = { ticks: 20 * SECOND, arrivedUs: START_US + 20e6, nowMs: 0 };

  it('begins a series of its own: no value of the stream before it is mixed in, now or wound back', () => {
    const store = flown(50, joinedPts, undefined, START_US + 60e6);
    const asked = store.lackingFor(wound)!;
    store.addPast({ kind: 'past', ...asked, rows: pastRows(10 * SECOND, START_US + 10e6, 30), last: true });

    // The clock of this sender is five minutes slow.
    const set = { pts: joinedPts + 50 * 9000, pid: 258, time: START_US - 240e6, tags: { 13: 58 }, sets: null };
    store.add(set);

    const found = store.at(set.pts)!;
    expect([valueAt(found.record, '13'), store.lastKnown(found.record, '5')]).toEqual([58, null]);
    expect(store.recordAt(set.time)?.timeUs).toBe(set.time);
    expect(store.at(wound.ticks)).toBeNull();
    // Earlier pictures are asked for as they are with that stream.
    expect(store.lackingFor(wound)).toEqual(asked);
  });
});

describe('the delay of a picture', () => {
  it('is its distance from what arrives, for any delay of single messages', () => {
    const edge = createLiveEdge();
    for (let index = 0; index < 50; index += 1) edge.note(index * 9000, 1000 + index * 100 + (index % 7) * 20);

    expect(edge.latencyMs(49 * 9000, 1000 + 4900 + 300)).toBeCloseTo(300, 5);
    expect(edge.latencyMs(40 * 9000, 1000 + 4900)).toBeCloseTo(900, 5);
  });

  it('is not known before anything arrived, and restarts with the stream', () => {
    const edge = createLiveEdge();
    expect(edge.latencyMs(0, 0)).toBeNull();
    for (let index = 0; index < 20; index += 1) edge.note(9_000_000 + index * 9000, index * 100);
    for (let index = 0; index < 20; index += 1) edge.note(126_000 + index * 9000, 10_000 + index * 100);

    expect(edge.latencyMs(126_000 + 9000 * 19, 12_000)).toBeCloseTo(100, 5);
  });
});

describe('a rewound picture', () => {
  it('has the age and the telemetry of its own run where the stream has restarted with the same PTS', () => {
    const edge = createLiveEdge();
    edge.note(126_000, performance.now());
    const telemetry = flown(20, 126_000);
    const asked = vi.fn();
    const source = { ...LIVE_ONLY, ticksOf: () => 126_000, latencyMs: () => 1000, end: () => undefined };
    const arrivedUs = START_US - 640e6;
    const playing = {
      current: {
        ...NOTHING_PLAYING,
        source: { ...source, timeOf: () => arrivedUs, newestUs: () => START_US },
        picture: { mediaTime: 3, rtpTicks: null },
        ask: asked,
      },
    };
    const video = { current: { videoWidth: 640, videoHeight: 360 } as HTMLVideoElement };
    const publish = vi.fn();

    livePublisher({ id: 'eo', video, playing, telemetry, edge, publish, onPublished: () => undefined })();

    expect(playing.current).toMatchObject({ latencyMs: 640_000, timeUs: arrivedUs });
    expect(publish).toHaveBeenCalledWith(expect.objectContaining({ record: null }));
    expect(asked).toHaveBeenCalledWith(expect.objectContaining({ kind: 'past' }));
  });
});

describe('the way to watch', () => {
  const info = { useLiveLowLatency: false, useWebRtcVideo: true, useLiveRtspHls: true };
  const platform = { liveModes: ['Preview' as const, 'WebRtc' as const] };

  it('is the best that is switched on, allowed and possible, with the reason for each passed over', () => {
    expect(bestMode({ platform, info, impossible: {} })).toEqual({ mode: 'webRtc', passed: [] });
    const fallen = bestMode({ platform, info, impossible: { webRtc: 'It has B-frames.' } });
    expect(fallen).toEqual({ mode: 'highQuality', passed: [{ mode: 'webRtc', reason: 'It has B-frames.' }] });
    expect(bestMode({ platform, info: null, impossible: {} }).mode).toBe('highQualityDvr');
    const low = { useLiveLowLatency: true, useWebRtcVideo: false, useLiveRtspHls: true };
    expect(bestMode({ platform, info: low, impossible: {} }).mode).toBe('lowLatency'); // S2-147
  });

  it('may be chosen by hand unless it is not allowed or not possible', () => {
    const given = { platform: { liveModes: [] }, info, impossible: { highQuality: 'No codec.' } };

    expect(refusalOf('webRtc', given)).toBe('Your usergroups do not allow WebRTC here.');
    expect(refusalOf('lowLatency', given)).toBe('Your usergroups do not allow Low latency here.');
    expect(refusalOf('highQuality', given)).toBe('No codec.');
    expect(refusalOf('highQualityDvr', given)).toBeNull();
  });
});
