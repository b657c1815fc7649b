import type { AisMessage, MetHydro } from '../src/index.ts';
import type { Row } from './peer-table.ts';

/** Fields that gpsd repeats as text, and spare bits, which this decoder does not keep. */
export const GPSD_IGNORED: ReadonlySet<string> = new Set(['class', 'device', 'scaled', 'reserved', 'regional']);

const two = (value: number | null, none: number) => String(value ?? none).padStart(2, '0');
const oneDecimal = (value: unknown) => Number(Number(value).toFixed(1));
const hex = (data: Uint8Array) => Buffer.from(data).toString('hex');

const common: Row[] = [
  { peer: 'type', ours: 'type' },
  { peer: 'repeat', ours: 'repeat' },
  { peer: 'mmsi', ours: 'mmsi' },
];
const dimensions: Row[] = [
  { peer: 'to_bow', ours: 'dimensions.toBow', none: 0 },
  { peer: 'to_stern', ours: 'dimensions.toStern', none: 0 },
  { peer: 'to_port', ours: 'dimensions.toPort', none: 0 },
  { peer: 'to_starboard', ours: 'dimensions.toStarboard', none: 0 },
];

/** `scaled`: gpsd writes scaled numbers. `parts`: units of the message per degree. */
const place = (scaled: boolean, parts: number): Row[] => [
  { peer: 'accuracy', ours: 'accurate' },
  { peer: 'lon', ours: 'longitude', scale: scaled ? 1 : parts, none: scaled ? 181 : 181 * parts },
  { peer: 'lat', ours: 'latitude', scale: scaled ? 1 : parts, none: scaled ? 91 : 91 * parts },
  { peer: 'raim', ours: 'raim' },
];
const moving = (scaled: boolean): Row[] => [
  { peer: 'speed', ours: 'sog', scale: scaled ? 1 : 10, none: scaled ? 102.3 : 1023 },
  { peer: 'course', ours: 'cog', scale: scaled ? 1 : 10, none: scaled ? 360 : 3600 },
  { peer: 'heading', ours: 'heading', none: 511 },
  { peer: 'second', ours: 'stamp' },
];

const classA = (scaled: boolean): Row[] => [
  ...common,
  ...place(scaled, 600_000),
  ...moving(scaled),
  { peer: 'status', ours: 'status', none: 15 },
  { peer: 'turn', ours: scaled ? 'turnText' : 'turnField' },
  { peer: 'maneuver', ours: 'manoeuvre', none: 0 },
  { peer: 'radio', ours: 'radio' },
];

const identity: Row[] = [
  { peer: 'callsign', ours: 'callSign', none: '' },
  { peer: 'shipname', ours: 'name', none: '' },
  { peer: 'shiptype', ours: 'shipType', none: 0 },
  ...dimensions,
  { peer: 'epfd', ours: 'fixType' },
  { peer: 'dte', ours: 'dataTerminal', as: (ready) => (ready ? 0 : 1) },
];

const binary: Row[] = [
  { peer: 'seqno', ours: 'sequence' },
  { peer: 'dest_mmsi', ours: 'destination', none: 0 },
  { peer: 'retransmit', ours: 'retransmitted' },
  { peer: 'dac', ours: 'dac' },
  { peer: 'fid', ours: 'fi' },
  { peer: 'data', ours: 'hex' },
  { peer: 'addressed', ours: 'addressed' },
  { peer: 'structured', ours: 'structured' },
  { peer: 'app_id', ours: 'appId' },
  { peer: 'radio', ours: 'radio' },
];

/**
 * Trend as text in gpsd, which swaps 1 and 2; according to SN.1/Circ.289, annex, table 1.1, 1 is decreasing and 2
 * increasing.
 */
const trend = (scaled: boolean) => (value: unknown) =>
  scaled ? ['steady', 'increasing', 'decreasing'][Number(value)] : value;

/**
 * Lists the fields of both versions of the meteorological message: the unit of each, and its value for "not available".
 */
