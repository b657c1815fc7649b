import { ByteWriter } from './byte-writer.ts';
import { expectObject, numberOf } from './encode-set.ts';
import type { Value } from './value.ts';

/** Encodes an ST 1204 core identifier from the form that `decodePacket` returns. */
export function encodeMiisId(value: Value): Uint8Array {
  const id = expectObject(value);
  const ids = [id.sensorId, id.platformId, id.windowId, id.minorId].map((text) => text ?? null);
  const usage =
    (numberOf(id, 'sensorKind', 0) << 5) |
    (numberOf(id, 'platformKind', 0) << 3) |
    (ids[2] === null ? 0 : 0x04) |
    (ids[3] === null ? 0 : 0x02);
  const writer = new ByteWriter().integer(numberOf(id, 'version', 1), 1).integer(usage, 1);
  for (const uuid of ids) if (uuid !== null && uuid !== undefined) writer.bytes(encodeUuid(uuid));
  return writer.finish();
}

/** Returns the 16 bytes of a UUID given as text. */
export function encodeUuid(value: Value): Uint8Array {
  const digits = typeof value === 'string' ? value.replaceAll('-', '') : '';
  if (!/^[0-9a-f]{32}$/i.test(digits)) throw new RangeError('A UUID is written from its text of 32 hex digits');
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
