/** Rows, and fields of each, that are read; a popup shows fewer. */
const ROWS_MAX = 100_000;
const FIELDS_MAX = 255;
const HEADER = 32;
const FIELDS_END = 0x0d;
const DELETED = 0x2a;

type Row = Record<string, string | number | boolean>;

/** The attributes of shapes, as dBASE III has them. Broken parts give fewer rows. */
export function readTable(bytes: Buffer, codePage: string | null): Row[] {
  if (bytes.length < HEADER) return [];
  const [count, headerBytes, rowBytes] = [bytes.readUInt32LE(4), bytes.readUInt16LE(8), bytes.readUInt16LE(10)];
  const decode = decoderOf(codePage, bytes);
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
  if (rowBytes < start) return rows;
  for (let row = 0; row < Math.min(count, ROWS_MAX); row += 1) {
    const from = headerBytes + row * rowBytes;
    if (from + rowBytes > bytes.length) break;
    // A deleted row keeps its place: rows are matched by their number.
    rows.push(bytes[from] === DELETED ? {} : readRow(from));
  }
  return rows;

  function readRow(from: number): Row {
    const entries = fields.flatMap(({ name, type, start: at, length }): [string, string | number | boolean][] => {
      const text = decode(bytes.subarray(from + at, from + at + length)).trim();
      if (name === '' || text === '' || name === '__proto__') return [];
      if (type === 'N' || type === 'F') return Number.isFinite(Number(text)) ? [[name, Number(text)]] : [];
      if (type === 'L') return /^[TtYy]$/.test(text) ? [[name, true]] : /^[FfNn]$/.test(text) ? [[name, false]] : [];
      return [[name, text]];
    });
    return Object.fromEntries(entries);
  }
}

/** The .cpg file names it; without one it is UTF-8 where the bytes are that, else windows-1252. */
function decoderOf(codePage: string | null, bytes: Buffer): (bytes: Uint8Array) => string {
  const label =
    codePage
      ?.trim()
      .replace(/^(?:cp|ansi ?)(\d+)$/i, 'windows-$1')
      .replace(/^(\d{4})$/, 'windows-$1') ?? '';
  try {
    const named = label === '' ? null : new TextDecoder(label);
    if (named) return (part) => named.decode(part);
  } catch {
    // An unknown code page is read as if there were none.
  }
  try {
    const strict = new TextDecoder('utf-8', { fatal: true });
    strict.decode(bytes.subarray(HEADER));
    return (part) => strict.decode(part);
  } catch {
    const old = new TextDecoder('windows-1252');
    return (part) => old.decode(part);
  }
}