function metHydro(scaled: boolean, fi: number): Row[] {
  const old = fi === 11;
  const row = (peer: string, ours: string, none: number, unit = 1, offset = 0): Row => ({
    peer,
    ours: `content.${ours}`,
    none: scaled ? Number((none * unit + offset).toFixed(3)) : none,
    as: (value) => (scaled ? value : Math.round((Number(value) - offset) / unit)),
  });
  const coordinate = (peer: string, ours: string, none: number): Row => ({
    peer,
    ours: `content.${ours}`,
    none: scaled ? none : none * 60_000,
    scale: scaled ? 1 : 60_000,
  });
  return [
    coordinate('lon', 'longitude', 181),
    coordinate('lat', 'latitude', 91),
    { peer: 'timestamp', ours: 'content', as: (content) => dayTime(content as MetHydro) },
    { peer: 'accuracy', ours: 'content.accurate' },
    row('wspeed', 'windSpeed', 127),
    row('wgust', 'gustSpeed', 127),
    row('wdir', 'windDirection', old ? 511 : 360),
    row('wgustdir', 'gustDirection', old ? 511 : 360),
    row('humidity', 'humidity', old ? 127 : 101),
    row('airtemp', 'airTemperature', old ? 2047 : -1024, 0.1, old ? -60 : 0),
    row('dewpoint', 'dewPoint', old ? 1023 : 501, 0.1, old ? -20 : 0),
    row('pressure', 'pressure', 511, 1, old ? 800 : 799),
    { peer: 'pressuretend', ours: 'content.pressureTrend', none: scaled ? 'N/A' : 3, as: trend(scaled) },
    { peer: 'visgreater', ours: 'content.visibilityAtLeast' },
    row('visibility', 'visibility', old ? 255 : 127, 0.1),
    // Scaled values of gpsd have one decimal.
    scaled
      ? { peer: 'waterlevel', ours: 'content.waterLevel', none: old ? 41.1 : 30, as: oneDecimal }
      : row('waterlevel', 'waterLevel', old ? 511 : 4001, old ? 0.1 : 0.01, -10),
    { peer: 'leveltrend', ours: 'content.levelTrend', none: scaled ? 'N/A' : 3, as: trend(scaled) },
    ...['', '2', '3'].flatMap((suffix, index) => [
      row(`cspeed${suffix}`, `currents.${index}.speed`, 255, 0.1),
      row(`cdir${suffix}`, `currents.${index}.direction`, old ? 511 : 360),
      row(`cdepth${suffix}`, `currents.${index}.depth`, 31),
    ]),
    row('waveheight', 'waveHeight', 255, 0.1),
    row('waveperiod', 'wavePeriod', 63),
    row('wavedir', 'waveDirection', old ? 511 : 360),
    row('swellheight', 'swellHeight', 255, 0.1),
    row('swellperiod', 'swellPeriod', 63),
    row('swelldir', 'swellDirection', old ? 511 : 360),
    row('seastate', 'seaState', old ? 15 : 13),
    row('watertemp', 'waterTemperature', old ? 1023 : 501, 0.1, old ? -10 : 0),
    row('preciptype', 'precipitation', 7),
    row('salinity', 'salinity', old ? 511 : 510, 0.1),
    { peer: 'ice', ours: 'content.ice', none: 3, as: (ice) => (ice ? 1 : 0) },
  ];
}

const dayTime = ({ day, hour, minute }: MetHydro) => `${two(day, 0)}T${two(hour, 24)}:${two(minute, 60)}Z`;

const inland: Row[] = [
  { peer: 'vin', ours: 'content.eni', none: '' },
  { peer: 'length', ours: 'content.length', scale: 10, none: 0 },
  { peer: 'beam', ours: 'content.beam', scale: 10, none: 0 },
  { peer: 'shiptype', ours: 'content.eriType' },
  { peer: 'hazard', ours: 'content.hazard', none: 5 },
  { peer: 'draught', ours: 'content.draught', scale: 100, none: 0 },
  { peer: 'loaded', ours: 'content.loaded', none: 0, as: (loaded) => (loaded ? 2 : 1) },
  { peer: 'speed_q', ours: 'content.speedQuality' },
  { peer: 'course_q', ours: 'content.courseQuality' },
  { peer: 'heading_q', ours: 'content.headingQuality' },
];

const linked: Row[] = [
  { peer: 'linkage', ours: 'content.linkage' },
  { peer: 'text', ours: 'content.text', none: '' },
];

const numbered = (length: number, rows: (index: number) => Row[]): Row[] =>
  Array.from({ length }, (_, index) => rows(index)).flat();

const area = (scaled: boolean): Row[] =>
  (
    [
      ['ne_lon', 'area.east', 181],
      ['ne_lat', 'area.north', 91],
      ['sw_lon', 'area.west', 181],
      ['sw_lat', 'area.south', 91],
    ] as const
  ).map(([peer, ours, none]) => ({
    peer,
    ours,
    none: scaled ? none.toFixed(6) : none * 600,
    as: (value) => (scaled ? Number(value).toFixed(6) : Number(value) * 600),
  }));

