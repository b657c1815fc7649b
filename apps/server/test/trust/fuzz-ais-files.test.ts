import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../tools/test-support/test-data.ts';
import { aisBatches, type Batch, PLACES_MAX } from '../../src/features/ais/batch.ts';
import { reportOf, staticOf } from '../ais.ts';

/** Time of the processor for a megabyte of one kind, however busy the machine is. */
const LONGEST_MS = 8000;
const MILLION = 1_000_000;
/** Longest line that is read. */
const LINE_BYTES = 64 * 1024;
/** Degrees in stored units. */
const PARTS = 600_000;
const SHIP = 211_000_001;
const START_US = Date.UTC(2026, 2, 4, 3, 57, 10) * 1000;

/** Rows of a file, read as its import reads it: by lines that end by LF or CR. */
function rowsOf(bytes: Buffer): Batch {
  const batches = aisBatches(new Map());
  for (let from = 0; from <= bytes.length; ) {
    const ends = [bytes.indexOf(10, from), bytes.indexOf(13, from)].filter((at) => at >= 0);
    const end = Math.min(bytes.length, ...ends);
    batches.line(bytes.subarray(from, end), null);
    from = end + 1;
  }
  return batches.take();
}

function expectSound({ positions, vessels }: Batch): void {
  for (const { mmsi, time, lat, lon, sog, cog } of positions) {
    for (const value of [mmsi, time, lat, lon, sog ?? 0, cog ?? 0]) expect(Number.isFinite(value)).toBe(true);
    expect(Math.abs(lat)).toBeLessThanOrEqual(90 * PARTS);
    expect(Math.abs(lon)).toBeLessThanOrEqual(180 * PARTS);
  }
  for (const { time } of vessels.values()) expect(Number.isFinite(time)).toBe(true);
}

const small = Buffer.from(
  [
    reportOf({ latitude: 37, longitude: 24, timeUs: START_US }),
    `2026-03-04T03:57:11Z ${reportOf({ latitude: 37.001, longitude: 24 })}`,
    '$GPRMC,035710.00,A,5000.00,N,00100.00,E,5.0,090.0,040326,,,A*55',
    ...staticOf(SHIP, 'POLARIS', 9_301_234),
    `20260304035712 ${reportOf({ latitude: 37.002, longitude: 24 })}`,
  ].join('\r\n'),
);

