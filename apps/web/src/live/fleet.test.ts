import type { LivePosition } from '@osprey/contract';
import { describe, expect, it, vi } from 'vitest';
import { createFrameBus, type ShownFrame } from '../onscreen/frames.ts';
import { livePlatformOf as platformOf, liveSensorOf as sensorOf } from '../testing/platforms.ts';
import { createFleet } from './fleet.ts';
import { videosOf, watchedOf } from './watched.ts';

const sensor = sensorOf({ name: 'EO', state: 'online' });
const platform = platformOf({ name: 'OSP-21', state: 'online', sensors: [sensor] });

const position = (fields: Partial<LivePosition> = {}): LivePosition => ({
  platform: platform._id,
  sensor: sensor._id,
  time: 1_000_000,
  lat: 37.6,
  lon: 24.3,
  heading: 90,
  frameCenter: null,
  footprint: null,
  ...fields,
});

const shown = (fields: Partial<ShownFrame> = {}): ShownFrame => ({
  sensorId: sensor._id,
  timeUs: 2_000_000,
  record: {
    page: { sensor: sensor._id, from: 0, to: 0, more: false, time: [2_000_000], tags: {}, sets: [] },
    index: 0,
    timeUs: 2_000_000,
  },
  values: {},
  footprint: null,
  cut: null,
  platform: { lat: 37.7, lon: 24.4 },
  headingDeg: 80,
  stale: false,
  targets: [],
  width: 640,
  height: 360,
  ...fields,
});

describe('the platforms on the map', () => {
  it('are where the server reports, with their trail', () => {
    const fleet = createFleet(createFrameBus());
    fleet.setPlatforms([platform]);

    fleet.receive(position());
    fleet.receive(position({ time: 1_250_000, lat: 37.61 }));

    const item = fleet.item(platform._id);
    expect(item?.frames[0]).toMatchObject({ platform: { lat: 37.61, lon: 24.3 }, headingDeg: 90 });
    expect(item?.trail.map(({ lat }) => lat)).toEqual([37.6, 37.61]);
  });

  it('begin another trail where another KLV stream of a sensor is shown, and keep it over a loss', () => {
    const showing = (chosen: number | null) => {
      const klvStreams = chosen === null ? null : { chosen, by: 'user' as const, wanted: chosen, streams: [] };
      return { ...platform, sensors: [{ ...sensor, klvStreams }] };
    };
    const fleet = createFleet(createFrameBus());
    const trail = () => fleet.item(platform._id)?.trail.length;
    fleet.setPlatforms([showing(257)]);
    fleet.receive(position());

    fleet.setPlatforms([showing(null)]);
    fleet.setPlatforms([showing(257)]);
    expect(trail()).toBe(1);
    fleet.setPlatforms([showing(258)]);
    expect(trail()).toBe(0);
  });

  it('are where the frame on screen says as soon as one of their sensors is watched', () => {
    const bus = createFrameBus();
    const fleet = createFleet(bus);
    fleet.setPlatforms([platform]);
    bus.subscribe((frame) => fleet.show(frame));

    bus.publish(shown());
    fleet.receive(position({ time: 5_000_000, lat: 38 }));

    expect(fleet.item(platform._id)?.frames).toMatchObject([{ platform: { lat: 37.7, lon: 24.4 } }]);
    expect(fleet.item(platform._id)?.trail).toHaveLength(1);
  });

  it('are not there while they are offline, and go when the rights to them are gone', () => {
    const fleet = createFleet(createFrameBus());
    fleet.setPlatforms([platform]);
    fleet.receive(position());
    const reported = vi.fn();
    fleet.subscribe(reported);

    fleet.setPlatforms([{ ...platform, state: 'offline' }]);
    expect(fleet.item(platform._id)?.frames).toEqual([]);
    fleet.setPlatforms([]);

    expect(fleet.item(platform._id)).toBeNull();
    expect(reported).toHaveBeenLastCalledWith(platform._id);
  });
});

describe('what is watched', () => {
  const ais = sensorOf({ name: 'AIS', type: 'ais', state: 'online' });
  const off = sensorOf({ name: 'IR', state: 'offline' });
  const all = [platformOf({ sensors: [sensor, ais, off] })];

  it('is what sends pictures, or has just been lost, while nothing is chosen, else what is chosen', () => {
    const lost = [platformOf({ sensors: [sensorOf({ name: 'Nose', state: 'lost' }), off] })];
    expect(watchedOf(lost, new Set(), 4).map((one) => one.sensor.name)).toEqual(['Nose']);
    expect(videosOf(all)).toHaveLength(2);
    expect(watchedOf(all, new Set(), 4).map((one) => one.sensor.name)).toEqual(['EO']);
    expect(watchedOf(all, new Set([off._id, ais._id]), 4).map((one) => one.sensor.name)).toEqual(['IR']);
  });
});
