import { type UniversalItem, universalItems } from './eg0104.ts';

/** Items of the ST 0102 security universal set, with the equivalent tag of the local set. */
export const st0102UniversalItems: ReadonlyMap<string, UniversalItem> = universalItems([
  ['0208020100000000', 1, 'Security Classification', 'classification'],
  ['0701200102070000', 2, 'Country Coding Method of Classifying and Releasing', 'utf8'],
  ['0701200102080000', 3, 'Classifying Country', 'utf8'],
  ['0e01020302000000', 4, 'SCI/SHI Information', 'utf8'],
  ['0208020200000000', 5, 'Caveats', 'utf8'],
  ['0701200102090000', 6, 'Releasing Instructions', 'utf8'],
  ['0208020300000000', 7, 'Classified By', 'utf8'],
  ['0208020600000000', 8, 'Derived From', 'utf8'],
  ['0208020400000000', 9, 'Classification Reason', 'utf8'],
  ['0208020500000000', 10, 'Declassification Date', 'utf8'],
  ['0208020800000000', 11, 'Classification and Marking System', 'utf8'],
  ['0701200102060000', 12, 'Country Coding Method of Object Country Codes', 'utf8'],
  ['0701200102010100', 13, 'Object Country Codes', 'utf16'],
  // Same item with 7-bit characters (SMPTE RP 210), which some encoders write.
  ['0701200102010000', 13, 'Object Country Codes', 'utf16'],
  ['0208020700000000', 14, 'Classification Comments', 'utf8'],
  ['0103040200000000', 19, 'Stream ID', 'uint'],
  ['0103040300000000', 20, 'Transport Stream ID', 'uint'],
  ['0103060100000000', 21, 'Item Designator ID', 'bytes'],
  ['0e01020504000000', 22, 'Version', 'uint'],
  ['0e01040303000000', 23, 'Version Date of Classifying and Releasing Coding Method', 'utf8'],
  ['0e01040304000000', 24, 'Version Date of Object Country Coding Method', 'utf8'],
]);
