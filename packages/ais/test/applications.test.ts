import { describe, expect, it } from 'vitest';
import { type ApplicationData, createAisReader, encodeSentences } from '../src/index.ts';
import { PayloadWriter } from '../src/payload-writer.ts';

/** Bits of an application, as the tables of the circular give them, in a message 8 and in a message 6. */
function contentOf(dac: number, fi: number, write: (writer: PayloadWriter) => void): ApplicationData | null {
  const writer = new PayloadWriter();
  write(writer);
  const { payload } = writer.armour();
  const values = [...payload]
    .map((character) => character.charCodeAt(0) - 48)
    .map((value) => (value > 40 ? value - 8 : value));
  const bits = values.flatMap((value) => [5, 4, 3, 2, 1, 0].map((bit) => (value >> bit) & 1)).slice(0, writer.length);
  const data = Uint8Array.from({ length: Math.ceil(bits.length / 8) }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((byte, bit, at) => byte | (bit << (7 - at)), 0),
  );
  const binary = { repeat: 0, mmsi: 2_371_201, dac, fi, data, dataBits: bits.length, content: null };
  const found: (ApplicationData | null)[] = [];
  const reader = createAisReader({
    onMessage(message) {
      if (message.type === 6 || message.type === 8) found.push(message.content);
    },
  });
  const lines = [
    ...encodeSentences({ type: 8, ...binary }),
    ...encodeSentences({ type: 6, ...binary, sequence: 0, destination: 1, retransmitted: false }),
  ];
  reader.push(new TextEncoder().encode(lines.map((line) => `${line}\n`).join('')));
  expect(found).toHaveLength(2);
  expect(found[1]).toEqual(found[0]);
  return found[0]!;
}

const place = (writer: PayloadWriter, longitude: number, latitude: number) => {
  writer.int('longitude', 25, Math.round(longitude * 60_000));
  writer.int('latitude', 24, Math.round(latitude * 60_000));
};

describe('SN.1/Circ.236', () => {
  it('weather and water at a place, with currents at three depths', () => {
    const content = contentOf(1, 11, (writer) => {
      writer.int('latitude', 24, 37.5 * 60_000);
      writer.int('longitude', 25, -24.25 * 60_000);
      for (const [bits, value] of [
        ...([
          [5, 21],
          [5, 13],
          [6, 59],
        ] as const), // Time.
        ...([
          [7, 31],
          [7, 42],
          [9, 270],
          [9, 281],
        ] as const), // Wind.
        ...([
          [11, 815],
          [7, 64],
          [10, 323],
          [9, 213],
          [2, 1],
        ] as const), // Air.
        ...([
          [8, 123],
          [9, 87],
          [2, 2],
        ] as const), // Visibility and water level.
        ...([
          [8, 11],
          [9, 101],
          [8, 12],
          [9, 102],
          [5, 9],
          [8, 13],
          [9, 103],
          [5, 22],
        ] as const), // Currents.
        ...([
          [8, 25],
          [6, 7],
          [9, 201],
          [8, 36],
          [6, 8],
          [9, 202],
          [4, 5],
        ] as const), // Waves and swell.
        ...([
          [10, 287],
          [3, 3],
          [9, 385],
          [2, 1],
          [6, 0],
        ] as const), // Water.
      ]) {
        writer.uint('weather', bits, value);
      }
    });

    expect(content).toEqual({
      ...{ kind: 'metHydro', latitude: 37.5, longitude: -24.25, accurate: false, day: 21, hour: 13, minute: 59 },
      ...{ windSpeed: 31, gustSpeed: 42, windDirection: 270, gustDirection: 281 },
      ...{ airTemperature: 21.5, humidity: 64, dewPoint: 12.3, pressure: 1013, pressureTrend: 1 },
      ...{ visibility: 12.3, visibilityAtLeast: false, waterLevel: -1.3, levelTrend: 2 },
      currents: [
        { speed: 1.1, direction: 101, depth: 0 },
        { speed: 1.2, direction: 102, depth: 9 },
        { speed: 1.3, direction: 103, depth: 22 },
      ],
      ...{ waveHeight: 2.5, wavePeriod: 7, waveDirection: 201 },
      ...{ swellHeight: 3.6, swellPeriod: 8, swellDirection: 202, seaState: 5 },
      ...{ waterTemperature: 18.7, precipitation: 3, salinity: 38.5, ice: true },
    });
  });
});

