import { encodeSt0601 } from '@osprey/klv';
import { createMuxer } from '@osprey/mpegts';
import { expect, it } from 'vitest';
import { emptyInspection, inspectBytes } from './inspect.ts';

const NOON_US = Date.UTC(2023, 10, 14, 12) * 1000;

/** Pictures of two seconds, each with a set. */
function recording(values: (n: number) => Parameters<typeof encodeSt0601>[0]): Uint8Array {
  const parts: Uint8Array[] = [];
  const muxer = createMuxer({
    write: (bytes) => parts.push(bytes.slice()),
    streams: [
      { pid: 256, kind: 'h264' },
      { pid: 257, kind: 'klvAsync' },
    ],
  });
  for (let n = 0; n <= 20; n++) {
    const ptsTicks = 90_000 + n * 9000;
    muxer.unit({ pid: 256, ptsTicks, keyframe: true, bytes: Uint8Array.of(0, 0, 0, 1, 0x65, 0x88, 0x84, 0) });
    muxer.unit({ pid: 257, ptsTicks, bytes: encodeSt0601(values(n)) });
  }
  muxer.end();
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

it('reads mission, platform, sensor, time and length, each from the first set that has it', () => {
  const bytes = recording((n) => ({
    2: NOON_US + n * 100_000,
    ...(n > 2 && { 3: 'Kea Night', 10: 'KEA-1', 11: 'EO\u0000' }),
    65: 17,
  }));

  expect(inspectBytes(bytes)).toEqual({
    missionId: 'Kea Night',
    platform: 'KEA-1',
    sensor: 'EO',
    startUs: NOON_US,
    seconds: 2,
  });
  // Cut within a packet, as the beginning of a large file is.
  expect(inspectBytes(bytes.subarray(0, bytes.length - 100))).toMatchObject({
    missionId: 'Kea Night',
    startUs: NOON_US,
  });
});

it('does not believe a clock that begins at 1970', () => {
  expect(inspectBytes(recording((n) => ({ 2: 1_000_000 + n, 65: 17 }))).startUs).toBeNull();
});

it.each(['0', '0000', '-', 'N/A', 'none'])('takes no Mission ID that nobody set: %s', (missionId) => {
  const inspected = inspectBytes(recording((n) => ({ 2: NOON_US + n, 3: missionId, 10: 'KEA-1', 65: 17 })));

  expect(inspected).toMatchObject({ missionId: null, platform: 'KEA-1' });
});

it('says nothing of what is no recording', () => {
  const noise = Uint8Array.from({ length: 50_000 }, (_, n) => (n * 7919) % 251);
  expect(inspectBytes(noise)).toEqual(emptyInspection);
  expect(inspectBytes(new Uint8Array())).toEqual(emptyInspection);
});
