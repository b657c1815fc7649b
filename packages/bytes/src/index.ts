export { BitReader } from './bit-reader.ts';
export { FormatError } from './format-error.ts';
export { isSame } from './is-same.ts';
