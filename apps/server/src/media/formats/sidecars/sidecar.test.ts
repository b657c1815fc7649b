import { readdirSync, readFileSync } from 'node:fs';
import { AppError } from '@osprey/contract';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../../tools/test-support/test-data.ts';
import { fastestMs } from '../../../../test/fastest.ts';
import type { SidecarRow } from './row.ts';
import { readSidecar } from './sidecar.ts';

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Uint8Array | string, pieceBytes = 1000) {
  const { format, clock, rows } = await readSidecar({ open: () => inPieces(Buffer.from(bytes), pieceBytes) });
  const all: SidecarRow[] = [];
  for await (const row of rows) all.push(row);
  return { format, clock, rows: all };
}

itWithData.each([
  ['sidecar-utf16.srt', 'srt'],
  ['sidecar-latin1.gpx', 'gpx'],
])('field3/%s is read in its encoding', async (name, format) => {
  const found = await read(readFileSync(testData(`field3/${name}`)), 7);

  expect(found.format).toBe(format);
  expect(found.rows.map(({ values }) => [values[13], values[14]])).toEqual([
    [50.1, 8.1],
    [50.2, 8.2],
    [50.3, 8.3],
    [50.4, 8.4],
  ]);
});

it('subtitles whose lines end by CR alone, and GPX with times in other forms of ISO 8601, are read', async () => {
  const cue = (n: number) => `${n}\r00:00:0${n},000 --> 00:00:0${n},900\r[latitude: 50.${n}] [longitude: 8.1]\r\r`;
  const srt = await read(cue(1) + cue(2), 7);
  expect([srt.format, srt.rows.map(({ values }) => values[13])]).toEqual(['srt', [50.1, 50.2]]);
  const times = ['2026-03-04t03:57:11z', '2026-03-04T05:57:12,250+02:00', '03/04/2026 03:57:13', '2026-03-04 03:57:14'];
  const points = times.map((time) => `<trkpt lat="50" lon="8"><time>${time}</time></trkpt>`);
  const gpx = await read(`<gpx><trk><trkseg>${points.join('')}</trkseg></trk></gpx>`, 7);
  const second = (at: number) => Date.UTC(2026, 2, 4, 3, 57, at) * 1000;
  expect(gpx.rows.map(({ timeUs }) => timeUs)).toEqual([second(11), second(12) + 250_000, second(14)]);
});