describe('T-042 logs of ships', { timeout: 120_000 }, () => {
  it('that are cut at any byte have the rows up to there', () => {
    const complete = rowsOf(small);
    expect(complete.positions).toHaveLength(3);
    expect([...complete.vessels.values()]).toMatchObject([{ mmsi: SHIP, name: 'POLARIS' }]);
    for (let end = 0; end <= small.length; end += 1) {
      const cut = rowsOf(small.subarray(0, end));
      expectSound(cut);
      // A negative offset would count from the end.
      const lines = end < 2 ? 0 : small.lastIndexOf('\r\n', end - 2) + 2;
      const inLines = rowsOf(small.subarray(0, lines === 1 ? 0 : lines)).positions.length;
      // A sentence without its checksum counts, one with half of it does not.
      expect(cut.positions.length - inLines, String(end)).toBeGreaterThanOrEqual(0);
      expect(cut.positions.length - inLines, String(end)).toBeLessThanOrEqual(1);
    }
  });

  itWithData('of the field that are cut at any byte have no row that is none', () => {
    const names = readdirSync(testData('field3')).filter((name) => /^(?:f-)?ais-.*\.(?:nmea|txt)$/.test(name));
    expect(names.length).toBeGreaterThan(7);
    for (const name of names) {
      const bytes = readFileSync(testData(`field3/${name}`)).subarray(0, 1200);
      for (let end = 0; end <= bytes.length; end += 1) expectSound(rowsOf(bytes.subarray(0, end)));
    }
  });

  it('in another encoding have no rows, and next to text in UTF-8 those that their line dates', () => {
    const text = small.toString();
    expect(rowsOf(Buffer.from(text, 'utf16le')).positions).toEqual([]);
    expect(rowsOf(Buffer.from(text, 'utf16le').subarray(1)).positions).toEqual([]);
    for (const odd of ['\ufeff', 'é', '東']) {
      const { positions } = rowsOf(Buffer.from(`${odd} ${text.replaceAll('\r\n', `\r\n${odd} `)}`));
      expect(positions.length, odd).toBeGreaterThanOrEqual(2);
    }
  });

  const odd = ['1e999', '-1e999', 'NaN', '0x7fffffff', '9'.repeat(400), '-1', '1e-999', '٣'];
  it.each(odd)('with the number %s in a time or a field have no row that is none', (number) => {
    const sentence = reportOf({ latitude: 37, longitude: 24 });
    for (const line of [
      `${number} ${sentence}`,
      `\\c:${number}*00\\${sentence}`,
      `\\s:a,c:${number}\\${sentence}`,
      `2026-03-04T03:57:${number}Z ${sentence}`,
      sentence.replace('!AIVDM,1,1', `!AIVDM,${number},1`),
      `$GPRMC,${number},A,5000.00,N,00100.00,E,5.0,090.0,${number},,,A\r\n${sentence}`,
      `$GPZDA,035710.00,04,03,${number},00,00\r\n${sentence}`,
    ]) {
      expectSound(rowsOf(Buffer.from(`${line}\r\n`)));
    }
  });

  const hostile: readonly (readonly [what: string, text: string])[] = [
    ['ends of lines', '\r\n'],
    ['beginnings of sentences', '!AIVDM,1,1,,A,'],
    ['exclamation marks', '!'],
    ['tag blocks', '\\c:1*00\\'],
    ['backslashes', '\\'],
    ['dates', '2026-03-04T03:57:10Z '],
    ['digits', '1'],
    ['digits with blanks', '1772596630 '],
    ['dashes', '2026-'],
    ['RMC', '$GPRMC,'],
    ['commas', ','],
    ['1e999', '1e999,'],
    ['bytes of no encoding', '\xff'],
  ];
  it.each(hostile)('with a million %s are read soon, on one line or many', (_what, text) => {
    const line = text.repeat(Math.ceil(LINE_BYTES / text.length)).slice(0, LINE_BYTES - 200);
    const sentence = reportOf({ latitude: 37, longitude: 24, timeUs: START_US });
    const begun = process.cpuUsage();
    for (let bytes = 0; bytes < MILLION; bytes += LINE_BYTES) {
      expectSound(rowsOf(Buffer.from(`${line} ${sentence}\n${sentence} ${line}\n`, 'latin1')));
    }
    expectSound(rowsOf(Buffer.from(text.repeat(MILLION / text.length), 'latin1')));
    expect(process.cpuUsage(begun).user / 1000).toBeLessThan(LONGEST_MS);
  });

  it('of a ship that has another name each time are written in parts', () => {
    const batches = aisBatches(new Map());
    for (let n = 0; n < 5000; n += 1) {
      for (const line of staticOf(SHIP, `SHIP ${n}`)) batches.line(Buffer.from(line), START_US + n);
    }
    expect(batches.size()).toBeGreaterThanOrEqual(5000);
  });

  it('of more ships than there are leave no more than a million in memory', () => {
    const places = new Map(
      Array.from({ length: PLACES_MAX }, (_, n) => [n + 1, { lat: 0, lon: 0, time: START_US }] as const),
    );
    const batches = aisBatches(places);
    for (let n = 0; n < 100; n += 1) {
      const report = reportOf({ latitude: 37, longitude: 24, mmsi: 500_000_000 + n });
      batches.line(Buffer.from(report), START_US);
    }
    expect(batches.take().positions).toHaveLength(100);
    expect(places.size).toBe(PLACES_MAX);
    expect([places.has(100), places.has(101), places.has(500_000_099)]).toEqual([false, true, true]);
  });
});
