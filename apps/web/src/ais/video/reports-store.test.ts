import { type AisReports, type MapArea, stationOf } from '@osprey/contract';
import type { Corners } from '@osprey/geo';
import { expect, it, vi } from 'vitest';
import { createReportsStore, PAGE_US } from './reports-store.ts';

const START = 1_780_304_400_000_000;
const [LON, LAT] = [24.3, 37.6];

const cornersAt = (lon = LON, lat = LAT, half = 0.005): Corners => [
  { lon: lon - half, lat: lat + half },
  { lon: lon + half, lat: lat + half },
  { lon: lon + half, lat: lat - half },
  { lon: lon - half, lat: lat - half },
];

const answer = (mmsi: number): AisReports => ({
  ships: [
    {
      ...{ ...stationOf(mmsi), name: 'POLARIS BAY', shipType: 70, dimensions: null },
      reports: [[START, LAT, LON, 10, 90, 91, 0, 1]],
    },
  ],
  ...{ cut: false, heard: true, securityClassification: 'UNCLASSIFIED' },
});

function storeOf(fetched: (wish: { area: MapArea; startUs: number; endUs: number }) => Promise<AisReports>) {
  const clock = { ms: START / 1000 + 3_600_000 };
  const fetchReports = vi.fn(fetched);
  const onChange = vi.fn();
  const store = createReportsStore({ fetchReports, onChange, nowMs: () => clock.ms });
  const settled = () => vi.waitFor(() => expect(onChange.mock.calls.length).toBe(fetchReports.mock.calls.length));
  const mmsiAt = (timeUs: number, corners = cornersAt()) => {
    const nearby = store.at(timeUs, corners);
    return typeof nearby === 'string' ? nearby : nearby.vessels.map(({ mmsi }) => mmsi);
  };
  return { store, fetchReports, settled, mmsiAt, clock };
}

it('reads the minute of the picture with the ships that may come into it, once', async () => {
  const { fetchReports, settled, mmsiAt, store } = storeOf(async () => answer(1));
  expect(mmsiAt(START + 5e6)).toBe('reading');
  await settled();
  expect(mmsiAt(START + 5e6)).toEqual([1]);
  expect(mmsiAt(START + 50e6)).toEqual([1]);
  expect(fetchReports).toHaveBeenCalledTimes(1);
  const { area, startUs, endUs } = fetchReports.mock.calls[0]![0];
  expect([startUs, endUs]).toEqual([START, START + PAGE_US]);
  // Four nautical miles and two pictures around it.
  expect(area.north - LAT).toBeCloseTo(0.005 + 4 / 60 + 0.02, 6);
  expect(store.at(START, cornersAt())).toMatchObject({
    heard: true,
    vessels: [{ reports: [{ accurate: true, standing: false }] }],
  });
});

it('reads again where the camera has moved on, and shows what it has meanwhile', async () => {
  let mmsi = 1;
  const { fetchReports, settled, mmsiAt } = storeOf(async () => answer(mmsi));
  mmsiAt(START);
  await settled();
  mmsi = 2;
  expect(mmsiAt(START, cornersAt(LON + 0.01))).toEqual([1]);
  expect(fetchReports).toHaveBeenCalledTimes(1);
  expect(mmsiAt(START, cornersAt(LON + 0.06))).toEqual([1]);
  await settled();
  expect(mmsiAt(START, cornersAt(LON + 0.06))).toEqual([2]);
  expect(mmsiAt(START, cornersAt(LON + 5))).toBe('reading');
});

it('reads what was heard just now again every two seconds, and what is over no more', async () => {
  const { fetchReports, settled, mmsiAt, clock } = storeOf(async () => answer(1));
  clock.ms = START / 1000 + 30_000;
  mmsiAt(START + 30e6);
  await settled();
  clock.ms += 1000;
  mmsiAt(START + 31e6);
  expect(fetchReports).toHaveBeenCalledTimes(1);
  clock.ms += 1000;
  mmsiAt(START + 32e6);
  expect(fetchReports).toHaveBeenCalledTimes(2);
  await settled();
  clock.ms += 3_600_000;
  mmsiAt(START + 32e6);
  await settled();
  clock.ms += 10_000;
  mmsiAt(START + 32e6);
  expect(fetchReports).toHaveBeenCalledTimes(3);
});

it('says that reading failed and tries again later; forgets all when rights change', async () => {
  let isDown = true;
  const { store, settled, mmsiAt, clock, fetchReports } = storeOf(async () => {
    if (isDown) throw new Error('gone');
    return answer(1);
  });
  mmsiAt(START);
  await settled();
  expect(mmsiAt(START)).toBe('failed');
  isDown = false;
  clock.ms += 6000;
  expect(mmsiAt(START)).toBe('reading');
  await settled();
  expect(mmsiAt(START)).toEqual([1]);
  store.forget();
  expect(mmsiAt(START)).toBe('reading');
  expect(fetchReports).toHaveBeenCalledTimes(3);
});

it('reads again after a change and shows what it has meanwhile, and drops what was asked before the change', async () => {
  let mmsi = 1;
  const { store, mmsiAt, fetchReports } = storeOf(async () => answer(mmsi++));
  mmsiAt(START);
  store.refresh();
  await vi.waitFor(() => expect(mmsiAt(START)).toEqual([2]));
  store.refresh();
  expect(mmsiAt(START)).toEqual([2]);
  await vi.waitFor(() => expect(mmsiAt(START)).toEqual([3]));
  expect(fetchReports).toHaveBeenCalledTimes(3);
});

it('finds its pages across the antimeridian', async () => {
  const { settled, mmsiAt, fetchReports } = storeOf(async () => answer(1));
  mmsiAt(START, cornersAt(179.999));
  await settled();
  expect(mmsiAt(START, cornersAt(-179.999))).toEqual([1]);
  const { area } = fetchReports.mock.calls[0]![0];
  expect(area.west).toBeGreaterThan(area.east);
});
