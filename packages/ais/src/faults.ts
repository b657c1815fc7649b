/** Kinds of faults that are counted. */
export const AIS_FAULT_KINDS = [
  /** A line longer than 2,048 bytes, or than `maxLineBytes`; it is dropped. */
  'lineTooLong',
  /** A sentence with a wrong checksum; it is dropped. */
  'checksum',
  /** A sentence without checksum; it is used. */
  'noChecksum',
  /** A tag block that cannot be read, or has a wrong checksum; its sentence is used without it. */
  'tagBlock',
  /** A time in a tag block that occurs twice, is no number, or is before 1990 or after 2099; it is not used. */
  'tagTime',
  /** A sentence with missing or impossible fields; it is dropped. */
  'form',
  /** Characters outside the six-bit armour, or more of them than a message can have; the sentence is dropped. */
  'sixBit',
  /** A part whose first part was never received; it is dropped. */
  'orphanPart',
  /** A first part whose other parts were never received; it is dropped. */
  'unfinished',
  /** A message with fewer bits than its type needs: dropped. */
  'tooShort',
  /** A message with a type other than 1 to 27; it is dropped. */
  'unknownType',
  /** An ambiguous date next to a sentence, such as 04/03/2026; it is not used. */
  'ambiguousDate',
  /** A line of JSON by gpsd, which lacks the sentence itself. */
  'gpsd',
  /** A line of an NMEA 2000 dump: see `NMEA2000_TEXT`. */
  'nmea2000',
] as const;
export type AisFaultKind = (typeof AIS_FAULT_KINDS)[number];

/** @property offset position at which the sentence or line begins, in bytes since the first push */
export type AisFault = { kind: AisFaultKind; offset: number };

/** Message for users who add an NMEA 2000 dump. */
export const NMEA2000_TEXT =
  'This is a dump of NMEA 2000 (CAN bus). Convert it to NMEA 0183 sentences (!AIVDM) and add it again.';
