import type { StoredFile } from '../../../base/storage/storage.ts';
import { vint } from './vint.ts';

const ID = { segment: 0x18538067, cluster: 0x1f43b675, group: 0xa0, timestamp: 0xe7, simpleBlock: 0xa3, block: 0xa1 };
/**
 * Elements whose children are read in sequence, so that clusters of unknown size and truncated files need no special
 * handling.
 */
const ENTERED: readonly number[] = [ID.segment, ID.cluster, ID.group];
/** Number of bytes read for the header of a block; id, size and header are shorter. */
const HEAD_BYTES = 32;
const WINDOW_BYTES = 4096;
/** Flag bits of a block that contains several frames. */
const LACING = 0x06;

/** One frame of a track: the position of its bytes, and when it is shown, in seconds of the presentation. */
export type MatroskaFrame = { track: number; seconds: number; offset: number; sizeBytes: number };

type Requested = {
  tracks: ReadonlySet<number>;
  tickNs: number;
  /** Offset in the file at which reading ends; by default the end of the file. */
  untilByte?: number;
};

/** Yields the frames of these tracks in file order (RFC 9559, 10). Frames that share a block (lacing) are left out. */
export async function* matroskaFrames(source: StoredFile, requested: Requested): AsyncGenerator<MatroskaFrame> {
  const { tracks, tickNs, untilByte = source.sizeBytes } = requested;
  const window = reader(source);
  let clusterTicks = 0;
  for (let at = 0; at < untilByte; ) {
    const head = await window(at);
    const id = vint(head, 0, head.length, 4, true);
    const size = id && vint(head, id.length, head.length, 8, false);
    if (!id || !size || id.value === null) return;
    const bodyAt = id.length + size.length;
    if (ENTERED.includes(id.value)) {
      at += bodyAt;
      continue;
    }
    if (size.value === null) return;
    const end = at + bodyAt + size.value;
    if (id.value === ID.timestamp) clusterTicks = unsigned(head, bodyAt, size.value);
    if (id.value === ID.simpleBlock || id.value === ID.block) {
      const block = blockHead(head, bodyAt);
      if (block && tracks.has(block.track) && !block.isLaced && end <= source.sizeBytes) {
        const offset = at + block.end;
        const seconds = ((clusterTicks + block.ticks) * tickNs) / 1e9;
        if (offset <= end) yield { track: block.track, seconds, offset, sizeBytes: end - offset };
      }
    }
    at = end;
  }
}

function blockHead(bytes: Uint8Array, start: number) {
  const track = vint(bytes, start, bytes.length, 4, false);
  if (!track || track.value === null || start + track.length + 3 > bytes.length) return null;
  const at = start + track.length;
  const ticks = ((bytes[at]! << 24) >> 16) | bytes[at + 1]!;
  return { track: track.value, ticks, isLaced: (bytes[at + 2]! & LACING) !== 0, end: at + 3 };
}

function unsigned(bytes: Uint8Array, start: number, size: number): number {
  let value = 0;
  for (let at = start; at < Math.min(bytes.length, start + Math.min(size, 8)); at++) value = value * 256 + bytes[at]!;
  return value;
}

/**
 * Returns a function that reads the header at an offset (fewer bytes at the end of the file). Small blocks are read
 * together.
 */
function reader(source: StoredFile): (at: number) => Promise<Uint8Array> {
  const window = new Uint8Array(WINDOW_BYTES);
  let start = 0;
  let length = 0;
  return async (at) => {
    const isInside = at >= start && at + HEAD_BYTES <= start + length;
    if (!isInside) {
      start = at;
      length = await source.read(window, at);
    }
    return window.subarray(at - start, Math.min(length, at - start + HEAD_BYTES));
  };
}