/** Returns the table rows for a message of gpsd. */
export function gpsdRows(type: number, scaled: boolean, dac: unknown, fid: unknown): Row[] {
  switch (type) {
    case 1:
    case 2:
    case 3:
      return classA(scaled);
    case 4:
    case 11:
      return [
        ...common,
        ...place(scaled, 600_000),
        { peer: 'timestamp', ours: 'timestamp' },
        { peer: 'epfd', ours: 'fixType' },
        { peer: 'radio', ours: 'radio' },
      ];
    case 5:
      return [
        ...common,
        ...identity,
        { peer: 'imo', ours: 'imo', none: 0 },
        { peer: 'ais_version', ours: 'aisVersion' },
        { peer: 'eta', ours: 'etaText' },
        { peer: 'draught', ours: 'draught', scale: scaled ? 1 : 10, none: 0 },
        { peer: 'destination', ours: 'destination', none: '' },
      ];
    case 6:
    case 8:
      if (dac === 1 && (fid === 11 || fid === 31)) return [...common, ...binary, ...metHydro(scaled, fid)];
      if (dac === 200 && fid === 10) return [...common, ...binary, ...inland];
      return [...common, ...binary, ...(dac === 1 && (fid === 29 || fid === 30) ? linked : [])];
    case 7:
    case 13:
      return [...common, ...numbered(4, (i) => [{ peer: `mmsi${i + 1}`, ours: `acknowledged.${i}.mmsi`, none: 0 }])];
    case 9:
      return [
        ...common,
        ...place(scaled, 600_000),
        ...moving(scaled),
        { peer: 'speed', ours: 'sog', none: 1023 },
        { peer: 'alt', ours: 'altitude', none: 4095 },
        { peer: 'dte', ours: 'dataTerminal', as: (ready) => (ready ? 0 : 1) },
        { peer: 'radio', ours: 'radio' },
      ];
    case 10:
    case 12:
    case 14:
      return [...common, ...binary, { peer: 'text', ours: 'text', none: '' }];
    case 15:
      return [
        ...common,
        ...['mmsi1', 'type1_1', 'offset1_1', 'type1_2', 'offset1_2', 'mmsi2', 'type2_1', 'offset2_1'].map((peer) => ({
          peer,
          ours: `slots.${peer}`,
        })),
      ];
    case 16:
      return [
        ...common,
        ...numbered(2, (i) => [
          { peer: `mmsi${i + 1}`, ours: `assignments.${i}.mmsi`, none: 0 },
          { peer: `offset${i + 1}`, ours: `assignments.${i}.offset`, none: 0 },
          { peer: `increment${i + 1}`, ours: `assignments.${i}.increment`, none: 0 },
        ]),
      ];
    case 17:
      return [
        ...common,
        // Values of gpsd have one decimal.
        { peer: 'lon', ours: 'longitude', as: (value) => (scaled ? oneDecimal(value) : Number(value) * 600) },
        { peer: 'lat', ours: 'latitude', as: (value) => (scaled ? oneDecimal(value) : Number(value) * 600) },
        { peer: 'data', ours: 'hex' },
      ];
    case 18:
      return [
        ...common,
        ...place(scaled, 600_000),
        ...moving(scaled),
        { peer: 'cs', ours: 'carrierSense' },
        { peer: 'display', ours: 'display' },
        { peer: 'dsc', ours: 'dsc' },
        { peer: 'band', ours: 'wholeBand' },
        { peer: 'msg22', ours: 'message22' },
        { peer: 'radio', ours: 'radio' },
      ];
    case 19:
      return [
        ...common,
        ...place(scaled, 600_000),
        ...moving(scaled),
        ...identity,
        { peer: 'assigned', ours: 'assigned' },
      ];
    case 20:
      return [
        ...common,
        ...numbered(4, (i) => [
          { peer: `offset${i + 1}`, ours: `reservations.${i}.offset`, none: 0 },
          { peer: `number${i + 1}`, ours: `reservations.${i}.slots`, none: 0 },
          { peer: `timeout${i + 1}`, ours: `reservations.${i}.timeout`, none: 0 },
          { peer: `increment${i + 1}`, ours: `reservations.${i}.increment`, none: 0 },
        ]),
      ];
    case 21:
      return [
        ...common,
        ...place(scaled, 600_000),
        ...dimensions,
        { peer: 'aid_type', ours: 'aidType', none: 0 },
        { peer: 'name', ours: 'name', none: '' },
        { peer: 'epfd', ours: 'fixType' },
        { peer: 'second', ours: 'stamp' },
        { peer: 'off_position', ours: 'offPosition', none: false },
        { peer: 'virtual_aid', ours: 'virtual' },
      ];
    case 22:
      return [
        ...common,
        ...area(scaled),
        { peer: 'channel_a', ours: 'channelA' },
        { peer: 'channel_b', ours: 'channelB' },
        { peer: 'txrx', ours: 'txRx' },
        { peer: 'power', ours: 'lowPower' },
        { peer: 'dest1', ours: 'destinations.0' },
        { peer: 'dest2', ours: 'destinations.1' },
        { peer: 'addressed', ours: 'area', as: () => false, none: true },
        { peer: 'band_a', ours: 'narrowA' },
        { peer: 'band_b', ours: 'narrowB' },
        // gpsd reports the raw field; the zone is one mile larger (M.1371-5, Annex 8, § 3.20).
        { peer: 'zonesize', ours: 'zone', as: (zone) => Number(zone) - 1 },
      ];
    case 23:
      return [
        ...common,
        ...area(scaled),
        { peer: 'stationtype', ours: 'stationType' },
        { peer: 'shiptype', ours: 'shipType' },
        { peer: 'interval', ours: 'interval' },
        { peer: 'quiet', ours: 'quiet' },
      ];
    case 24:
      return [
        ...common,
        ...identity,
        { peer: 'vendorid', ours: 'vendorField', none: '' },
        { peer: 'model', ours: 'model' },
        { peer: 'serial', ours: 'serial' },
        { peer: 'mothership_mmsi', ours: 'mothership', none: 0 },
      ];
    case 25:
    case 26:
      return [...common, ...binary];
    default:
      return [
        ...common,
        ...place(scaled, 600),
        { peer: 'speed', ours: 'sog', none: 63 },
        { peer: 'course', ours: 'cog', none: 511 },
        { peer: 'status', ours: 'status', none: 15 },
        { peer: 'gnss', ours: 'late' },
      ];
  }
}

