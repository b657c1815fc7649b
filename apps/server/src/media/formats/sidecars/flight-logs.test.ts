import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../../tools/test-support/test-data.ts';
import { rowsOf } from '../../../../test/sidecar-rows.ts';

/** 2021-06-01T12:00:00Z. */
const NOON_US = Date.UTC(2021, 5, 1, 12) * 1000;
const FEET = 0.3048;

const table = (...lines: string[]) => rowsOf(lines.join('\r\n'));

describe('a table of telemetry', () => {
  itWithData('names its time as ST 0601 does', async () => {
    const { rows } = await rowsOf(readFileSync(testData('field/precision-time-stamp.csv')));

    expect(rows).toHaveLength(15);
    expect(rows.slice(0, 2)).toEqual([
      { timeUs: 1_700_000_000_000_000, values: { 13: 50, 14: 8 } },
      { timeUs: 1_700_000_001_000_000, values: { 13: 50.0001, 14: 8.0001 } },
    ]);
  });

  it.each([
    '2,13,14,15',
    'tag 2,tag 13,tag 14,tag 15',
    'Precision Time Stamp (µs),Sensor Latitude (°),Sensor Longitude (deg),Sensor True Altitude (m)',
    'precision_time_stamp [us],sensor_latitude,sensor_longitude,sensor_true_altitude',
    'UNIX Time Stamp,latitude,longitude,altitude',
    'timestamp,lat,lon,alt (m)',
  ])('may head its columns with %s', async (head) => {
    const { rows, clock } = await table(head, '1622548800000000,47.5,-8.25,432');

    expect(clock).toBe('utc');
    expect(rows).toEqual([{ timeUs: NOON_US, values: { 13: 47.5, 14: -8.25, 15: 432 } }]);
  });

  it('has speeds and angles in units of the standard', async () => {
    const { rows } = await table(
      'time,Platform Ground Speed (kn),Platform Heading Angle (rad),Slant Range (km),speed,ground_speed (km/h)',
      '1622548800,100,3.141592653589793,2,7,',
    );

    expect(rows[0]!.values).toEqual({ 5: 180, 21: 2000, 56: expect.closeTo((100 * 1852) / 3600, 9) });
  });

  it('of Airdata counts milliseconds from a second that its change shows', async () => {
    const head =
      'time(millisecond),datetime(utc),latitude,longitude,height_above_takeoff(feet),altitude_above_seaLevel(feet),altitude(feet),speed(mph), compass_heading(degrees), pitch(degrees), roll(degrees),gimbal_pitch(degrees)';
    const row = (ms: number, second: number) =>
      `${ms},2021-06-01 12:00:0${second},47.5,8.25,10,1000,10,20,-90.5,-2,1,-45`;

    const { rows, clock, isStartAssumed } = await table(head, row(0, 0), row(100, 0), row(200, 1), row(300, 1));

    expect([clock, isStartAssumed]).toEqual(['utc', false]);
    expect(rows.map(({ timeUs }) => timeUs - NOON_US)).toEqual([800_000, 900_000, 1_000_000, 1_100_000]);
    expect(rows[0]!.values).toEqual({ 5: 269.5, 13: 47.5, 14: 8.25, 15: 1000 * FEET, 56: 20 * 0.44704, 90: -2, 91: 1 });
  });

  it('of Litchi has no altitude above the sea', async () => {
    const { rows } = await table(
      'latitude,longitude,altitude(m),ascent(m),speed(mps),time(millisecond),datetime(utc),datetime(local),home_latitude,home_longitude,pitch(deg),roll(deg),yaw(deg)',
      '47.5,8.25,30,30,5,1000,2021-06-01 12:00:01,2021-06-01 14:00:01,47,8,1,2,-170',
    );

    expect(rows).toEqual([
      { timeUs: NOON_US + 1_000_000, values: { 5: 190, 13: 47.5, 14: 8.25, 56: 5, 90: 1, 91: 2 } },
    ]);
  });

  it('of a DJI flight record in local time begins with the video, and says that this is assumed', async () => {
    const { rows, clock, isStartAssumed } = await table(
      'sep=,',
      'CUSTOM.date [local],CUSTOM.updateTime [local],OSD.flyTime,OSD.flyTime [s],OSD.latitude,OSD.longitude,OSD.height [ft],OSD.altitude [ft],OSD.hSpeed [MPH],OSD.pitch,OSD.roll,OSD.yaw [360]',
      '6/1/2021,11:59:59.90 PM,0m 0.1s,0.1,47.5,8.25,10,1000,20,1,2,350',
      '6/2/2021,12:00:00.40 AM,0m 0.6s,0.6,47.6,8.25,10,1000,20,1,2,350',
    );

    expect([clock, isStartAssumed]).toEqual(['video', true]);
    expect(rows.map(({ timeUs }) => timeUs)).toEqual([0, 500_000]);
    expect(rows[0]!.values).toEqual({ 5: 350, 13: 47.5, 14: 8.25, 15: 1000 * FEET, 56: 20 * 0.44704, 90: 1, 91: 2 });
  });

  it.each([
    [
      'as QGIS FMV takes it',
      'CUSTOM.updateTime,OSD.latitude',
      ['2021/06/01 23:59:59.5', '2021/06/02 00:00:00'],
      'video',
    ],
    [
      'with the time of day alone',
      'CUSTOM.updateTime [local],OSD.latitude',
      ['11:59:59.5 PM', '12:00:00.0 AM'],
      'video',
    ],
    ['with the time of the flight alone', 'OSD.flyTime [s],OSD.latitude', ['3.5', '4'], 'video'],
    ['in UTC', 'CUSTOM.dateTime,OSD.latitude', ['2021-06-01T12:00:00.5Z', '2021-06-01T12:00:01Z'], 'utc'],
  ])('of a DJI flight record %s has steps of its own clock', async (_what, head, times, clock) => {
    const found = await table(head, ...times.map((time) => `${time},47.5`));

    expect(found.clock).toBe(clock);
    expect(found.rows[1]!.timeUs - found.rows[0]!.timeUs).toBe(500_000);
  });

  it('of QGIS FMV holds one moment, line by line', async () => {
    const { rows, format } = await table(
      'FMV Metadata Report',
      'Video;flight.ts',
      '',
      'Key;Name;Value',
      '--- Sensor ---',
      '2;Precision Time Stamp;2021-06-01 12:00:00.250000',
      '10;Platform Designation;Kestrel',
      '13;Sensor Latitude;47.5',
      '14;Sensor Longitude;8.25',
    );

    expect(format).toBe('qgisFmv');
    expect(rows).toEqual([{ timeUs: NOON_US + 250_000, values: { 10: 'Kestrel', 13: 47.5, 14: 8.25 } }]);
  });
});

