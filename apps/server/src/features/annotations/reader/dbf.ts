import { codePage, type Decode, decodeShown } from '../../../base/formats/code-pages.ts';
import { numberOf } from '../../../base/formats/numbers.ts';

/** Maximum number of rows read, and of fields in each; a popup shows fewer. */
const ROWS_MAX = 100_000;
const FIELDS_MAX = 255;
const HEADER = 32;
const FIELDS_END = 0x0d;
const DELETED = 0x2a;
const LANGUAGE = 29;

/**
 * Code pages by byte 29 of the header, as numbered by dBASE and FoxPro. 57 hex stands for the unknown code page of the
 * writing machine.
 */
const LANGUAGES: Readonly<Record<number, string>> = {
  ...{ 1: '437', 2: '850', 3: '1252', 4: '10000', 8: '865', 9: '437', 10: '850', 11: '437' },
  ...{ 13: '437', 14: '850', 15: '437', 16: '850', 17: '437', 18: '850', 19: '932', 20: '850' },
  ...{ 21: '437', 22: '850', 23: '865', 24: '437', 25: '437', 26: '850', 27: '437', 28: '863' },
  ...{ 29: '850', 31: '852', 34: '852', 35: '852', 36: '860', 37: '850', 38: '866', 55: '850' },
  ...{ 64: '852', 77: '936', 78: '949', 79: '950', 80: '874', 88: '1252', 89: '1252', 100: '852' },
  ...{ 101: '866', 102: '865', 103: '861', 106: '737', 107: '857', 108: '863', 120: '950', 121: '949' },
  ...{ 122: '936', 123: '932', 124: '874', 125: '1255', 126: '1256', 134: '737', 135: '852', 136: '857' },
  ...{ 150: '10007', 200: '1250', 201: '1251', 202: '1254', 203: '1253', 204: '1257' },
};

type Row = Record<string, string | number | boolean>;
export type Table = {
  rows: Row[];
  /** Code page named in the .cpg file, if it is unknown. */
  unknownPage: string | null;
};

/** Reads the attributes of shapes from a dBASE III file. Damaged files yield fewer rows. */
export function readTable(bytes: Buffer, stated: string | null): Table {
  if (bytes.length < HEADER) return { rows: [], unknownPage: null };
  const [count, headerBytes, rowBytes] = [bytes.readUInt32LE(4), bytes.readUInt16LE(8), bytes.readUInt16LE(10)];
  const { decode, unknownPage } = decoderOf(stated, bytes[LANGUAGE]!);
  const fields: { name: string; type: string; start: number; length: number }[] = [];
  let start = 1;
  for (
    let at = HEADER;
    at + HEADER <= bytes.length && bytes[at] !== FIELDS_END && fields.length < FIELDS_MAX;
    at += HEADER
  ) {
    const nameEnd = bytes.subarray(at, at + 11).indexOf(0);
    const name = decode(bytes.subarray(at, at + (nameEnd < 0 ? 11 : nameEnd))).trim();
    const length = bytes[at + 16]!;
    fields.push({ name, type: String.fromCharCode(bytes[at + 11]!), start, length });
    start += length;
  }
  const rows: Row[] = [];
  if (rowBytes < start) return { rows, unknownPage };
  for (let row = 0; row < Math.min(count, ROWS_MAX); row += 1) {
    const from = headerBytes + row * rowBytes;
    if (from + rowBytes > bytes.length) break;
    // Deleted rows remain as empty ones, since rows are matched to shapes by their number.
    rows.push(bytes[from] === DELETED ? {} : readRow(from));
  }
  return { rows, unknownPage };

  function readRow(from: number): Row {
    const entries = fields.flatMap(({ name, type, start: at, length }): [string, string | number | boolean][] => {
      const text = decode(withoutEnd(bytes.subarray(from + at, from + at + length))).trim();
      if (name === '' || text === '' || name === '__proto__') return [];
      const number = type === 'N' || type === 'F' ? numberOf(text) : null;
      if (type === 'N' || type === 'F') return number === null ? [] : [[name, number]];
      if (type === 'L') return /^[TtYy]$/.test(text) ? [[name, true]] : /^[FfNn]$/.test(text) ? [[name, false]] : [];
      return [[name, text]];
    });
    return Object.fromEntries(entries);
  }
}

/** Some programs terminate a text with NUL instead of padding it with blanks. */
function withoutEnd(field: Uint8Array): Uint8Array {
  const end = field.indexOf(0);
  return end < 0 ? field : field.subarray(0, end);
}

type Decoding = { decode: (bytes: Uint8Array) => string; unknownPage: string | null };

/** Determines the decoder from the .cpg file, else from byte 29, else for each field from its bytes. */
function decoderOf(stated: string | null, language: number): Decoding {
  const name = (stated ?? '').replace(/[\0\ufeff]/g, '').trim();
  const byFile = name === '' ? null : pageOf(name);
  const byLanguage = LANGUAGES[language] === undefined ? null : codePage(LANGUAGES[language]);
  const decoder = byFile ?? byLanguage;
  return {
    decode: (bytes) => decoder?.(bytes) ?? decodeShown(bytes),
    unknownPage: name !== '' && byFile === null ? name.slice(0, 40) : null,
  };
}

/** `LDID/87` is the number of byte 29. */
function pageOf(name: string): Decode | null {
  const language = numberOf(/^LDID\/(\d{1,3})$/i.exec(name)?.[1]);
  if (language === null) return codePage(name);
  return LANGUAGES[language] === undefined ? decodeShown : codePage(LANGUAGES[language]);
}