describe('SN.1/Circ.289', () => {
  it('an area notice has circles, rectangles, sectors, lines, polygons and texts', () => {
    const content = contentOf(1, 22, (writer) => {
      for (const [bits, value] of [
        ...([
          [10, 7],
          [7, 97],
          [4, 6],
          [5, 1],
          [5, 9],
          [6, 30],
          [18, 120],
        ] as const),
      ]) {
        writer.uint('head', bits, value);
      }
      // Circle of 250 x 10 m.
      writer.uint('shape', 3, 0);
      writer.uint('scale', 2, 1);
      place(writer, 24.5, 37.25);
      writer.uint('precision', 3, 4);
      writer.uint('radius', 12, 250);
      writer.zeros(18);
      // Rectangle of 20 x 100 m to the east, 30 x 100 m to the north.
      writer.uint('shape', 3, 1);
      writer.uint('scale', 2, 2);
      place(writer, -5, -10);
      writer.uint('precision', 3, 4);
      writer.uint('east', 8, 20);
      writer.uint('north', 8, 30);
      writer.uint('orientation', 9, 45);
      writer.zeros(5);
      // Sector.
      writer.uint('shape', 3, 2);
      writer.uint('scale', 2, 0);
      place(writer, 181, 91);
      writer.uint('precision', 3, 4);
      writer.uint('radius', 12, 900);
      writer.uint('left', 9, 10);
      writer.uint('right', 9, 100);
      // Polygon of two points, the others not used.
      writer.uint('shape', 3, 4);
      writer.uint('scale', 2, 1);
      for (const [angle, distance] of [
        [180, 50],
        [361, 60],
        [720, 0],
        [720, 0],
      ] as const) {
        writer.uint('angle', 10, angle);
        writer.uint('distance', 10, distance);
      }
      writer.zeros(2);
      writer.uint('shape', 3, 5);
      writer.text('text', 14, 'KEEP CLEAR');
    });
    expect(content).toEqual({
      ...{ kind: 'areaNotice', linkage: 7, noticeType: 97, month: 6, day: 1, hour: 9, minute: 30, duration: 120 },
      areas: [
        { shape: 'circle', longitude: 24.5, latitude: 37.25, precision: 4, radius: 2500 },
        { shape: 'rectangle', longitude: -5, latitude: -10, precision: 4, east: 2000, north: 3000, orientation: 45 },
        { shape: 'sector', longitude: null, latitude: null, precision: 4, radius: 900, left: 10, right: 100 },
        {
          shape: 'polygon',
          points: [
            { bearing: 90, distance: 500 },
            { bearing: 180.5, distance: 600 },
          ],
        },
        { shape: 'text', text: 'KEEP CLEAR' },
      ],
    });
  });

  it('a text belongs to another message by its linkage', () => {
    const content = contentOf(1, 29, (writer) => {
      writer.uint('linkage', 10, 512);
      writer.text('text', 20, 'DIVERS DOWN 2 NM');
    });
    expect(content).toEqual({ kind: 'linkedText', linkage: 512, text: 'DIVERS DOWN 2 NM' });
  });

  it('weather seen from a ship', () => {
    const content = contentOf(1, 21, (writer) => {
      writer.flag(false);
      writer.text('location', 20, 'KEA CHANNEL');
      place(writer, 24.2, 37.7);
      for (const [bits, value] of [
        [5, 1],
        [5, 9],
        [6, 45],
        [4, 2],
      ] as const)
        writer.uint('time', bits, value);
      writer.flag(false);
      for (const [bits, value] of [
        [7, 80],
        [7, 65],
        [7, 22],
        [9, 350],
        [9, 214],
        [4, 15],
      ] as const)
        writer.uint('air', bits, value);
      writer.int('air', 11, 215);
      writer.int('water', 10, 198);
      for (const [bits, value] of [
        [6, 5],
        [8, 15],
        [9, 10],
        [8, 255],
        [9, 360],
        [6, 63],
      ] as const)
        writer.uint('sea', bits, value);
      writer.zeros(3);
    });
    expect(content).toEqual({
      ...{ kind: 'shipWeather', location: 'KEA CHANNEL', longitude: 24.2, latitude: 37.7, day: 1, hour: 9, minute: 45 },
      ...{ weather: 2, visibility: 8, visibilityAtLeast: false, humidity: 65, windSpeed: 22, windDirection: 350 },
      ...{ pressure: 1013, pressureTrend: null, airTemperature: 21.5, waterTemperature: 19.8, wavePeriod: 5 },
      ...{ waveHeight: 1.5, waveDirection: 10, swellHeight: null, swellDirection: null, swellPeriod: null },
    });
  });
});

it('other applications, and ones that are cut, have their data alone', () => {
  expect(contentOf(1, 31, (writer) => writer.zeros(100))).toBeNull();
  expect(contentOf(367, 33, (writer) => writer.zeros(100))).toBeNull();
});
