import { expect, it } from 'vitest';
import { type FrameShip, readAisFrame, writeAisFrame } from './ais-frame.ts';

const NOW = 1_700_000_000_000_000;
const ship: FrameShip = {
  ...{ mmsi: 248113000, time: NOW - 7e6, lat: 37.63 * 600_000, lon: -24.62 * 600_000, cog: 3000, sog: 132 },
  ...{ heading: 299, shipType: 80, messageType: 1, flags: 0 },
};

it('A frame gives back what was written, with "not available" as null', () => {
  const unknown = { ...ship, mmsi: 1, cog: null, sog: null, heading: null, shipType: null, messageType: 21, flags: 5 };
  const old = { ...ship, mmsi: 2, time: NOW - 600e6, sog: 1022 };
  const frame = readAisFrame(writeAisFrame([ship, unknown, old], { timeUs: NOW, total: 3 }));
  expect(frame).toMatchObject({ timeUs: NOW, total: 3, cut: false });
  const [first, second, third] = frame!.ships;
  expect(first).toEqual({
    ...{ mmsi: 248113000, timeUs: NOW - 7e6, latitude: expect.closeTo(37.63, 5), longitude: expect.closeTo(-24.62, 5) },
    ...{ cog: 300, sog: 13.2, heading: 299, shipType: 80, messageType: 1, suspect: false, offPosition: false },
  });
  expect(second).toMatchObject({ cog: null, sog: null, heading: null, shipType: null, messageType: 21 });
  expect(second).toMatchObject({ suspect: true, offPosition: true });
  expect(third).toMatchObject({ timeUs: NOW - 600e6, sog: 102.2 });
});

it('5,000 ships take less than 100 kB, and what is no frame is not read', () => {
  const bytes = writeAisFrame(Array(5000).fill(ship), { timeUs: NOW, total: 5000 });
  expect(bytes.length).toBeLessThan(100_000);
  expect(readAisFrame(bytes.subarray(0, 100))).toBeNull();
  expect(readAisFrame(new Uint8Array(0))).toBeNull();
  expect(readAisFrame(writeAisFrame(Array(10_001).fill(ship), { timeUs: NOW, total: 10_001 }))).toMatchObject({
    cut: true,
  });
});
