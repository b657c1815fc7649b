import { COUNTRY_OF_MID } from './countries.ts';

const FIX_TYPES: readonly string[] = [
  'Undefined',
  'GPS',
  'GLONASS',
  'GPS + GLONASS',
  'Loran-C',
  'Chayka',
  'Integrated',
  'Surveyed',
  'Galileo',
];

/** Type of electronic position fixing device, 0 to 15 (ITU-R M.1371-5, Annex 8, table 52). */
export const fixTypeName = (fixType: number): string => (fixType === 15 ? 'N/A' : (FIX_TYPES[fixType] ?? 'Unknown'));

const STATUSES: readonly string[] = [
  'Under way using engine',
  'At anchor',
  'Not under command',
  'Restricted manoeuvrability',
  'Constrained by her draught',
  'Moored',
  'Aground',
  'Engaged in fishing',
  'Under way sailing',
  'Reserved for dangerous goods, high-speed craft',
  'Reserved for dangerous goods, wing in ground',
  'Power-driven vessel towing astern',
  'Power-driven vessel pushing ahead or towing alongside',
  'Reserved',
  'AIS-SART, MOB or EPIRB active',
];

/** Returns the name of a navigational status (M.1371-5, Annex 8, table 48). */
export const statusName = (status: number | null): string =>
  status === null ? 'Not defined' : (STATUSES[status] ?? 'Not defined');

/** Ship types that have an individual name; others are named by their tens digit. */
const SHIP_TYPES: Readonly<Record<number, string>> = {
  30: 'Fishing',
  31: 'Towing',
  32: 'Towing, long or broad',
  33: 'Dredging or underwater operations',
  34: 'Diving operations',
  35: 'Military operations',
  36: 'Sailing',
  37: 'Pleasure craft',
  50: 'Pilot vessel',
  51: 'Search and rescue',
  52: 'Tug',
  53: 'Port tender',
  54: 'Anti-pollution',
  55: 'Law enforcement',
  56: 'Local vessel',
  57: 'Local vessel',
  58: 'Medical transport',
  59: 'Not party to an armed conflict',
};

const SHIP_TENS: Readonly<Record<number, string>> = {
  2: 'Wing in ground',
  4: 'High-speed craft',
  6: 'Passenger',
  7: 'Cargo',
  8: 'Tanker',
  9: 'Other',
};

const HAZARD_CATEGORIES: Readonly<Record<number, string>> = { 1: 'X', 2: 'Y', 3: 'Z', 4: 'OS' };

/** Returns the type of ship and cargo, 0 to 255 (M.1371-5, Annex 8, table 53). */
export function shipTypeName(shipType: number | null): string {
  if (shipType === null || shipType === 0) return 'Not available';
  const single = SHIP_TYPES[shipType];
  if (single !== undefined) return single;
  const name = SHIP_TENS[Math.floor(shipType / 10)];
  if (name === undefined) return shipType < 100 ? 'Reserved' : shipType < 200 ? 'Regional use' : 'Reserved';
  const cargo = shipType % 10;
  const category = HAZARD_CATEGORIES[cargo];
  return category === undefined ? name : `${name}, hazardous category ${category}`;
}

export const SHIP_TYPE_GROUPS = [
  'cargo',
  'tanker',
  'passenger',
  'highSpeed',
  'fishing',
  'sailing',
  'pleasure',
  'service',
  'law',
  'military',
  'sar',
  'other',
  'unknown',
] as const;
/** Groups of ship types that a map distinguishes. */
export type ShipTypeGroup = (typeof SHIP_TYPE_GROUPS)[number];

const GROUPS: Readonly<Record<number, ShipTypeGroup>> = {
  30: 'fishing',
  35: 'military',
  36: 'sailing',
  37: 'pleasure',
  51: 'sar',
  55: 'law',
  58: 'sar',
  2: 'highSpeed',
  4: 'highSpeed',
  6: 'passenger',
  7: 'cargo',
  8: 'tanker',
  9: 'other',
};

export function shipTypeGroup(shipType: number | null): ShipTypeGroup {
  if (shipType === null || shipType < 20) return 'unknown';
  const tens = Math.floor(shipType / 10);
  return (
    (shipType >= 30 ? GROUPS[shipType] : undefined) ?? GROUPS[tens] ?? (tens === 3 || tens === 5 ? 'service' : 'other')
  );
}

