type Read = (message: DataView, start: number) => number | null;

/** Functions that read the numbers of a message, by field name; `name[0]` etc. for array elements. */
export type UlogFields = ReadonlyMap<string, Read>;

type NumberType = readonly [bytes: number, read: (view: DataView, at: number) => number];

const NUMBERS: Record<string, NumberType> = {
  int8_t: [1, (view, at) => view.getInt8(at)],
  uint8_t: [1, (view, at) => view.getUint8(at)],
  bool: [1, (view, at) => view.getUint8(at)],
  char: [1, (view, at) => view.getUint8(at)],
  int16_t: [2, (view, at) => view.getInt16(at, true)],
  uint16_t: [2, (view, at) => view.getUint16(at, true)],
  int32_t: [4, (view, at) => view.getInt32(at, true)],
  uint32_t: [4, (view, at) => view.getUint32(at, true)],
  float: [4, (view, at) => view.getFloat32(at, true)],
  int64_t: [8, (view, at) => Number(view.getBigInt64(at, true))],
  uint64_t: [8, (view, at) => Number(view.getBigUint64(at, true))],
  double: [8, (view, at) => view.getFloat64(at, true)],
};

const FORMATS_MAX = 4096;
const FORMAT_TEXT_MAX = 8192;
const RETAINED_ARRAY = 16;
const MESSAGE_MAX = 65_535;
const FIELD = /^([\w/]{1,128})(?:\[(\d{1,5})\])? (\w{1,128})$/;

/** Parses the message formats in a PX4 log: `name:type field;type[count] field;`. */
export function createUlogFormats() {
  const texts = new Map<string, string>();

  return {
    add(text: string): void {
      const colon = text.indexOf(':');
      if (colon < 1 || text.length > FORMAT_TEXT_MAX || texts.size >= FORMATS_MAX) return;
      texts.set(text.slice(0, colon), text.slice(colon + 1));
    },
    /** Returns the fields up to the first whose type is not a number; all needed fields come before nested messages. */
    fieldsOf(name: string): UlogFields {
      const fields = new Map<string, Read>();
      let at = 0;
      for (const text of texts.get(name)?.split(';') ?? []) {
        const [, type = '', count, field = ''] = FIELD.exec(text) ?? [];
        const number = NUMBERS[type];
        if (number === undefined) break;
        const [bytes, read] = number;
        const repeat = count === undefined ? 1 : Number(count);
        for (let index = 0; index < Math.min(repeat, RETAINED_ARRAY); index += 1) {
          const offset = at + bytes * index;
          const key = count === undefined ? field : `${field}[${index}]`;
          // Padding at the end of a message may be omitted, so the presence of each field is checked separately.
          fields.set(key, (message, start) =>
            start + offset + bytes <= message.byteLength ? read(message, start + offset) : null,
          );
        }
        at += bytes * repeat;
        if (at > MESSAGE_MAX) break;
      }
      return fields;
    },
  };
}
