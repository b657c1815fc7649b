const PREFIX_BYTES = 100;
const FIRST_RESERVED = 20;
const OLD_VERSIONS_BELOW = 6;
const NEWEST_VERSION = 20;

/**
 * Returns whether bytes begin a flight record of the DJI apps (`DJIFlightRecord_….txt`): the offset of its details in 8
 * bytes, their length in 2, a version, and from version 6 on 80 reserved bytes. Its records are scrambled, since
 * version 13 with a key that only DJI issues.
 */
export function isDjiFlightRecord(head: Uint8Array): boolean {
  if (head.byteLength < PREFIX_BYTES) return false;
  const view = new DataView(head.buffer, head.byteOffset, PREFIX_BYTES);
  const version = view.getUint8(10);
  if (view.getUint32(4, true) !== 0 || view.getUint32(0, true) < 12 || view.getUint16(8, true) === 0) return false;
  if (version === 0 || version > NEWEST_VERSION) return false;
  return version < OLD_VERSIONS_BELOW || head.subarray(FIRST_RESERVED, PREFIX_BYTES).every((byte) => byte === 0);
}