describe('a drawing with times', () => {
  const points = Array.from({ length: 5 }, (_none, n) => ({
    timeUs: 1_700_000_000_000_000 + n * 1_000_000,
    values: { 13: expect.closeTo(50 + n / 100, 9) as number, 14: expect.closeTo(8 + n / 100, 9) as number },
  }));

  itWithData('may be a gx:Track of KML; altitudes count where it says that they are absolute', async () => {
    const kml = readFileSync(testData('field/gx-track.kml'), 'utf8');
    const absolute = kml.replace('<gx:Track>', '<gx:Track><altitudeMode>absolute</altitudeMode>');

    expect((await rowsOf(kml)).rows).toEqual(points);
    expect((await rowsOf(absolute)).rows[0]!.values[15]).toBe(100);
  });

  it('may part times and places of a gx:Track in any way, and has none for a place without a time', async () => {
    const place = (n: number) => `<gx:coord>8 ${n} 0</gx:coord>`;
    const time = (n: number) => `<when>2021-06-01T12:00:0${n}Z</when>`;
    const track = [time(0), place(1), '<when></when>', place(2), time(2), place(3), place(4)].join('');

    const { rows } = await rowsOf(
      `<kml xmlns:gx="g"><gx:MultiTrack><gx:Track>${track}</gx:Track></gx:MultiTrack></kml>`,
    );

    expect(rows).toEqual([
      { timeUs: NOON_US, values: { 13: 1, 14: 8 } },
      { timeUs: NOON_US + 2_000_000, values: { 13: 3, 14: 8 } },
    ]);
  });

  const line = {
    type: 'LineString',
    coordinates: [
      [8, 50, 410],
      [8.1, 50.1],
      [8.2, 50.2],
    ],
  };
  const times = ['2021-06-01T12:00:00Z', '2021-06-01T12:00:01Z', '2021-06-01T12:00:02Z'];
  const expected = [
    { timeUs: NOON_US, values: { 13: 50, 14: 8, 75: 410 } },
    { timeUs: NOON_US + 1_000_000, values: { 13: 50.1, 14: 8.1 } },
    { timeUs: NOON_US + 2_000_000, values: { 13: 50.2, 14: 8.2 } },
  ];
  const feature = (geometry: object, properties: object) => ({ type: 'Feature', properties, geometry });

  it.each([
    ['a line with coordTimes', feature(line, { coordTimes: times })],
    ['a line with times in milliseconds', feature(line, { times: times.map((time) => Date.parse(time)) })],
    ['a line as togeojson writes it', feature(line, { coordinateProperties: { times } })],
    ['several lines', feature({ type: 'MultiLineString', coordinates: [line.coordinates] }, { coordTimes: [times] })],
    [
      'points',
      {
        type: 'FeatureCollection',
        name: 'features: [1]',
        features: line.coordinates.map((coordinates, n) =>
          feature({ type: 'Point', coordinates }, { note: 'a "brace" {', time: times[n] }),
        ),
      },
    ],
  ])('may be GeoJSON: %s', async (_what, json) => {
    expect((await rowsOf(JSON.stringify(json, null, 1))).rows).toEqual(expected);
  });

  it.each([
    ['ends too early', '{"type":"FeatureCollection","features":[{"type":"Feature","a":['],
    ['is nested without end', `{"type":"Feature","a":${'['.repeat(100_000)}`],
    ['has no times', '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"time":"never"}}]}'],
  ])('of GeoJSON that %s is refused', async (_what, text) => {
    await expect(rowsOf(text)).rejects.toThrow('The file was refused');
  });
});