const AID_TYPES: readonly string[] = [
  'Not specified',
  'Reference point',
  'Racon',
  'Fixed structure off shore',
  'Emergency wreck marking buoy',
  'Light, without sectors',
  'Light, with sectors',
  'Leading light, front',
  'Leading light, rear',
  'Beacon, cardinal N',
  'Beacon, cardinal E',
  'Beacon, cardinal S',
  'Beacon, cardinal W',
  'Beacon, port hand',
  'Beacon, starboard hand',
  'Beacon, preferred channel port hand',
  'Beacon, preferred channel starboard hand',
  'Beacon, isolated danger',
  'Beacon, safe water',
  'Beacon, special mark',
  'Cardinal mark N',
  'Cardinal mark E',
  'Cardinal mark S',
  'Cardinal mark W',
  'Port hand mark',
  'Starboard hand mark',
  'Preferred channel port hand',
  'Preferred channel starboard hand',
  'Isolated danger',
  'Safe water',
  'Special mark',
  'Light vessel, LANBY or rig',
];

/** Returns the type of an aid to navigation, 0 to 31 (M.1371-5, Annex 8, table 74). */
export const aidTypeName = (aidType: number | null): string => AID_TYPES[aidType ?? 0] ?? 'Not specified';

export type TargetKind =
  | 'shipA'
  | 'shipB'
  | 'base'
  | 'aton'
  | 'sarAircraft'
  | 'sart'
  | 'mob'
  | 'epirb'
  | 'auxiliary'
  | 'handheld';

const SPECIAL_MID: Readonly<Record<number, TargetKind>> = { 111: 'sarAircraft', 970: 'sart', 972: 'mob', 974: 'epirb' };
const CLASS_B_TYPES: ReadonlySet<number> = new Set([18, 19, 24]);

/**
 * Returns the kind of a station, by the form of its MMSI (ITU-R M.585), else by the type of one of its messages.
 *
 * @param type type of one of its messages: 18, 19 and 24 are class B, 4 a base station, 9 an aircraft, 21 an aid to
 * navigation
 */
export function targetKind(mmsi: number, type?: number): TargetKind {
  const special = SPECIAL_MID[Math.floor(mmsi / 1_000_000)];
  if (special !== undefined) return special;
  if (type === 21) return 'aton';
  if (type === 9) return 'sarAircraft';
  if (type === 4 || mmsi < 10_000_000) return 'base';
  const twoDigitPrefix = Math.floor(mmsi / 10_000_000);
  if (twoDigitPrefix === 99) return 'aton';
  if (twoDigitPrefix === 98) return 'auxiliary';
  if (mmsi >= 800_000_000 && mmsi < 900_000_000) return 'handheld';
  return type !== undefined && CLASS_B_TYPES.has(type) ? 'shipB' : 'shipA';
}

/** Returns the three country digits of an MMSI of any form, or null. */
function midOf(mmsi: number): number | null {
  if (!Number.isInteger(mmsi) || mmsi < 0 || mmsi > 999_999_999) return null;
  const threeDigitPrefix = Math.floor(mmsi / 1_000_000);
  if (mmsi < 10_000_000) return Math.floor(mmsi / 10_000);
  if (mmsi < 100_000_000) return Math.floor(mmsi / 100_000);
  if (threeDigitPrefix === 111) return Math.floor(mmsi / 1000) % 1000;
  if (threeDigitPrefix >= 980) return Math.floor(mmsi / 10_000) % 1000;
  if (threeDigitPrefix >= 800 && threeDigitPrefix < 900) return Math.floor(mmsi / 100_000) % 1000;
  return threeDigitPrefix >= 200 && threeDigitPrefix < 800 ? threeDigitPrefix : null;
}

/** @property code ISO 3166-1 code of two letters */
export type Country = { mid: number; code: string; name: string };

/**
 * Returns the country of an MMSI by its maritime identification digits (ITU Radio Regulations, Appendix 43); null if it
 * has none.
 */
export function countryOfMmsi(mmsi: number): Country | null {
  const mid = midOf(mmsi);
  const country = mid === null ? undefined : COUNTRY_OF_MID.get(mid);
  return country === undefined ? null : { mid: mid!, code: country.code, name: country.name };
}

/** Whether an MMSI has one of the forms of ITU-R M.585. */
export function isMmsi(mmsi: number): boolean {
  const threeDigitPrefix = Math.floor(mmsi / 1_000_000);
  return (
    threeDigitPrefix === 970 || threeDigitPrefix === 972 || threeDigitPrefix === 974 || countryOfMmsi(mmsi) !== null
  );
}
