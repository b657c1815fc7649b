import { FormatError } from '@osprey/bytes';

/**
 * A value of AMF 0. Objects are represented as maps, so that names chosen by a sender cannot collide with properties of
 * JavaScript objects.
 */
export type AmfValue = number | boolean | string | null | AmfValue[] | Map<string, AmfValue>;

const MARKER = {
  number: 0,
  boolean: 1,
  string: 2,
  object: 3,
  null: 5,
  undefined: 6,
  ecmaArray: 8,
  objectEnd: 9,
  strictArray: 10,
  date: 11,
  longString: 12,
} as const;

/** Maximum nesting depth of objects; encoders need two levels. */
const DEPTH_MAX = 8;

/**
 * Reads all values of a command or data message.
 *
 * @throws FormatError when truncated, nested too deeply, or of a type that no encoder needs
 */
export function readAmf(bytes: Buffer): AmfValue[] {
  const values: AmfValue[] = [];
  let at = 0;

  function advance(size: number): number {
    if (at + size > bytes.length) throw new FormatError('An AMF value is cut', at);
    at += size;
    return at - size;
  }

  const text = (size: number) => bytes.toString('utf8', advance(size), at);
  const shortText = () => text(bytes.readUInt16BE(advance(2)));

  function members(depth: number): Map<string, AmfValue> {
    const found = new Map<string, AmfValue>();
    for (;;) {
      const name = shortText();
      if (name === '' && bytes[at] === MARKER.objectEnd) {
        at += 1;
        return found;
      }
      found.set(name, value(depth + 1));
    }
  }

  function list(depth: number): AmfValue[] {
    const found: AmfValue[] = [];
    // The announced count is not used to allocate memory: values are read one by one.
    for (let left = bytes.readUInt32BE(advance(4)); left > 0; left -= 1) found.push(value(depth + 1));
    return found;
  }

  function value(depth: number): AmfValue {
    if (depth > DEPTH_MAX) throw new FormatError('AMF values are nested too deeply', at);
    const marker = bytes[advance(1)];
    switch (marker) {
      case MARKER.number:
        return bytes.readDoubleBE(advance(8));
      case MARKER.boolean:
        return bytes[advance(1)] !== 0;
      case MARKER.string:
        return shortText();
      case MARKER.object:
        return members(depth);
      case MARKER.null:
      case MARKER.undefined:
        return null;
      case MARKER.ecmaArray:
        advance(4);
        return members(depth);
      case MARKER.strictArray:
        return list(depth);
      case MARKER.date:
        // A date consists of milliseconds and a time zone, which is always 0.
        return bytes.readDoubleBE(advance(10));
      case MARKER.longString:
        return text(bytes.readUInt32BE(advance(4)));
      default:
        throw new FormatError(`AMF type ${marker} is not taken`, at - 1);
    }
  }

  while (at < bytes.length) values.push(value(0));
  return values;
}

type Written = number | string | null | { readonly [name: string]: number | string };

/** Encodes values for a reply. */
export function writeAmf(values: readonly Written[]): Buffer {
  return Buffer.concat(values.map(written));
}

function written(value: Written): Buffer {
  if (value === null) return Buffer.of(MARKER.null);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9);
    bytes.writeDoubleBE(value, 1);
    return bytes;
  }
  if (typeof value === 'string') return Buffer.concat([Buffer.of(MARKER.string), named(value)]);
  const members = Object.entries(value).map(([name, member]) => Buffer.concat([named(name), written(member)]));
  return Buffer.concat([Buffer.of(MARKER.object), ...members, Buffer.of(0, 0, MARKER.objectEnd)]);
}

function named(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 0xff), bytes]);
}
