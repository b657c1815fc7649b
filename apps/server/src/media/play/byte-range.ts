import { AppError } from '@osprey/contract';

/** Bytes requested by a Range header: everything, or one half-open range. */
export type AskedBytes = { start: number; end: number; isPart: boolean };

const HEADER_MAX = 200;

/**
 * Parses a Range header (RFC 9110, section 14.2) for bytes. An unknown kind of header is ignored, as the standard
 * requires; more than one range is refused.
 *
 * @throws AppError rangeNotSatisfiable
 */
export function askedBytes(header: string | undefined, sizeBytes: number): AskedBytes {
  const complete = { start: 0, end: sizeBytes, isPart: false };
  if (header === undefined || !/^bytes=/i.test(header)) return complete;
  const asked = header.slice('bytes='.length);
  if (header.length > HEADER_MAX || asked.includes(',')) throw new AppError('rangeNotSatisfiable');
  const match = /^\s*(\d{0,16})\s*-\s*(\d{0,16})\s*$/.exec(asked);
  if (!match || (match[1] === '' && match[2] === '')) return complete;
  const [first, last] = [match[1] ?? '', match[2] ?? ''];
  if (first === '') return suffix(Number(last), sizeBytes);
  const start = Number(first);
  const end = last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes);
  if (last !== '' && Number(last) < start) return complete;
  if (start >= sizeBytes) throw new AppError('rangeNotSatisfiable');
  return { start, end, isPart: true };
}

/** Handles `bytes=-500`, which requests the last 500 bytes. */
function suffix(length: number, sizeBytes: number): AskedBytes {
  if (length === 0 || sizeBytes === 0) throw new AppError('rangeNotSatisfiable');
  return { start: Math.max(0, sizeBytes - length), end: sizeBytes, isPart: true };
}
