/** Transport packets (ISO/IEC 13818-1, 2.4.3.2). */
const PACKET_SIZE = 188;
const SYNC_BYTE = 0x47;

/** stream_type of H.264 and H.265 (table 2-34): what hls.js takes for video. */
const VIDEO_TYPES = [0x1b, 0x24];

/** Bytes of a PES packet before those that its length counts, and before its optional fields (2.4.3.6). */
const PES_PLAIN_HEAD = 6;
const PES_HEAD = 9;

/** A PES packet that is being read. */
type Picture = { ticks: number | null; saidBytes: number; sizeBytes: number };

/**
 * Makes a reader of one transport stream in pieces that each begin and end between two pictures. It answers the PTS of
 * each picture of a piece in the order of the bytes, 33-bit ticks, and finds the pictures that hls.js finds: those of
 * the first video of the first program. Pieces without tables are of the video that the last tables named.
 */
export function pictureReader(): (piece: Uint8Array) => number[] {
  let mapPid = -1;
  let videoPid = -1;

  return function read(piece) {
    const found: number[] = [];
    let open: Picture | null = null;

    function close() {
      if (open === null || open.sizeBytes < open.saidBytes) return;
      // Without a time of its own it is shown at that of the one before.
      const ticks = open.ticks ?? found.at(-1);
      if (ticks !== undefined) found.push(ticks);
    }

    for (let packet = 0; packet + PACKET_SIZE <= piece.length; packet += PACKET_SIZE) {
      const begins = (piece[packet + 1]! & 0x40) !== 0;
      // Nearly all packets: they are only counted, if the PES packet states its length.
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

/** After the pointer field (2.4.4.1). */
const sectionAt = (bytes: Uint8Array, payload: number): number => payload + 1 + bytes[payload]!;

/** PID of the first video in a program map (2.4.4.8); null where it names none. */
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

/** 33 bits in five bytes with marker bits between (2.4.3.7). */
function timestampAt(bytes: Uint8Array, at: number): number {
  const high = (bytes[at]! >> 1) & 7;
  const middle = ((bytes[at + 1]! << 8) | bytes[at + 2]!) >> 1;
  const low = ((bytes[at + 3]! << 8) | bytes[at + 4]!) >> 1;
  return high * 2 ** 30 + middle * 2 ** 15 + low;
}