const STAMPS = { sensor: 60, none: 60, manual: 61, deadReckoning: 62, inoperative: 63 };

/** Returns our message with pairs of fields combined where gpsd has a single one. */
export function forGpsd(message: AisMessage): object {
  const more: Record<string, unknown> = {};
  if ('positionMode' in message) more.stamp = message.second ?? STAMPS[message.positionMode];
  if ('turn' in message) {
    const { turn, turnAtLeast } = message;
    const field = turn === null ? -128 : Math.sign(turn) * Math.round(Math.sqrt(Math.abs(turn)) * 4.733);
    const atLeast = turnAtLeast && Math.abs(turn!) === 10;
    more.turnField = atLeast ? Math.sign(turn!) * 127 : field + 0;
    const text = turn === null ? 'n/a' : turn.toFixed(2);
    more.turnText = atLeast ? (turn! > 0 ? 'fastright' : 'fastleft') : text;
  }
  if (message.type === 4 || message.type === 11) {
    more.timestamp = message.timeUs === null ? null : new Date(message.timeUs / 1000).toISOString().replace('.000', '');
  }
  if (message.type === 5) {
    const { month, day, hour, minute } = message.eta ?? { month: 0, day: 0, hour: 24, minute: 60 };
    more.etaText = `${two(month, 0)}-${two(day, 0)}T${two(hour, 24)}:${two(minute, 60)}Z`;
  }
  if ('vendor' in message) {
    const rest = message.model * 2 ** 20 + message.serial;
    const letters = [18, 12, 6, 0].map((shift) => Math.floor(rest / 2 ** shift) % 64);
    const text = letters.map((value) => String.fromCharCode(value < 32 ? value + 64 : value)).join('');
    more.vendorField = ((message.vendor ?? '').padEnd(3, '@') + text).split('@')[0]!.trimEnd();
  }
  if ('data' in message) more.hex = `${message.dataBits}:${hex(message.data)}`;
  if (message.type === 25 || message.type === 26) {
    more.addressed = message.destination !== null;
    more.structured = message.dac !== null;
    more.appId = message.dac === null ? 0 : message.dac * 64 + message.fi!;
  }
  if (message.type === 15) {
    const [first, ...others] = message.requests;
    const second = others.find(({ mmsi }) => mmsi === first!.mmsi);
    const other = others.find(({ mmsi }) => mmsi !== first!.mmsi);
    more.slots = {
      mmsi1: first!.mmsi,
      type1_1: first!.messageType,
      offset1_1: first!.slotOffset,
      type1_2: second?.messageType ?? 0,
      offset1_2: second?.slotOffset ?? 0,
      mmsi2: other?.mmsi ?? 0,
      type2_1: other?.messageType ?? 0,
      offset2_1: other?.slotOffset ?? 0,
    };
  }
  return { ...message, ...more };
}
