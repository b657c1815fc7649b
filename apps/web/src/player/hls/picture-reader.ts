/** Size of transport packets (ISO/IEC 13818-1, 2.4.3.2). */
const PACKET_SIZE = 188;
const SYNC_BYTE = 0x47;

/** stream_type of H.264 and H.265 (table 2-34), which hls.js accepts as video. */
const VIDEO_TYPES = [0x1b, 0x24];

/**
 * Number of bytes of a PES packet before those counted by its length field, and before its optional fields (2.4.3.6).
 */
const PES_PLAIN_HEAD = 6;
const PES_HEAD = 9;

/** A PES packet that is being read. */
type Picture = { ticks: number | null; saidBytes: number; sizeBytes: number };

/**
 * Creates a reader for one transport stream, given in pieces that each begin and end between two pictures. It returns
 * the PTS of each picture of a piece in byte order, as 33-bit ticks, and finds the same pictures as hls.js: those of
 * the first video of the first program. Pieces without tables belong to the video named by the last tables.
 */
export function pictureReader(): (piece: Uint8Array) => number[] {
  let mapPid = -1;
  let videoPid = -1;

  return function read(piece) {
    const found: number[] = [];
    let open: Picture | null = null;

    function close() {
      if (open === null || open.sizeBytes < open.saidBytes) return;
      // A picture without a timestamp is shown at that of the previous one.
      const ticks = open.ticks ?? found.at(-1);
      if (ticks !== undefined) found.push(ticks);
    }

    for (let packet = 0; packet + PACKET_SIZE <= piece.length; packet += PACKET_SIZE) {
      const begins = (piece[packet + 1]! & 0x40) !== 0;
      // Nearly all packets end here: they are only counted if the PES packet states its length.
      if (!begins && (open === null || open.saidBytes === 0)) continue;
      const end = packet + PACKET_SIZE;
      const at = payloadAt(piece, packet);
      if (piece[packet] !== SYNC_BYTE || at >= end) continue;
      const pid = pidAt(piece, packet + 1);
      if (pid === videoPid) {
        if (begins) {
          close();
          open = pictureAt(piece, at);
        }
        if (open) open.sizeBytes += end - at;
      } else if (!begins) continue;
      else if (pid === 0) mapPid = pidAt(piece, sectionAt(piece, at) + 10);
      else if (pid === mapPid) videoPid = videoOf(piece.subarray(sectionAt(piece, at), end)) ?? videoPid;
    }
    close();
    return found;
  };
}

const pidAt = (bytes: Uint8Array, at: number): number => ((bytes[at]! & 0x1f) << 8) | bytes[at + 1]!;

function payloadAt(bytes: Uint8Array, packet: number): number {
  const hasAdaptation = (bytes[packet + 3]! & 0x20) !== 0;
  return packet + 4 + (hasAdaptation ? 1 + bytes[packet + 4]! : 0);
}

/** Returns the position of the section, after the pointer field (2.4.4.1). */
const sectionAt = (bytes: Uint8Array, payload: number): number => payload + 1 + bytes[payload]!;

/** Returns the PID of the first video in a program map (2.4.4.8); null if it has none. */
function videoOf(map: Uint8Array): number | null {
  const length = (at: number) => ((map[at]! & 0x0f) << 8) | map[at + 1]!;
  const end = Math.min(map.length, 3 + length(1) - 4);
  for (let at = 12 + length(10); at + 5 <= end; at += 5 + length(at + 3)) {
    if (VIDEO_TYPES.includes(map[at]!)) return pidAt(map, at + 1);
  }
  return null;
}

function pictureAt(bytes: Uint8Array, at: number): Picture | null {
  if (bytes[at] !== 0 || bytes[at + 1] !== 0 || bytes[at + 2] !== 1) return null;
  const length = (bytes[at + 4]! << 8) | bytes[at + 5]!;
  const hasTime = (bytes[at + 7]! & 0x80) !== 0;
  return {
    ticks: hasTime ? timestampAt(bytes, at + PES_HEAD) : null,
    saidBytes: length === 0 ? 0 : PES_PLAIN_HEAD + length,
    sizeBytes: 0,
  };
}

/** Reads a timestamp of 33 bits in five bytes with marker bits in between (2.4.3.7). */
function timestampAt(bytes: Uint8Array, at: number): number {
  const high = (bytes[at]! >> 1) & 7;
  const middle = ((bytes[at + 1]! << 8) | bytes[at + 2]!) >> 1;
  const low = ((bytes[at + 3]! << 8) | bytes[at + 4]!) >> 1;
  return high * 2 ** 30 + middle * 2 ** 15 + low;
}
