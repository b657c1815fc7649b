import {
  composite,
  count,
  enumeration,
  int,
  paddedCount,
  type TagInfo,
  type TagRow,
  tagTable,
  time,
  uint,
  utf8,
} from './tag-info.ts';

/** ST 0806.5: kind of a point or an area of interest, by value; 0 is not used. */
const INTEREST_TYPES = ['', 'Friendly', 'Hostile', 'Target', 'Unknown'] as const;

const LATITUDE = int({ bytes: 4, min: -90, max: 90, unit: '°' });
const LONGITUDE = int({ bytes: 4, min: -180, max: 180, unit: '°' });
const SET = composite('set');

/**
 * ST 0806.5 table 1: remote video terminal local set. Tags 14 to 17 are the position of the aircraft, 18 to 21 that of
 * the frame centre.
 */
const rvtRows: readonly TagRow[] = [
  [1, 'CRC-32', 'other', count(4)],
  [2, 'User Defined Time Stamp', 'time', time(1)],
  [3, 'Platform True Airspeed', 'platform', paddedCount(2, 'm/s')],
  [4, 'Platform Indicated Airspeed', 'platform', paddedCount(2, 'm/s')],
  [5, 'Telemetry Accuracy Indicator', 'other', composite('bytes')],
  [6, 'Frag Circle Radius', 'target', paddedCount(2, 'm')],
  [7, 'Frame Code', 'image', paddedCount(4)],
  [8, 'RVT LS Version Number', 'other', count(1)],
  // Bit rate of digital video in bits per second; for analogue video, the FM frequency in Hz.
  [9, 'Video Data Rate', 'image', paddedCount(4)],
  [10, 'Digital Video File Format', 'image', utf8()],
  [11, 'User Defined Local Set', 'other', SET],
  [12, 'Point of Interest Local Set', 'target', SET],
  [13, 'Area of Interest Local Set', 'target', SET],
  [14, 'MGRS Zone', 'platform', count(1)],
  [15, 'MGRS Latitude Band and Grid Square', 'platform', utf8(3)],
  [16, 'MGRS Easting', 'platform', paddedCount(3, 'm')],
  [17, 'MGRS Northing', 'platform', paddedCount(3, 'm')],
  [18, 'Frame Center MGRS Zone', 'image', count(1)],
  [19, 'Frame Center MGRS Latitude Band and Grid Square', 'image', utf8(3)],
  [20, 'Frame Center MGRS Easting', 'image', paddedCount(3, 'm')],
  [21, 'Frame Center MGRS Northing', 'image', paddedCount(3, 'm')],
];

/** ST 0806.5: user defined local set (RVT tag 11). The first two bits of its numeric id state the type of its data. */
const userRows: readonly TagRow[] = [
  [1, 'Numeric ID and Data Type', 'other', count(1)],
  [2, 'User Data', 'other', composite('bytes')],
];

/** ST 0806.5: point of interest local set (RVT tag 12). */
const pointRows: readonly TagRow[] = [
  [1, 'POI Number', 'target', paddedCount(2)],
  [2, 'POI Latitude', 'target', LATITUDE],
  [3, 'POI Longitude', 'target', LONGITUDE],
  [4, 'POI Altitude', 'target', uint({ bytes: 2, min: -900, max: 19000, unit: 'm' })],
  [5, 'POI Type', 'target', enumeration(INTEREST_TYPES)],
  [6, 'POI Text', 'target', utf8(2048)],
  [7, 'POI Source Icon', 'target', utf8()],
  [8, 'POI Source ID', 'target', utf8(255)],
  [9, 'POI Label', 'target', utf8(16)],
  [10, 'Operation ID', 'target', utf8()],
];

/** ST 0806.5: area of interest local set (RVT tag 13), given by two opposite corners. */
const areaRows: readonly TagRow[] = [
  [1, 'AOI Number', 'target', paddedCount(2)],
  [2, 'AOI Corner 1 Latitude', 'target', LATITUDE],
  [3, 'AOI Corner 1 Longitude', 'target', LONGITUDE],
  [4, 'AOI Corner 3 Latitude', 'target', LATITUDE],
  [5, 'AOI Corner 3 Longitude', 'target', LONGITUDE],
  [6, 'AOI Type', 'target', enumeration(INTEREST_TYPES)],
  [7, 'AOI Text', 'target', utf8(2048)],
  [8, 'AOI Source ID', 'target', utf8(255)],
  [9, 'AOI Label', 'target', utf8(16)],
  [10, 'Operation ID', 'target', utf8()],
];

/** Items of the RVT local set by tag. */
export const st0806Tags: ReadonlyMap<number, TagInfo> = tagTable(rvtRows);
/** Tags that may occur more than once: user defined sets, points and areas. */
export const RVT_REPEATABLE_TAGS: ReadonlySet<number> = new Set([11, 12, 13]);

export const rvtUserTags: ReadonlyMap<number, TagInfo> = tagTable(userRows);
/** Items of a point of interest by tag. */
export const rvtPointTags: ReadonlyMap<number, TagInfo> = tagTable(pointRows);
/** Items of an area of interest by tag. */
export const rvtAreaTags: ReadonlyMap<number, TagInfo> = tagTable(areaRows);
