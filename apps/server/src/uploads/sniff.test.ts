import { readdirSync, readFileSync } from 'node:fs';
import { AppError } from '@osprey/contract';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../tools/test-support/test-data.ts';
import { dataflashFile, tlogFile, ulogFile } from '../../test/flight-logs.ts';
import { HEAD_BYTES, judgeFile } from './sniff.ts';

const text = (value: string) => new TextEncoder().encode(value);

function verdict(bytes: Uint8Array, name = ''): string {
  try {
    return judgeFile(bytes.subarray(0, HEAD_BYTES), { complete: bytes.byteLength <= HEAD_BYTES, name });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code;
  }
}

const ftyp = (brand: string): Buffer =>
  Buffer.concat([Buffer.from([0, 0, 0, 20]), Buffer.from(`ftyp${brand}\0\0\0\0mp41`, 'latin1')]);
const matroska = Buffer.from('1a45dfa3934282886d6174726f736b61', 'hex');

type Expectation = { file: string; verdict: 'reject' | 'warn' | 'accept' };

/** As the DJI apps begin their flight records: details at 100, of 436 bytes, then the version and what is scrambled. */
function flightRecord(version: number): Buffer {
  const bytes = Buffer.alloc(600, 0xa5).fill(0, 0, 100);
  bytes.writeUInt32LE(536, 0);
  bytes.writeUInt16LE(436, 8);
  bytes[10] = version;
  return bytes;
}

/** Streams that are refused at the door; the others with faults are taken and their faults counted at ingest. */
const refusedStreams = [
  'zero_bytes',
  'one_byte',
  'text',
  'mp4_inside',
  'sync_wrong',
  'null_packets_only',
  'no_pmt',
  'pmt_crc_bad',
  'scrambled',
];

