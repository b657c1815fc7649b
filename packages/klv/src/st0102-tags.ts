import { composite, count, enumeration, paddedCount, type TagInfo, type TagRow, tagTable, utf8 } from './tag-info.ts';

/** Labels of ST 0102.12 tag 1, by value; 0 is not used. */
export const CLASSIFICATIONS = ['', 'UNCLASSIFIED', 'RESTRICTED', 'CONFIDENTIAL', 'SECRET', 'TOP SECRET'] as const;

/** ST 0102.12 tag 2: names of the code lists for the classifying country and for releasing instructions, by value. */
const CLASSIFYING_METHODS = [
  '',
  'ISO-3166 two letter',
  'ISO-3166 three letter',
  'FIPS 10-4 two letter',
  'FIPS 10-4 four letter',
  'ISO-3166 numeric',
  '1059 two letter',
  '1059 three letter',
  '',
  '',
  'FIPS 10-4 mixed',
  'ISO-3166 mixed',
  'STANAG 1059 mixed',
  'GENC two letter',
  'GENC three letter',
  'GENC numeric',
  'GENC mixed',
] as const;

/**
 * ST 0102.12 tag 12: names of the code lists for object countries, by value; the numbering differs from that of tag 2.
 */
const OBJECT_METHODS = [
  '',
  'ISO-3166 two letter',
  'ISO-3166 three letter',
  'ISO-3166 numeric',
  'FIPS 10-4 two letter',
  'FIPS 10-4 four letter',
  '1059 two letter',
  '1059 three letter',
  ...new Array<string>(5).fill(''),
  'GENC two letter',
  'GENC three letter',
  'GENC numeric',
  ...new Array<string>(48).fill(''),
  'GENC AdminSub',
] as const;

const BYTES = composite('bytes');

const rows: readonly TagRow[] = [
  [1, 'Security Classification', 'security', enumeration(CLASSIFICATIONS)],
  [2, 'Country Coding Method of Classifying and Releasing', 'security', enumeration(CLASSIFYING_METHODS)],
  [3, 'Classifying Country', 'security', utf8()],
  [4, 'SCI/SHI Information', 'security', utf8()],
  [5, 'Caveats', 'security', utf8()],
  [6, 'Releasing Instructions', 'security', utf8()],
  [7, 'Classified By', 'security', utf8()],
  [8, 'Derived From', 'security', utf8()],
  [9, 'Classification Reason', 'security', utf8()],
  [10, 'Declassification Date', 'security', utf8()],
  [11, 'Classification and Marking System', 'security', utf8()],
  [12, 'Country Coding Method of Object Country Codes', 'security', enumeration(OBJECT_METHODS)],
  [13, 'Object Country Codes', 'security', composite('pack')],
  [14, 'Classification Comments', 'security', utf8(480)],
  [15, 'UMID Video', 'security', BYTES],
  [16, 'UMID Audio', 'security', BYTES],
  [17, 'UMID Data', 'security', BYTES],
  [18, 'UMID System', 'security', BYTES],
  [19, 'Stream ID', 'security', count(1)],
  [20, 'Transport Stream ID', 'security', count(2)],
  [21, 'Item Designator ID', 'security', BYTES],
  [22, 'Version', 'security', paddedCount(2)],
  [23, 'Version Date of Classifying and Releasing Coding Method', 'security', utf8()],
  [24, 'Version Date of Object Country Coding Method', 'security', utf8()],
];

/** All items of the ST 0102.12 security set, by local tag. */
export const st0102Tags: ReadonlyMap<number, TagInfo> = tagTable(rows);