describe('a table', () => {
  it('names its columns by tag or by name, and its time in any of the usual ways', async () => {
    const text = [
      'time;13;Sensor Longitude;tag_15;colour;Platform Designation',
      '2020-01-01T00:00:00Z;1.5;2.5;100;red;"A ""B""; C"',
      '1577836801000;1.6;2.6;;;',
      '1577836802000000;1.7;2.7;101;;',
      ';9;9;9;;',
    ].join('\r\n');

    expect(await read(`\ufeff${text}`, 7)).toEqual({
      format: 'csv',
      clock: 'utc',
      rows: [
        { timeUs: 1_577_836_800_000_000, values: { 10: 'A "B"; C', 13: 1.5, 14: 2.5, 15: 100 } },
        { timeUs: 1_577_836_801_000_000, values: { 13: 1.6, 14: 2.6 } },
        { timeUs: 1_577_836_802_000_000, values: { 13: 1.7, 14: 2.7, 15: 101 } },
      ],
    });
  });

  it('reads seconds, with a fraction too, and no time that counts from the start of a flight', async () => {
    const { rows } = await read('time,13\n1577836800,1\n1577836800.25,2\n');

    expect(rows.map(({ timeUs }) => timeUs)).toEqual([1_577_836_800_000_000, 1_577_836_800_250_000]);
    await expect(read('time,13\n0,1\n0.1,2\n')).rejects.toThrow('ISO 8601 with a zone, or as seconds');
  });

  it('has decimal commas where semicolons part it', async () => {
    const { rows } = await read('time;13;14\n2020-01-01T00:00:00Z;54,5;-3,25\n');

    expect(rows[0]!.values).toEqual({ 13: 54.5, 14: -3.25 });
  });

  it('has decimal commas in its times too', async () => {
    const { rows } = await read('time;13\n1577836800,25;1\n2020-01-01T00:00:00,5Z;2\n2020-01-01 02:00:00.75+02;3\n');

    expect(rows.map(({ timeUs }) => timeUs - 1_577_836_800_000_000)).toEqual([250_000, 500_000, 750_000]);
  });

  it('may name its separator in a line before the header, as spreadsheets do', async () => {
    const { rows } = await read('\ufeffsep=;\r\ntime;13;14\r\n2020-01-01T00:00:00Z;54,5;-3,25\r\n');

    expect(rows.map(({ values }) => values)).toEqual([{ 13: 54.5, 14: -3.25 }]);
  });

  it('may name units: those that are known become those of the standard, and others no column', async () => {
    const header = 'Time (UTC),Sensor Latitude (deg),Sensor Longitude [°],sensor_true_altitude (m),Slant Range (ft)';

    const { rows } = await read(`${header},Target Width (furlong)\n2020-01-01T00:00:00Z,54.5,-3.25,120,900,7\n`);

    expect(rows.map(({ values }) => values)).toEqual([{ 13: 54.5, 14: -3.25, 15: 120, 21: 900 * 0.3048 }]);
  });

  it('distinguishes items whose names have brackets of their own', async () => {
    const { rows } = await read(
      'time,Platform Pitch Angle (deg),Platform Pitch Angle (Full),Platform Roll Angle (Full) [deg]\n2020-01-01T00:00:00Z,1,2,3\n',
    );

    expect(rows.map(({ values }) => values)).toEqual([{ 6: 1, 90: 2, 91: 3 }]);
  });

  it('leaves out what the standard cannot hold', async () => {
    const { rows } = await read('time,13,14\n2020-01-01T00:00:00Z,95,abc\n2020-01-01T00:00:01Z,NaN,Infinity\n');

    expect(rows.map(({ values }) => values)).toEqual([{}, {}]);
  });
});

describe('a DJI log', () => {
  itWithData('of every model gives its places on the clock of the video', async () => {
    const found: Record<string, unknown> = {};
    for (const file of readdirSync(testData('srt/dji')).filter((name) => /\.SRT$/.test(name))) {
      if (/broken_empty|mavic_air/.test(file)) continue;
      const { format, clock, rows } = await read(readFileSync(testData(`srt/dji/${file}`)), 4096);
      expect([format, clock]).toEqual(['srt', 'video']);
      found[file] = [rows[0], rows[1]!.timeUs, rows.every(({ timeUs }, i) => i === 0 || timeUs >= rows[i - 1]!.timeUs)];
    }

    expect(found).toEqual({
      'broken_incomplete.SRT': [{ timeUs: 1_000_000, values: { 13: -34.7383, 14: -58.4563 } }, 2_000_000, true],
      'm2zoom.SRT': [{ timeUs: 0, values: { 13: 31.452012, 14: 74.398751, 15: 213.983002 } }, 16_000, true],
      'mavic_2_style.SRT': [{ timeUs: 0, values: { 13: -20.2533, 14: 149.0251 } }, 1_000_000, true],
      'mavic_mini.SRT': [{ timeUs: 0, values: { 13: 48.0771, 14: -121.7458 } }, 1_000_000, true],
      'mavic_pro.SRT': [{ timeUs: 1_000_000, values: { 13: -20.2533, 14: 149.0251 } }, 2_000_000, true],
      'mavic_pro_buggy.SRT': [
        { timeUs: 1_000_000, values: { 13: 42.4668, 14: -1.2218 } },
        2_000_000,
        expect.any(Boolean),
      ],
      'old_format.SRT': [{ timeUs: 1_000_000, values: { 13: -20.2533, 14: 149.0251 } }, 2_000_000, true],
      'p4_rtk.SRT': [
        { timeUs: 0, values: { 5: 110.1, 13: -34.237922, 14: -58.851745, 56: 0, 90: 2.7, 91: -7 } },
        1_000_000,
        true,
      ],
      'p4p_sample.SRT': [{ timeUs: 0, values: { 13: 47.4692, 14: 8.209, 56: 0 } }, 1_000_000, true],
    });
  });

  itWithData.each(['broken_empty.SRT', 'broken_empty2.SRT', 'mavic_air.SRT'])(
    'without a place (%s) is refused',
    async (file) => {
      await expect(read(readFileSync(testData(`srt/dji/${file}`)))).rejects.toThrow(AppError);
    },
  );
});

