/** Data format of an item of a universal set. */
export type UniversalFormat =
  | 'utf8'
  | 'utf16'
  | 'bytes'
  | 'uint'
  | 'float'
  | 'latitude'
  | 'longitude'
  | 'dateTime'
  | 'classification'
  | 'security'
  | 'universalSecurity';

/** One item of a universal set: the equivalent tag of a local set (null if there is none), and its format. */
export type UniversalItem = { tag: number | null; name: string; format: UniversalFormat };

type Row = readonly [key: string, tag: number | null, name: string, format: UniversalFormat];

/** First bytes of the universal key of every single item; the next byte is the version of the registry. */
const ITEM_PREFIX = '060e2b34010101';
const ANY_VERSION = '00';

/** Tag under which the security markings of a set are returned; same as in ST 0601. */
export const SECURITY_TAG = 48;

/** Returns the items keyed by universal key, with the version byte set to 00. */
export function universalItems(rows: readonly Row[]): ReadonlyMap<string, UniversalItem> {
  return new Map(rows.map(([key, tag, name, format]) => [ITEM_PREFIX + ANY_VERSION + key, { tag, name, format }]));
}

const rows: readonly Row[] = [
  ['0702010101050000', 2, 'User Defined Time Stamp', 'uint'],
  ['0105050000000000', 3, 'Episode Number', 'utf8'],
  ['0701100106000000', 5, 'Platform Heading Angle', 'float'],
  ['0701100105000000', 6, 'Platform Pitch Angle', 'float'],
  ['0701100104000000', 7, 'Platform Roll Angle', 'float'],
  ['0101200100000000', 10, 'Device Designation', 'utf8'],
  ['0420010201010000', 11, 'Image Source Device', 'utf8'],
  ['0701010100000000', 12, 'Image Coordinate System', 'utf8'],
  ['0701020102040200', 13, 'Device Latitude', 'latitude'],
  ['0701020102060200', 14, 'Device Longitude', 'longitude'],
  ['0701020102020000', 15, 'Device Altitude', 'float'],
  ['0420020101080000', 16, 'Field of View (Horizontal)', 'float'],
  ['04200201010a0100', 17, 'Field of View (Vertical)', 'float'],
  ['0701080101000000', 21, 'Slant Range', 'float'],
  ['0701090201000000', 22, 'Target Width', 'float'],
  ['0701020103020000', 23, 'Frame Center Latitude', 'latitude'],
  ['0701020103040000', 24, 'Frame Center Longitude', 'longitude'],
  ['0701020103160000', 25, 'Frame Center Elevation', 'float'],
  ['0702010207010000', 72, 'Event Start Date Time', 'dateTime'],
  ['0701020103070100', 82, 'Corner Latitude Point 1', 'latitude'],
  ['07010201030b0100', 83, 'Corner Longitude Point 1', 'longitude'],
  ['0701020103080100', 84, 'Corner Latitude Point 2', 'latitude'],
  ['07010201030c0100', 85, 'Corner Longitude Point 2', 'longitude'],
  ['0701020103090100', 86, 'Corner Latitude Point 3', 'latitude'],
  ['07010201030d0100', 87, 'Corner Longitude Point 3', 'longitude'],
  ['07010201030a0100', 88, 'Corner Latitude Point 4', 'latitude'],
  ['07010201030e0100', 89, 'Corner Longitude Point 4', 'longitude'],
  // The remaining items have no exact equivalent in ST 0601, whose angles are relative to the platform.
  ['0702010201010000', null, 'Start Date Time', 'dateTime'],
  ['0701100101000000', null, 'Sensor Roll Angle', 'float'],
  ['0701100102000000', null, 'Angle to North', 'float'],
  ['0701100103000000', null, 'Obliquity Angle', 'float'],
];

/** Items of an EG 0104.5 Predator UAV Basic Universal Metadata Set. */
export const eg0104Items: ReadonlyMap<string, UniversalItem> = new Map([
  ...universalItems(rows),
  // The security set is nested as an item whose key is that of the whole set.
  ['060e2b34020301000e01030302000000', { tag: SECURITY_TAG, name: 'Security Local Set', format: 'security' }],
  ['060e2b34020101000208020000000000', { tag: SECURITY_TAG, name: 'Security Set', format: 'universalSecurity' }],
]);
