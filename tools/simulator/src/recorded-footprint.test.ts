import { readFileSync } from 'node:fs';
import { distanceM, footprintOf } from '@osprey/geo';
import { decodePacket, packets, type Values } from '@osprey/klv';
import { createDemuxer } from '@osprey/mpegts';
import { describe, expect } from 'vitest';
import { itWithData, testData } from '../../test-support/test-data.ts';

const CORNER_TAGS = [26, 27, 28, 29, 30, 31, 32, 33, 82, 83, 84, 85, 86, 87, 88, 89];

/** Every ST 0601 set of a recording. */
function setsOf(path: string): Values[] {
  const sets: Values[] = [];
  const demuxer = createDemuxer({
    program: () => undefined,
    video: () => undefined,
    accessUnit: () => undefined,
    klv: ({ bytes, start, end }) => {
      for (const packet of packets(bytes, start, end)) sets.push(decodePacket(bytes, packet.start, packet.end).values);
    },
  });
  demuxer.push(readFileSync(path));
  demuxer.end();
  return sets;
}

describe('footprints of recordings made by others', () => {
  itWithData('computes from angles what the recording itself says in corner offsets', () => {
    const sets = setsOf(testData('ts/osh/sample-stream.ts'));

    expect(sets).toHaveLength(277);
    for (const set of sets) {
      const reported = footprintOf(set)!;
      const withoutCorners = { ...set, ...Object.fromEntries(CORNER_TAGS.map((tag) => [tag, null])) };
      const computed = footprintOf(withoutCorners)!;

      expect([reported.source, computed.source]).toEqual(['offsets', 'computed']);
      reported.corners.forEach((corner, index) => {
        // 900 m wide, seen from 3.6 km; up to 15 m are due to the sender's own model of the earth and its terrain.
        expect(distanceM(corner, computed.corners[index]!)).toBeLessThan(15);
      });
    }
  });

  itWithData('takes full corners where a recording has them', () => {
    for (const set of setsOf(testData('ts/kwiver/h264_klv.ts'))) {
      const { source, corners, centre } = footprintOf(set)!;

      expect(source).toBe('corners');
      expect(Math.max(...corners.map((corner) => distanceM(corner, centre)))).toBeLessThan(10_000);
    }
  });
});
