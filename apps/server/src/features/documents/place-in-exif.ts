/** A place on WGS 84, in degrees. */
export type Place = { lat: number; lon: number };

/** Types of TIFF 6.0 values, and their lengths in bytes. */
const BYTE = { code: 1, bytes: 1 };
const ASCII = { code: 2, bytes: 1 };
const LONG = { code: 4, bytes: 4 };
const RATIONAL = { code: 5, bytes: 8 };
type Type = typeof BYTE;
type Field = { tag: number; type: Type; count: number; value: Buffer };

const HEADER_BYTES = 8;
const GPS_INFO = 0x8825;
const SECOND_PARTS = 10_000;

/** Returns an EXIF block that contains only this place (EXIF 2.32, 4.6.6), as the content of its JPEG segment. */
export function exifOf({ lat, lon }: Place): Buffer {
  const header = Buffer.from('MM\0*\0\0\0\x08', 'latin1');
  const pointer = Buffer.alloc(4);
  const main = (value: Buffer) => directoryAt(HEADER_BYTES, [{ tag: GPS_INFO, type: LONG, count: 1, value }]);
  pointer.writeUInt32BE(HEADER_BYTES + main(pointer).length);
  const first = main(pointer);
  const place = directoryAt(HEADER_BYTES + first.length, [
    { tag: 0, type: BYTE, count: 4, value: Buffer.from([2, 3, 0, 0]) },
    text(1, lat < 0 ? 'S' : 'N'),
    angle(2, lat),
    text(3, lon < 0 ? 'W' : 'E'),
    angle(4, lon),
    text(18, 'WGS-84'),
  ]);
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), header, first, place]);
}

const text = (tag: number, words: string): Field => ({
  ...{ tag, type: ASCII, count: words.length + 1 },
  value: Buffer.from(`${words}\0`, 'latin1'),
});

/**
 * A field with an angle as degrees, minutes and seconds, each a fraction. The resolution of 0.0001 seconds is 3 mm on
 * the ground.
 */
function angle(tag: number, degrees: number): Field {
  const parts = Math.round(Math.abs(degrees) * 3600 * SECOND_PARTS);
  const value = Buffer.alloc(3 * RATIONAL.bytes);
  const [whole, minutes] = [Math.floor(parts / (3600 * SECOND_PARTS)), Math.floor(parts / (60 * SECOND_PARTS)) % 60];
  const numbers = [whole, 1, minutes, 1, parts % (60 * SECOND_PARTS), SECOND_PARTS];
  for (const [at, number] of numbers.entries()) value.writeUInt32BE(number, 4 * at);
  return { tag, type: RATIONAL, count: 3, value };
}

/**
 * Encodes a directory that begins at offset `start` of the TIFF, followed by the values that do not fit into its
 * fields.
 */
function directoryAt(start: number, fields: readonly Field[]): Buffer {
  const head = Buffer.alloc(2 + 12 * fields.length + 4);
  head.writeUInt16BE(fields.length, 0);
  const behind: Buffer[] = [];
  let at = start + head.length;
  for (const [index, { tag, type, count, value }] of fields.entries()) {
    const place = 2 + 12 * index;
    head.writeUInt16BE(tag, place);
    head.writeUInt16BE(type.code, place + 2);
    head.writeUInt32BE(count, place + 4);
    if (count * type.bytes <= 4) value.copy(head, place + 8);
    else {
      head.writeUInt32BE(at, place + 8);
      // Values must begin at even offsets.
      const padded = Buffer.concat([value, Buffer.alloc(value.length % 2)]);
      behind.push(padded);
      at += padded.length;
    }
  }
  return Buffer.concat([head, ...behind]);
}
