import { decodeSt0601Item, eachSecurityItem, encodeSt0601, isValues, packets } from '@osprey/klv';
import { createDemuxer, distance, openClip } from '@osprey/mpegts';
import type { Storage } from '../../base/storage/storage.ts';
import { createKlvRecords } from '../../media/index/klv-records.ts';
import { MARKED_EVERY_TICKS } from '../../media/index/mark-spans.ts';
import type { Piece } from './plan.ts';

/** Version of ST 0102 stated in the label's metadata. */
const ST0102_VERSION = 12;
/**
 * Maximum size of cuts inspected for a label, in bytes. Longer cuts always get a label stream, since reading them twice
 * is not worth avoiding a redundant one.
 */
const INSPECTED_BYTES_MAX = 256 * 1024 * 1024;

/** An ST 0601 set with its time and a security set, and nothing else (tags 2, 48 and the checksum). */
export const labelSet = (timeUs: number, rank: number): Uint8Array =>
  encodeSt0601({ 2: Math.max(0, timeUs), 48: { 1: rank, 22: ST0102_VERSION } });

/**
 * Whether the recording's own security sets state this label throughout the cut, and no other. The index knows it for
 * most recordings; the others are read.
 */
export async function saysLabel(storage: Pick<Storage, 'open'>, piece: Piece, rank: number): Promise<boolean> {
  if (piece.mark !== rank || piece.place.limit - piece.offset > INSPECTED_BYTES_MAX) return false;
  return piece.isMarked || readsLabel(storage, piece, rank);
}

/** Reads the cut to find out. */
export async function readsLabel(storage: Pick<Storage, 'open'>, piece: Piece, rank: number): Promise<boolean> {
  const source = await storage.open(piece.key);
  const records = createKlvRecords();
  const found = { saysOther: false, lastTicks: 0, longestTicks: 0, sets: 0 };
  try {
    const clip = await openClip({ source, ...piece });
    let startTicks: number | null = null;
    // Sets that are sent before the first picture have times of the same clock.
    const ticksInCut = (ticks: number) => (startTicks === null ? distance(ticks, clip.startPts) : ticks - startTicks);
    const demuxer = createDemuxer({
      accessUnit({ ptsTicks, pid }) {
        if (pid === clip.video.pid) startTicks ??= ptsTicks;
      },
      klv({ bytes, start, end, nearTicks }) {
        const ticks = nearTicks === null ? 0 : ticksInCut(nearTicks);
        for (const one of packets(bytes, start, end)) note(one.start, one.end, bytes, ticks);
      },
    });
    for await (const bytes of clip.packets()) {
      demuxer.push(bytes);
      if (found.saysOther) return false;
    }
    demuxer.end();
  } finally {
    await source.close();
  }
  const longest = Math.max(found.longestTicks, piece.lengthTicks - found.lastTicks);
  return !found.saysOther && found.sets > 0 && longest <= MARKED_EVERY_TICKS;

  function note(start: number, end: number, bytes: Uint8Array, ticks: number): void {
    try {
      const set = records.read(bytes, start, end);
      if (set === null || set.checksum === 'bad') return;
      if (isValues(set.security)) mark(set.security['1'], ticks);
      for (const item of set.items) {
        eachSecurityItem(bytes, item, (security) => {
          const values = decodeSt0601Item(bytes, security);
          if (isValues(values)) mark(values['1'], ticks);
        });
      }
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'FormatError') throw error;
    }
  }

  function mark(said: unknown, ticks: number): void {
    if (said !== rank) {
      found.saysOther = true;
      return;
    }
    found.sets += 1;
    found.longestTicks = Math.max(found.longestTicks, ticks - found.lastTicks);
    found.lastTicks = Math.max(found.lastTicks, ticks);
  }
}