describe('a GPX track', () => {
  itWithData('gives the points that have a time', async () => {
    const { rows, clock } = await read(readFileSync(testData('gpx/gpxpy/cerknicko-jezero.gpx')), 333);

    expect(clock).toBe('utc');
    expect(rows[0]).toEqual({
      timeUs: expect.any(Number),
      values: { 13: expect.any(Number), 14: expect.any(Number), 15: expect.any(Number) },
    });
    expect(rows.length).toBeGreaterThan(100);
  });

  const point = (time: string) => `<trkpt lat="1" lon="2"><time>${time}</time></trkpt>`;

  it('has no points that a receiver dated before its first fix', async () => {
    const points = ['0003-01-01T00:00:00Z', '1970-01-01T00:00:00Z', '1980-01-06T00:00:00Z', '2020-01-01T00:00:00Z'];

    const { rows } = await read(`<gpx><trk><trkseg>${points.map(point).join('')}</trkseg></trk></gpx>`);

    expect(rows.map(({ timeUs }) => timeUs)).toEqual([1_577_836_800_000_000]);
  });

  it.each([
    ['a style sheet before it', '<?xml version="1.0"?>\n<?xml-stylesheet href="a.xsl"?>\n<gpx>', '</gpx>'],
    ['a prefix', '<?xml version="1.0"?>\n<ns0:gpx xmlns:ns0="http://www.topografix.com/GPX/1/1">', '</ns0:gpx>'],
  ])('may have %s', async (_what, begin, end) => {
    const { rows } = await read(`${begin}${point('2020-01-01T00:00:00Z')}${end}`);

    expect(rows).toHaveLength(1);
  });

  itWithData('of any kind ends in rows or in a refusal', async () => {
    for (const file of readdirSync(testData('gpx/gpxpy'))) {
      const outcome = await read(readFileSync(testData(`gpx/gpxpy/${file}`))).catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome, file).toBeInstanceOf(AppError);
    }
  });

  itWithData.each(['entity.gpx', 'laughs.gpx'])('with entities (%s) is refused at once', async (file) => {
    const refuse = () => expect(read(readFileSync(testData(`bad/geo/${file}`)))).rejects.toThrow(AppError);

    expect(await fastestMs(refuse)).toBeLessThan(1000);
  });

  it.each([
    ['a document type behind a comment', '<?xml version="1.0"?><!-- a --><gpx><!DOCTYPE a></gpx>'],
    ['an unknown entity', '<gpx><trk><name>&x;</name></trk></gpx>'],
    ['nesting without end', `<gpx>${'<a>'.repeat(100)}`],
    ['an open end', '<gpx><trk>'],
  ])('with %s is refused', async (_what, text) => {
    await expect(read(text)).rejects.toThrow('The file was refused');
  });

  it.each([
    ['a text', '<gpx><trk><name>'],
    ['a tag', '<gpx><trk a="'],
    ['a comment', '<gpx><!--'],
  ])('with %s that does not end is read no further than a few megabytes', async (_what, begin) => {
    const piece = Buffer.alloc(64 * 1024, 'a');
    let given = 0;
    async function* endless() {
      yield Buffer.from(begin);
      for (; given < 64 * 1024 * 1024; given += piece.byteLength) yield piece;
    }

    const { rows } = await readSidecar({ open: endless });

    await expect(rows.next()).rejects.toThrow('The file was refused');
    expect(given).toBeLessThan(4 * 1024 * 1024);
  });
});

it.each([
  ['html', '<!DOCTYPE html><html></html>'],
  ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00])],
  ['a line without end', `time,13\n${'1'.repeat(100_000)}`],
  ['a header alone', 'time,13\n'],
])('refuses %s', async (_what, content) => {
  await expect(read(content)).rejects.toThrow(AppError);
});
