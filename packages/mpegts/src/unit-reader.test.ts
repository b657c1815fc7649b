import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itWithData, testData, testDataFolder } from '../../../tools/test-support/test-data.ts';
import { flight, flightStream, join, mux, packetsOf, picture, pidOf } from '../test/streams.ts';
import { createUnitReader, type VideoUnit } from './unit-reader.ts';

type Given = Omit<VideoUnit, 'bytes' | 'start' | 'end'> & { hex: string };

/** The pictures of a stream that comes in pieces, each in memory that is overwritten after the push. */
function unitsOf(stream: Uint8Array, pieces: readonly number[] = [stream.length]): Given[] {
  const given: Given[] = [];
  const reader = createUnitReader({
    unit({ bytes, start, end, ...unit }) {
      given.push({ ...unit, hex: Buffer.from(bytes.subarray(start, end)).toString('hex') });
    },
  });
  let k = 0;
  for (let from = 0; from < stream.length; ) {
    const piece = stream.slice(from, from + pieces[k++ % pieces.length]!);
    from += piece.length;
    reader.push(piece);
    piece.fill(0x47);
  }
  reader.end();
  return given;
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('createUnitReader', () => {
  it('gives each picture whole, with its times and the parameter sets in force', () => {
    const units = unitsOf(flightStream({ frames: 30 }));

    expect(units.map(({ ptsTicks }) => ptsTicks)).toEqual(Array.from({ length: 30 }, (_, i) => 90_000 + i * 3000));
    expect(units.map(({ hex }) => hex)).toEqual(
      Array.from({ length: 30 }, (_, i) => hexOf(picture(i % 10 === 0 ? 'idr' : 'other'))),
    );
    expect(units.filter(({ keyframe }) => keyframe)).toHaveLength(3);
    for (const { sets, leftOut, format } of units) {
      expect(sets?.sps.map(hexOf)).toEqual(['67640028acd940780227e5c04400000fa40003a9803c60c658']);
      expect(sets?.pps.map(hexOf)).toEqual(['68ebe3cb22c0']);
      expect([leftOut, format?.width]).toEqual([0, 1920]);
    }
  });

  it('begins at a key frame', () => {
    const packets = packetsOf(flightStream({ frames: 30 }));
    const second = packets.findIndex((packet, i) => i > 0 && pidOf(packet) === 256 && (packet[5]! & 0x40) === 0);
    const units = unitsOf(join([...packets.slice(0, 2), ...packets.slice(second)]));

    expect(units[0]).toMatchObject({ keyframe: true, ptsTicks: 90_000 + 10 * 3000, leftOut: 9 });
  });

  it.each(['lost', 'scrambled'])('leaves out a picture with a %s packet and all up to the next key frame', (damage) => {
    const units = flight({ frames: 30 }).map((unit, i) =>
      i === 6 ? { ...unit, bytes: picture('other', 2000) } : unit,
    );
    const packets = packetsOf(
      mux(
        {
          streams: [
            { pid: 256, kind: 'h264' },
            { pid: 257, kind: 'klvAsync' },
          ],
        },
        units,
      ),
    );
    const large = packets.findIndex((_, i) => {
      const next = packets.slice(i, i + 6);
      return next.length === 6 && next.every((packet) => pidOf(packet) === 256 && (packet[1]! & 0x40) === 0);
    });
    if (damage === 'lost') packets.splice(large + 2, 1);
    else packets[large + 2]![3]! |= 0xc0;

    const given = unitsOf(join(packets));

    expect(given.map(({ ptsTicks }) => (ptsTicks - 90_000) / 3000)).toEqual([
      ...[0, 1, 2],
      ...Array.from({ length: 20 }, (_, i) => i + 10),
    ]);
    expect(given[3]).toMatchObject({ keyframe: true, leftOut: 7 });
  });

  it('waits for a key frame if it is notified of a loss that no counter shows', () => {
    const packets = packetsOf(flightStream({ frames: 30 }));
    const times: number[] = [];
    const packeting = { packetSize: 188, syncOffset: 0 } as const;
    const unit = ({ ptsTicks }: VideoUnit) => times.push((ptsTicks - 90_000) / 3000);
    const reader = createUnitReader({ unit }, { packeting });

    for (const [i, packet] of packets.entries()) {
      if (i === 60) reader.lose();
      reader.push(packet);
    }
    reader.end();

    const before = times.indexOf(times.find((time, i) => i > 0 && time > times[i - 1]! + 1)!);
    expect(before).toBeGreaterThan(0);
    expect(times[before]! % 10).toBe(0);
    expect(times.slice(before)).toEqual(Array.from({ length: 30 - times[before]! }, (_, i) => times[before]! + i));
  });

  it('gives the sets that came with a key frame from that picture on', () => {
    // Another level.
    const changed = Uint8Array.from(Buffer.from(hexOf(picture('idr')).replace('67640028', '67640029'), 'hex'));
    const units = flight({ frames: 20 })
      .filter(({ pid }) => pid === 256)
      .map((unit, i) => (i === 10 ? { ...unit, bytes: changed } : unit));
    const given = unitsOf(mux({ streams: [{ pid: 256, kind: 'h264' }] }, units));

    expect(given.map(({ sets }) => sets?.sps[0]?.[3])).toEqual([...Array(10).fill(0x28), ...Array(10).fill(0x29)]);
    expect(new Set(given.map(({ sets }) => sets)).size).toBe(2);
  });

  it('gives the same however the stream is cut and damaged', () => {
    const source = flightStream({ frames: 40, klvSize: 300 });
    const edits = fc.array(fc.tuple(fc.nat(10_000), fc.constantFrom('drop', 'repeat', 'flip'), fc.nat(187)), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(edits, fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1 }), (damages, pieces) => {
        const packets = packetsOf(source);
        for (const [where, damage, value] of damages) {
          const at = where % packets.length;
          if (damage === 'drop') packets.splice(at, 1);
          if (damage === 'repeat') packets.splice(at, 0, packets[at]!.slice());
          if (damage === 'flip') packets[at]![value]! ^= 0x41;
        }
        const stream = join(packets);
        expect(unitsOf(stream, pieces)).toEqual(unitsOf(stream));
      }),
      { numRuns: 100 },
    );
  });

  it('never gives a picture after a loss unless it is a key frame', () => {
    const source = packetsOf(flightStream({ frames: 60 }));
    const complete = new Set(unitsOf(join(source)).map(({ hex }) => hex));
    // A loss at the very end cannot be noticed.
    const lastPicture = source.findLastIndex((packet) => pidOf(packet) === 256 && (packet[1]! & 0x40) !== 0);
    fc.assert(
      fc.property(fc.array(fc.nat(lastPicture - 3), { minLength: 1, maxLength: 10 }), (lost) => {
        const gone = new Set(lost.map((i) => i + 2));
        const given = unitsOf(join(source.filter((_, i) => !gone.has(i))));
        for (const [i, unit] of given.entries()) {
          expect(complete.has(unit.hex)).toBe(true);
          const step = i === 0 ? 0 : unit.dtsTicks - given[i - 1]!.dtsTicks;
          if (step > 3000 || unit.leftOut > 0) expect(unit.keyframe).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});

const WITHOUT_FFPROBE = spawnSync('ffprobe', ['-version']).error !== undefined;
if (WITHOUT_FFPROBE) process.stderr.write('mpegts: pictures are not held beside ffprobe, it is not installed\n');
const itWithFfprobe = it.skipIf(WITHOUT_FFPROBE || testDataFolder === null);

describe('pictures of recordings', () => {
  itWithFfprobe.each(['ts/kwiver/h264_klv.ts', 'ts/kwiver/mpeg2_klv.ts', 'ts/osh/sample-stream.ts'])(
    '%s has the times and sizes that ffprobe sees',
    (path) => {
      const entries = 'packet=pts,dts,size,flags';
      const args = ['-v', 'quiet', '-select_streams', 'v:0', '-show_entries', entries, '-of', 'json', testData(path)];
      const probed: { packets: { pts: number; dts: number; size: string; flags: string }[] } = JSON.parse(
        execFileSync('ffprobe', args).toString(),
      );

      const units = unitsOf(readFileSync(testData(path)), [188 * 7]);

      expect(
        units.map(({ ptsTicks, dtsTicks, keyframe, hex }) => [ptsTicks, dtsTicks, hex.length / 2, keyframe]),
      ).toEqual(probed.packets.map(({ pts, dts, size, flags }) => [pts, dts, Number(size), flags.startsWith('K')]));
    },
  );

  itWithData('one jump of the clock costs no picture', () => {
    const units = unitsOf(readFileSync(testData('bad/ts/pts_back_1h.ts')), [1316]);

    expect(units).toHaveLength(93);
    expect(new Set(units.map(({ run }) => run))).toEqual(new Set([0, 1]));
  });
});
