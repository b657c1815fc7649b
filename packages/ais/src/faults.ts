/** Kinds of faults, as they are counted. */
export const AIS_FAULT_KINDS = [
  /** A line over 2,048 bytes, or as many as are read: dropped. */
  'lineTooLong',
  /** The checksum of a sentence is wrong: dropped. */
  'checksum',
  /** A sentence without checksum: used. */
  'noChecksum',
  /** A tag block that cannot be read, or with a wrong checksum: its sentence is used without it. */
  'tagBlock',
  /** A time of a tag block that occurs twice, is no number, or is before 1990 or after 2099: not used. */
  'tagTime',
  /** A sentence with fields that are missing or impossible: dropped. */
  'form',
  /** Characters outside the six-bit armour, or more of them than a message has: dropped. */
  'sixBit',
  /** A part whose first part never came: dropped. */
  'orphanPart',
  /** A first part whose others never came: dropped. */
  'unfinished',
  /** A message with fewer bits than its type needs: dropped. */
  'tooShort',
  /** A type other than 1 to 27: dropped. */
  'unknownType',
  /** A date next to a sentence that may be one of two days, such as 04/03/2026: not used. */
  'ambiguousDate',
  /** A line of JSON as gpsd writes it, without its sentence. */
  'gpsd',
  /** A line of an NMEA 2000 dump: see `NMEA2000_TEXT`. */
  'nmea2000',
] as const;
export type AisFaultKind = (typeof AIS_FAULT_KINDS)[number];

/** @property offset byte since the first push at which the sentence or line begins */
export type AisFault = { kind: AisFaultKind; offset: number };

/** Message to a person who adds an NMEA 2000 dump. */
export const NMEA2000_TEXT =
  'This is a dump of NMEA 2000 (CAN bus). Convert it to NMEA 0183 sentences (!AIVDM) and add it again.';
