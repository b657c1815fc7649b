import { expect, it } from 'vitest';
import { emptyFrame, type ShownFrame } from '../../onscreen/frames.ts';
import { recordsOf, type TelemetryStore } from '../../onscreen/telemetry-store.ts';
import { viewServices } from '../../testing/view-services.ts';
import { platformsOnScreen } from './platforms-on-screen.ts';

const NOW = 1_700_000_000_000_000;
/** 10 s due east on the equator at 0.0001 degrees a second: 11.13 m/s, 21.64 knots. */
const page = {
  time: Array.from({ length: 11 }, (_, second) => NOW - 10e6 + second * 1e6),
  tags: { '13': Array(11).fill(0), '14': Array.from({ length: 11 }, (_, second) => second * 1e-4) },
  sets: [],
} as never;
const record = { page, index: 10, timeUs: NOW };
const store = {
  between: (from: number, to: number) => recordsOf(page, from, to),
  lastKnown: (_record: unknown, tag: string) => (tag === '59' ? { value: 'GULL 7', timeUs: NOW } : null),
} as unknown as TelemetryStore;

function shown(frames: Partial<ShownFrame>[], hasStore: boolean) {
  const services = viewServices();
  for (const [index, fields] of frames.entries()) {
    const sensorId = `s${index}`;
    if (hasStore) services.stores.set(sensorId, store);
    services.frames.publish({ ...emptyFrame(sensorId, NOW), record, platform: { lat: 0, lon: 1e-3 }, ...fields });
  }
  return platformsOnScreen({ services, mode: 'live' });
}

it('A platform that sends no course goes as its places of the last seconds say', () => {
  const [platform] = shown([{}], true);
  expect(platform).toMatchObject({ name: 'GULL 7', mover: { lat: 0, lon: 1e-3, timeUs: NOW } });
  expect(platform?.mover.sogKnots).toBeCloseTo(21.64, 2);
  expect(platform?.mover.cogDeg).toBeCloseTo(90, 3);
});

it('Ground speed and course that are sent count', () => {
  const [platform] = shown([{ values: { '10': 'OSP-21', '56': 1852 / 36, '112': 45 } }], true);
  expect(platform).toMatchObject({ name: 'OSP-21', mover: { sogKnots: expect.closeTo(100, 6), cogDeg: 45 } });
});

it('A platform with two sensors is named once, and one without position not at all', () => {
  const twice = { values: { '10': 'OSP-21' } };
  expect(shown([twice, twice, { platform: null }], true).map(({ name }) => name)).toEqual(['OSP-21']);
});

it('Without telemetry before it course and speed are not known', () => {
  expect(shown([{}], false)).toMatchObject([{ name: 'Platform on screen', mover: { sogKnots: null, cogDeg: null } }]);
});
