import { expect, it } from 'vitest';
import { sensorRow, timelineOf } from '../testing/view-services.ts';
import { firstLeader, isPlayable, isTelemetryAlone, recordedFrom, recordedSpans, recordedUntil } from './playable.ts';

const good = { state: 'good', text: 'Telemetry comes from flight.csv: 3 records.' } as const;
const track = sensorRow({ name: 'Track', hlsProps: null, klv: good });

it('plays telemetry without a picture, and neither what has none nor what is just being recorded', () => {
  expect(isTelemetryAlone(track)).toBe(true);
  expect(isTelemetryAlone(sensorRow({ klv: good }))).toBe(false);
  for (const fields of [{ klv: null }, { klv: { ...good, state: 'none' } }, { state: 'Running' }, { startTime: null }])
    expect(isPlayable({ ...track, ...fields } as typeof track)).toBe(false);
});

it('lets the sensor of the link lead, else the first with a picture, else the first that plays', () => {
  const [empty, video] = [sensorRow({ _id: 'empty', hlsProps: null }), sensorRow({ _id: 'video' })];

  expect(firstLeader([empty, track, video], track._id)).toBe(track);
  expect(firstLeader([empty, track, video], null)).toBe(video);
  expect(firstLeader([empty, track], 'gone')).toBe(track);
  expect(firstLeader([empty], null)).toBe(empty);
});

it('takes the runs of pictures as recorded spans, and without pictures the spans between gaps of telemetry', () => {
  const timeline = { ...timelineOf(track), startTime: 0, endTime: 90, gaps: [{ start: 20, end: 50 }] };

  const spans = recordedSpans(track, { ...timeline, runs: [] });

  expect(spans).toEqual([
    { startTime: 0, endTime: 20 },
    { startTime: 50, endTime: 90 },
  ]);
  expect(recordedSpans(sensorRow(), timeline)).toBe(timeline.runs);
  expect([20, 21, 91].map((at) => recordedFrom(spans, at))).toEqual([20, 50, null]);
  expect([-1, 49, 60].map((at) => recordedUntil(spans, at))).toEqual([null, 20, 60]);
});
