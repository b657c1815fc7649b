const NC_DIMENSION = 10;
const NC_VARIABLE = 11;
/** Size of a value in bytes, by type: byte, character, short, int, float, double. */
const SIZES = [0, 1, 1, 2, 4, 4, 8];
const SHORT = 3;
const INT = 4;

type Variable = { type: number; begin: number; count: number };

/**
 * Reads integer variables of a netCDF file in the classic format, CDF-1 or CDF-2
 * (https://docs.unidata.ucar.edu/netcdf-c/current/file_format_specifications.html). Record variables are not supported.
 *
 * @throws Error if the file has another format
 */
export function readNetcdf(bytes: Buffer): (name: string) => Int32Array {
  if (bytes.toString('latin1', 0, 3) !== 'CDF' || bytes[3]! > 2)
    throw new Error('It is no netCDF file of the classic format');
  const hasWideOffsets = bytes[3] === 2;
  let at = 8;
  const next = (): number => {
    at += 4;
    return bytes.readUInt32BE(at - 4);
  };
  const padded = (length: number) => Math.ceil(length / 4) * 4;
  const name = (): string => {
    const length = next();
    at += padded(length);
    return bytes.toString('latin1', at - padded(length), at - padded(length) + length);
  };
  /** Reads the number of entries in a list; an absent list has tag and length 0. */
  const list = (tag: number): number => {
    const found = next();
    const count = next();
    if (found !== tag && (found !== 0 || count !== 0)) throw new Error('A list of the netCDF file is broken');
    return count;
  };
  const skipAttributes = () => {
    next();
    for (let left = next(); left > 0; left -= 1) {
      name();
      const size = SIZES[next()] ?? 0;
      const count = next();
      at += padded(count * size);
    }
  };

  const lengths = Array.from({ length: list(NC_DIMENSION) }, () => {
    name();
    return next();
  });
  skipAttributes();
  const variables = new Map<string, Variable>();
  for (let left = list(NC_VARIABLE); left > 0; left -= 1) {
    const own = name();
    const count = Array.from({ length: next() }, next).reduce((product, id) => product * (lengths[id] ?? 0), 1);
    skipAttributes();
    const type = next();
    next();
    const begin = hasWideOffsets ? next() * 2 ** 32 + next() : next();
    variables.set(own, { type, begin, count });
  }

  return (requested) => {
    const found = variables.get(requested);
    if (found === undefined) throw new Error(`The netCDF file has no ${requested}`);
    const { type, begin, count } = found;
    const values = new Int32Array(count);
    for (let index = 0; index < count; index += 1)
      values[index] = valueAt(bytes, type, begin + index * (SIZES[type] ?? 0));
    return values;
  };
}

function valueAt(bytes: Buffer, type: number, at: number): number {
  if (type === SHORT) return bytes.readInt16BE(at);
  return type === INT ? bytes.readInt32BE(at) : bytes.readInt8(at);
}
