import type { AisMessage } from '../src/index.ts';

const place = { latitude: 37.5, longitude: 24.25, accurate: true, raim: false };
const moving = { sog: 12.3, cog: 271.5, second: 14, positionMode: 'sensor' as const };
const dimensions = {
  toBow: 100,
  toStern: 20,
  toPort: 8,
  toStarboard: 12,
  length: 120,
  beam: 20,
  referenceKnown: true,
};
const area = { north: 60.5, east: 20.5, south: 59.5, west: -19.5 };
const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);

/** One message of each type; 24 in both parts, 25 and 26 addressed, with and without an application identifier. */
export const EVERY_TYPE: readonly AisMessage[] = [
  ...([1, 2, 3] as const).map((type) => ({
    ...{ type, repeat: 0, mmsi: 211000100 + type, ...place, ...moving },
    ...{ heading: 270, status: 0, turn: 10.04, turnAtLeast: false, manoeuvre: null, radio: 34017 },
  })),
  {
    ...{ type: 4, repeat: 0, mmsi: 2110004, ...place, timeUs: 1_700_000_000_000_000, fixType: 7 },
    ...{ longRange: false, radio: 0 },
  },
  {
    ...{ type: 5, repeat: 0, mmsi: 211000105, aisVersion: 2, imo: 9134270, callSign: '3FOF8', name: 'EVER DIADEM' },
    ...{ shipType: 70, dimensions, fixType: 1, eta: { month: 5, day: 15, hour: 14, minute: 0 }, draught: 12.2 },
    ...{ destination: 'NEW YORK', dataTerminal: true },
  },
  {
    ...{ type: 6, repeat: 0, mmsi: 211000106, sequence: 1, destination: 2110006, retransmitted: true },
    ...{ dac: 235, fi: 10, data: bytes, dataBits: 96, content: null },
  },
  {
    type: 7,
    repeat: 0,
    mmsi: 211000107,
    acknowledged: [
      { mmsi: 2110001, sequence: 1 },
      { mmsi: 2110002, sequence: 3 },
    ],
  },
  { type: 8, repeat: 0, mmsi: 211000108, dac: 366, fi: 56, data: bytes, dataBits: 96, content: null },
  {
    ...{ type: 9, repeat: 0, mmsi: 111211109, ...place, ...moving, sog: 150, altitude: 300, barometric: true },
    ...{ dataTerminal: true, assigned: false, radio: 5 },
  },
  { type: 10, repeat: 0, mmsi: 211000110, destination: 2110004 },
  { type: 11, repeat: 0, mmsi: 211000111, ...place, timeUs: null, fixType: 1, longRange: true, radio: 1 },
  {
    type: 12,
    repeat: 0,
    mmsi: 211000112,
    sequence: 2,
    destination: 211000101,
    retransmitted: false,
    text: 'GOOD WATCH',
  },
  { type: 13, repeat: 0, mmsi: 211000113, acknowledged: [{ mmsi: 211000112, sequence: 2 }] },
  { type: 14, repeat: 0, mmsi: 211000114, text: 'SART TEST' },
  {
    ...{ type: 15, repeat: 0, mmsi: 2110015 },
    requests: [
      { mmsi: 211000101, messageType: 5, slotOffset: 0 },
      { mmsi: 211000101, messageType: 24, slotOffset: 9 },
      { mmsi: 211000102, messageType: 3, slotOffset: 7 },
    ],
  },
  {
    ...{ type: 16, repeat: 0, mmsi: 2110016 },
    assignments: [
      { mmsi: 211000101, offset: 200, increment: 5 },
      { mmsi: 211000102, offset: 300, increment: 6 },
    ],
  },
  { type: 17, repeat: 0, mmsi: 2110017, latitude: 60, longitude: 29.5, data: bytes, dataBits: 96 },
  {
    ...{ type: 18, repeat: 0, mmsi: 211000118, ...place, ...moving, heading: null, carrierSense: true, display: false },
    ...{ dsc: true, wholeBand: true, message22: true, assigned: false, radio: 917510 },
  },
  {
    ...{ type: 19, repeat: 0, mmsi: 211000119, ...place, ...moving, heading: 12, name: 'CAPT.J.RIMES', shipType: 70 },
    ...{ dimensions: null, fixType: 1, dataTerminal: false, assigned: true },
  },
  {
    ...{ type: 20, repeat: 0, mmsi: 2110020 },
    reservations: [
      { offset: 2182, slots: 5, timeout: 7, increment: 225 },
      { offset: 100, slots: 1, timeout: 7, increment: 750 },
    ],
  },
  {
    ...{ type: 21, repeat: 0, mmsi: 992111121, ...place, aidType: 20, name: 'CHINA ROSE MURPHY EXPRESS ALERT' },
    ...{ dimensions: { ...dimensions, toBow: 5, toStern: 5, length: 10 }, fixType: 1, second: 50 },
    ...{ positionMode: 'sensor', offPosition: true, status: 165, virtual: true, assigned: false },
  },
  {
    ...{ type: 22, repeat: 0, mmsi: 2110022, channelA: 2087, channelB: 2088, txRx: 0, lowPower: false, area },
    ...{ destinations: [], narrowA: false, narrowB: true, zone: 5 },
  },
  {
    ...{ type: 22, repeat: 0, mmsi: 2110022, channelA: 1, channelB: 2, txRx: 1, lowPower: true, area: null },
    ...{ destinations: [211000101, 211000102], narrowA: false, narrowB: false, zone: 8 },
  },
  { type: 23, repeat: 0, mmsi: 2110023, area, stationType: 6, shipType: 0, txRx: 1, interval: 9, quiet: 3 },
  { type: 24, part: 'A', repeat: 0, mmsi: 211000124, name: 'PROGUY' },
  {
    ...{ type: 24, part: 'B', repeat: 0, mmsi: 211000124, shipType: 60, vendor: '1D0', model: 3, serial: 1234 },
    ...{ callSign: 'TC6163', dimensions, mothership: null, fixType: 1 },
  },
  {
    ...{ type: 24, part: 'B', repeat: 0, mmsi: 982110001, shipType: 36, vendor: 'OSP', model: 1, serial: 1 },
    ...{ callSign: null, dimensions: null, mothership: 211000105, fixType: 0 },
  },
  {
    ...{
      type: 25,
      repeat: 0,
      mmsi: 211000125,
      destination: 211000101,
      dac: 1,
      fi: 39,
      data: bytes.slice(0, 8),
      dataBits: 64,
    },
    ...{ content: null, radio: null },
  },
  {
    ...{
      type: 26,
      repeat: 0,
      mmsi: 211000126,
      destination: null,
      dac: null,
      fi: null,
      data: bytes.slice(0, 10),
      dataBits: 80,
    },
    ...{ content: null, radio: 5 },
  },
  { type: 27, repeat: 3, mmsi: 211000127, ...place, status: 5, sog: 57, cog: 167, late: true },
];
