import { destination, distanceM, footprintOf, homography } from '@osprey/geo';
import { decodePacket } from '@osprey/klv';
import { describe, expect, it } from 'vitest';
import { metadataPacket } from './metadata.ts';
import { makeModel } from './model.ts';
import type { SimulationOptions } from './options.ts';
import { resolveOptions } from './resolve-options.ts';

/** The model of these options and what its metadata say at each of these seconds. */
function flown(options: SimulationOptions, seconds: readonly number[]) {
  const resolved = resolveOptions(options);
  const model = makeModel(resolved);
  return seconds.map((second) => {
    const moment = model.at(resolved.startUs + second * 1e6);
    const packet = metadataPacket(resolved, moment);
    return { resolved, moment, decoded: decodePacket(packet, 0, packet.length) };
  });
}

const SECONDS = [0, 7.3, 22, 41.1, 63, 95, 600, 3599.9];

describe('the simulated flight', () => {
  it.each(['corners', 'offsets', 'angles'] as const)(
    'puts every ship within a pixel of where the footprint by %s says, in both directions',
    (footprint) => {
      for (const { resolved, moment, decoded } of flown({ footprint }, SECONDS)) {
        const reported = footprintOf(decoded.values)!;
        const map = homography(reported.corners)!;
        for (const { point } of moment.ships) {
          const drawn = moment.camera.toImage({ ...point, heightM: 0 });
          if (!drawn || drawn.x < 0 || drawn.x > 1 || drawn.y < 0 || drawn.y > 1) continue;
          const expected = map.toImage(point)!;
          const off = Math.hypot((drawn.x - expected.x) * resolved.width, (drawn.y - expected.y) * resolved.height);
          const pixelM = distanceM(map.toGround(drawn.x, drawn.y), map.toGround(drawn.x + 1 / resolved.width, drawn.y));

          expect(off).toBeLessThan(1);
          // A pixel is a few times longer than wide where the camera looks along the sea.
          expect(distanceM(map.toGround(drawn.x, drawn.y), point)).toBeLessThan(4 * pixelM);
        }
        expect(reported.source).toBe(footprint === 'angles' ? 'computed' : footprint);
      }
    },
  );

  it('writes packets that are whole, and values that are the flight itself', () => {
    for (const { moment, decoded } of flown({ classification: 'RESTRICTED' }, SECONDS)) {
      const { values, checksum, faults } = decoded;

      expect({ checksum, faults }).toEqual({ checksum: 'good', faults: [] });
      expect(values['2']).toBe(moment.timeUs);
      expect(values['5']).toBeCloseTo(moment.platform.headingDeg, 9);
      expect(values['15']).toBeCloseTo(moment.platform.heightM, 6);
      expect(values['16']).toBeCloseTo(moment.view.horizontalDeg, 9);
      expect(values['21']).toBeCloseTo(moment.slantRangeM, 2);
      expect(values['48']).toMatchObject({ '1': 2, '13': 'GR' });
    }
  });

  it('reports the ships in the picture as targets, at their pixels and places', () => {
    const [{ resolved, moment, decoded }] = flown({}, [22]) as [ReturnType<typeof flown>[number]];
    const vmti = decoded.values['74'] as {
      '8': number;
      '101': Record<string, number & { latitude: number; longitude: number }>[];
    };
    const map = homography(moment.corners)!;

    expect(vmti['101'].length).toBeGreaterThan(1);
    for (const target of vmti['101']) {
      const ship = moment.ships.find(({ ship: { id } }) => id === target.id)!;
      const [row, column] = [target['19']!, target['20']!];
      const place = { lat: target['17']!.latitude, lon: target['17']!.longitude };
      const pixel = map.toImage(ship.point)!;

      expect(Math.abs(pixel.x * resolved.width - (column - 0.5))).toBeLessThan(1.5);
      expect(Math.abs(pixel.y * resolved.height - (row - 0.5))).toBeLessThan(1.5);
      expect(target['1']).toBe((row - 1) * resolved.width + column);
      expect(distanceM(place, ship.point)).toBeLessThan(1);
    }
  });

  it('flies as fast, as high and as banked as it says', () => {
    const [first, second] = flown({ speedMps: 60, altitudeM: 2000 }, [10, 11]);
    const [a, b] = [first!.moment.platform, second!.moment.platform];

    expect(distanceM(a, b)).toBeCloseTo(60, 0);
    expect(distanceM(destination(a, a.courseDeg, 60), b)).toBeLessThan(2);
    expect(Math.abs(a.heightM - 2000)).toBeLessThan(10);
    expect(a.rollDeg).toBeGreaterThan(5);
  });

  it('is the same for the same seed, another for another, and has no jumps', () => {
    const options = { track: 'eight' } as const;
    const times = Array.from({ length: 200 }, (_, index) => index * 0.3);
    const [once, again, other] = [flown(options, times), flown(options, times), flown({ ...options, seed: 2 }, times)];

    expect(once.map(({ decoded }) => decoded.values)).toEqual(again.map(({ decoded }) => decoded.values));
    expect(distanceM(once[0]!.moment.platform, other[0]!.moment.platform)).toBeGreaterThan(100);
    for (const [index, { moment }] of once.slice(1).entries()) {
      expect(distanceM(moment.platform, once[index]!.moment.platform)).toBeLessThan(0.3 * 52 * 1.02);
      expect(distanceM(moment.centre, once[index]!.moment.centre)).toBeLessThan(400);
    }
  });

  it('shares clock and flight between sensors, which differ in their field of view', () => {
    const [eo] = flown({ sensor: 1 }, [30]);
    const [ir] = flown({ sensor: 2 }, [30]);

    expect(ir!.moment.platform).toEqual(eo!.moment.platform);
    expect(ir!.moment.timeUs).toBe(eo!.moment.timeUs);
    expect(ir!.moment.view.horizontalDeg).toBeGreaterThan(eo!.moment.view.horizontalDeg * 1.3);
  });

  it('flies at the given origin, over the antimeridian too', () => {
    const track = [
      [179.99, -17],
      [-179.98, -17.01],
      [-179.99, -17.03],
      [179.98, -17.02],
    ] as const;
    for (const { moment, decoded } of flown({ track, origin: [180, -17.015] }, [0, 50, 100, 200])) {
      const reported = footprintOf(decoded.values)!;

      expect(distanceM(moment.platform, { lon: 180, lat: -17.015 })).toBeLessThan(4000);
      expect(distanceM(reported.centre, { lon: 180, lat: -17.015 })).toBeLessThan(5000);
    }
  });
});