describe('the first 4 MiB of a file', () => {
  itWithData('refuse every bad stream that EXPECT rejects, and take all others', () => {
    for (const file of readdirSync(testData('bad/ts'))) {
      const refused = refusedStreams.includes(file.replace(/\.ts$/, ''));
      const found = verdict(readFileSync(testData(`bad/ts/${file}`)), file);

      if (refused) expect(found, file).toMatch(/^(?:unsupportedFile|emptyFile)$/);
      else if (file !== 'no_pat.ts') expect(found, file).toBe('ts');
    }
  });

  itWithData('refuse all that the list of expectations rejects among streams, media and lists', () => {
    const expected = JSON.parse(readFileSync(testData('bad/expect.json'), 'utf8')) as Expectation[];
    const rejected = expected.filter(
      ({ file, verdict: v }) => v === 'reject' && /^(?:ts|media|image|json|geo)\//.test(file),
    );

    expect(rejected.length).toBeGreaterThan(45);
    for (const { file } of rejected) {
      const found = verdict(readFileSync(testData(`bad/${file}`)), file);
      // The boxes of an MP4 are checked when the upload is whole: see judge.test.ts.
      if (file === 'media/mp4_huge_box.mp4') expect(found).toBe('mp4');
      else expect(found, file).toMatch(/^(?:unsupportedFile|emptyFile|badManifest)$/);
    }
  });

  it.each([
    ['a table in UTF-16', Buffer.from('\ufefftime\t13\n2020-01-01T00:00:00Z\t1\n', 'utf16le')],
    ['a table in Latin-1', Buffer.from('time,Sensor Latitude [°]\n', 'latin1')],
    ['GPX that names Latin-1', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><gpx><name>é</name>', 'latin1')],
  ])('take %s', (_what, bytes) => {
    expect(verdict(bytes)).toBe('sidecar');
  });

  itWithData.each(['sidecar-utf16.srt', 'sidecar-latin1.gpx'])('take field3/%s', (name) => {
    expect(verdict(readFileSync(testData(`field3/${name}`)))).toBe('sidecar');
  });

  itWithData('tell a log whose cues are as long as packets from a stream', () => {
    expect(verdict(readFileSync(testData('field/m300-every-102-bytes.srt')))).toBe('sidecar');
  });

  itWithData('take every real recording, also those of 192 and 204-byte packets', () => {
    for (const file of ['ts/osh/sample-stream.ts', 'ts/kwiver/h264_klv.ts', 'ts/kwiver/aphill_klv_10s.ts']) {
      expect(verdict(readFileSync(testData(file))), file).toBe('ts');
    }
  });

  it.each([
    ['an exe', Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1')],
    ['an ELF program', Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1')],
    ['html', text('<!DOCTYPE html><script>alert(1)</script>')],
    ['svg', text('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a playlist', text('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n')],
    ['a concat list', text('ffconcat version 1.0\nfile /etc/passwd\n')],
    ['an AVI', Buffer.from('RIFF\0\0\0\0AVI LIST', 'latin1')],
    ['a shell script', text('#!/bin/sh\nid\n')],
    ['a table without telemetry', text('time,colour\n1,red\n')],
    ['XML with entities', text('<?xml version="1.0"?><!DOCTYPE g [<!ENTITY a "b">]><gpx/>')],
  ])('T-053 refuse %s', (_what, bytes) => {
    expect(verdict(bytes)).toBe('unsupportedFile');
  });

  it.each([
    ['a table in UTF-16', Buffer.from('\ufeffcolour\t13\nred\t1\n', 'utf16le'), 'no text in UTF-8'],
    ['a table in Latin-1', Buffer.from('couleur,été\n', 'latin1'), 'no text in UTF-8'],
    ['a table of other columns', text('colour,lat,lon\n1,2,3\n'), 'a column "time"'],
    ['KML without a track', text('<kml><Placemark><Point/></Placemark></kml>'), 'KML without a gx:Track'],
    ['GeoJSON without times', text('{"type":"FeatureCollection","features":[]}'), 'GeoJSON without times'],
    ['an encrypted flight record of DJI', flightRecord(13), 'a flight record of a DJI app, whose content is encrypted'],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'it is a picture (PNG): it can be added as a document'],
    ['a picture in HEIF', ftyp('heic'), 'it is a picture (HEIC): it can be added as a document'],
    ['an AVI', Buffer.from('RIFF\0\0\0\0AVI LIST', 'latin1'), 'it is an AVI file, which is not read: convert it'],
    [
      'other bytes',
      Buffer.alloc(5000, '\0\x05\xa5', 'latin1'),
      'it is not a transport stream, and no MP4, MOV or Matroska',
    ],
  ])('refuse %s with what is wrong with it', (_what, bytes, reason) => {
    expect(() => judgeFile(bytes, { complete: true })).toThrow(reason);
  });

  it('take the logs of autopilots by their content, and not under the name of another file', () => {
    const moment = { seconds: 0, latitude: 1, longitude: 2, altitude: 3, speed: 4, fix: 3, roll: 0, pitch: 0, yaw: 0 };
    const content = { startMs: Date.UTC(2024, 4, 6), moments: [moment] };
    const logs = [ulogFile(content), dataflashFile(content), tlogFile(content)];

    expect(logs.map((log) => verdict(log, 'flight.bin'))).toEqual(['sidecar', 'sidecar', 'sidecar']);
    expect(logs.map((log) => verdict(log, 'flight.ts'))).toEqual(Array(3).fill('unsupportedFile'));
    expect(() => judgeFile(logs[0]!, { complete: true, name: 'flight.ts' })).toThrow(
      'it is not a transport stream, as its name says, but a log of PX4 (.ulg)',
    );
  });

  it.each([
    ['flight.ts', ftyp('isom'), 'it is not a transport stream, as its name says, but MP4 or MOV'],
    ['flight.m2ts', matroska, 'it is not a transport stream, as its name says, but Matroska'],
    ['flight.zip', ftyp('qt  '), 'it is not an archive, as its name says, but MP4 or MOV'],
    ['flight.srt', ftyp('isom'), 'it is not a text, as its name says, but MP4 or MOV'],
  ])('refuse %s whose content is another one', (name, bytes, reason) => {
    expect(() => judgeFile(bytes, { complete: true, name })).toThrow(reason);
  });

  it.each([
    ['flight.MP4', 'mp4', ftyp('isom')],
    ['flight.mov', 'mp4', ftyp('qt  ')],
    ['flight', 'mp4', Buffer.concat([Buffer.from([0, 0, 0, 8]), Buffer.from('wide\0\0\0\x08mdat')])],
    ['flight.mkv', 'mkv', matroska],
  ])('tell %s', (name, kind, bytes) => {
    expect(verdict(bytes, name)).toBe(kind);
  });

  itWithData('find a transport stream after up to 1 MiB of other bytes, and not after a signature', () => {
    const stream = readFileSync(testData('field/plain-3s.ts'));
    const junk = (size: number) => Buffer.alloc(size, 'Zq7\0');

    expect(verdict(Buffer.concat([junk(1000), stream]))).toBe('ts');
    expect(verdict(Buffer.concat([junk(1_000_000), stream]))).toBe('ts');
    expect(verdict(Buffer.concat([junk(1_100_000), stream]))).toBe('unsupportedFile');
    expect(verdict(Buffer.concat([Buffer.from('%PDF-1.7\0'), junk(1000), stream]))).toBe('unsupportedFile');
  });

  it.each([
    ['manifest', text('{"files":[{"name":"a.ts"}]}')],
    ['sidecar', text('time,13,Sensor Longitude\n2020-01-01T00:00:00Z,1,2\n')],
    ['sidecar', text('1\n00:00:00,000 --> 00:00:01,000\nGPS(1,2,3)\n')],
    ['sidecar', text('<?xml version="1.0"?>\n<gpx version="1.1"></gpx>')],
    ['sidecar', text('<kml><gx:Track></gx:Track></kml>')],
    ['sidecar', text('{"type":"Feature","properties":{"coordTimes":[]}}')],
    ['archive', Buffer.from('PK\x03\x04rest', 'latin1')],
    ['badManifest', text('{"files":[]}')],
  ])('tell a %s', (kind, bytes) => {
    expect(verdict(bytes)).toBe(kind);
  });
});

itWithData('Files of AIS of the field are taken, and JSON of gpsd is named', () => {
  for (const name of ['ais-compact-time-after.txt', 'ais-cr-only-large.nmea', 'ais-one-line-no-newline.nmea']) {
    expect(verdict(readFileSync(testData(`field3/${name}`)), name), name).toBe('ais');
  }
  const gpsd = readFileSync(testData('field3/ais-gpsd.json'));
  expect(() => judgeFile(gpsd, { complete: true, name: 'ais-gpsd.json' })).toThrow(/JSON of gpsd/);
});
