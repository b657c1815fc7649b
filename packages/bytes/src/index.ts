export { BitReader } from './bit-reader.ts';
export { FormatError } from './format-error.ts';
