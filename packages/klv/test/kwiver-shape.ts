import type { Value } from '../src/index.ts';

/** One item of the JSON output in which KWIVER lists the values of a set. */
type KwiverItem = { key: { integer: number; string: string }; value: unknown };
export type KwiverPacket = { key: { string: string }; value: KwiverItem[] };

type Fields = Record<string, unknown>;

/** Sets whose items this decoder leaves as bytes. */
const UNNAMED = new Set([95, 97, 98, 99]);

const number = (value: unknown): Value => {
  if (typeof value === 'number') return value;
  const fields = asFields(value);
  if (typeof fields.value === 'number') return fields.value;
  return typeof fields.integer === 'number' ? fields.integer : null;
};

const uuid = (value: unknown): Value =>
  value === null
    ? null
    : String(asFields(value).hex)
        .replaceAll('-', '')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const bits = (value: unknown): Value => asList(value).reduce<number>((sum, bit) => sum + 2 ** Number(number(bit)), 0);

const miis = (value: unknown): Value => {
  const id = asFields(value);
  return {
    version: number(id.version),
    sensorKind: number(id['sensor-id-type']),
    platformKind: number(id['platform-id-type']),
    sensorId: uuid(id['sensor-id']),
    platformId: uuid(id['platform-id']),
    windowId: uuid(id['window-id']),
    minorId: uuid(id['minor-id']),
  };
};

const place = (value: unknown): Value => {
  if (value === null) return null;
  const { latitude, longitude, altitude } = asFields(value);
  return { latitude: number(latitude), longitude: number(longitude), height: number(altitude) };
};

const velocity = (value: unknown): Value => {
  const { east, north, up } = asFields(value);
  return { east: number(east), north: number(north), up: number(up) };
};

const sets = (value: unknown, read: (set: unknown) => Value): Value =>
  value === null ? null : asList(value).map(read);

const axis = (value: unknown): Value => {
  if (value === null) return null;
  const { start, range } = asFields(value);
  return { start: number(start), range: number(range) };
};

const weapon = (value: unknown): Value => {
  const store = asFields(value);
  return {
    station: number(store['station-id']),
    hardpoint: number(store['hardpoint-id']),
    carriage: number(store['carriage-id']),
    store: number(store['store-id']),
    status: number(store['general-status']),
    engagement: bits(store['engagement-status']),
    type: String(store['weapon-type']),
  };
};

const waypoint = (value: unknown): Value => {
  const { id, order, info, location } = asFields(value);
  return { id: number(id), order: number(order), info: bits(info), location: place(location) };
};

const countries = (value: unknown): Value => {
  const codes = asFields(value);
  const code = (name: string) => (codes[name] === null ? null : String(codes[name]));
  return {
    codingMethod: number(codes['coding-method']),
    overflight: code('overflight-country'),
    operator: code('operator-country'),
    manufacture: code('country-of-manufacture'),
  };
};

const payload = (value: unknown): Value => {
  const { id, type, name } = asFields(value);
  return { id: number(id), type: number(type), name: String(name) };
};

const wavelength = (value: unknown): Value => {
  const { id, min, max, name } = asFields(value);
  return { id: number(id), min: number(min), max: number(max), name: String(name) };
};

const command = (value: unknown): Value => {
  const { id, string, timestamp } = asFields(value);
  return { id: number(id), command: String(string), timeUs: number(timestamp) };
};

/** Converters for values that are not plain numbers or texts, keyed by the path of tags that leads to them. */
const byPath: Readonly<Record<string, (value: unknown) => Value>> = {
  '47': bits,
  // KWIVER decodes this UTF-16 text byte by byte.
  '48.13': (value) => String(value).replaceAll('\0', ''),
  '73.11.1': (value) => {
    const { type, id } = asFields(value);
    return Number(number(type)) * 64 + Number(number(id));
  },
  '73.11.2': (value) => new Uint8Array(Buffer.from(String(value), 'base64')),
  '74.13': miis,
  '74.101': (value) =>
    sets(value, (target) => ({ id: number(asFields(target).id), ...items(asFields(target).set, '74.101') })),
  '74.101.17': (value) => (value === null ? null : place(value)),
  '74.101.21': (value) => ({ row: number(asFields(value).row), column: number(asFields(value).column) }),
  '74.101.101.1': (value) => asList(value).map(number),
  '74.101.101.2': (value) =>
    asList(value).map((run) => ({ pixel: number(asFields(run).index), length: number(asFields(run).length) })),
  '74.101.104.1': uuid,
  '74.101.104.9': (value) => asList(value).map(place),
  '74.101.104.10': velocity,
  '74.101.104.11': velocity,
  '74.101.106': (value) => sets(value, (set) => items(set, '74.101.106')),
  '74.102': (value) => sets(value, (set) => items(set, '74.102')),
  '74.103': (value) => sets(value, (set) => items(set, '74.103')),
  '81': (value) => value as Value,
  '94': miis,
  '115': command,
  '116': (value) => asList(value).map(number),
  '121': (value) => asList(value).map(number),
  '122': countries,
  '124': bits,
  '127': (value) => value as Value,
  '128': (value) => sets(value, wavelength),
  '130': (value) => ({
    takeOff: place(asFields(value)['take-off-location']),
    recovery: place(asFields(value)['recovery-location']),
  }),
  '138': (value) => sets(value, payload),
  '139': (value) => asList(value).map(number),
  '140': (value) => sets(value, weapon),
  '141': (value) => sets(value, waypoint),
  '142': (value) => {
    const { azimuth, elevation, roll } = asFields(value);
    return { azimuth: axis(azimuth), elevation: axis(elevation), roll: axis(roll) };
  },
};

/**
 * Converts a set from KWIVER's output into the form that `decodePacket` returns. Items that this decoder leaves as
 * bytes are omitted.
 */
export function items(set: unknown, path = ''): { [tag: string]: Value } {
  const values: { [tag: string]: Value } = {};
  for (const { key, value } of set as KwiverItem[]) {
    const here = path === '' ? `${key.integer}` : `${path}.${key.integer}`;
    if (isComparable(here, key.integer, path)) values[key.integer] = read(here, value);
  }
  return values;
}

/**
 * False for items that this decoder leaves as bytes while KWIVER returns objects: nested sets without a known format,
 * SDCC packs, embedded pictures.
 */
function isComparable(here: string, tag: number, path: string): boolean {
  const isUnnamed = path === '' && (UNNAMED.has(tag) || tag === 101 || tag === 102);
  return !isUnnamed && here !== '74.101.105.3';
}

function read(path: string, value: unknown): Value {
  if (value === null) return null;
  const known = byPath[path];
  if (known !== undefined) return known(value);
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? items(value, path) : number(value);
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
