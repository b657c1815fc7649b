import { createDemuxer, leadingVideo, PACKET_SIZE, type Program } from '@osprey/mpegts';
import type { Storage } from '../../base/storage/storage.ts';
import { beginsWithTables } from '../../recorder/recordings/tables-in-front.ts';
import { tableKeeper } from '../../recorder/stream/tables.ts';
import { COMPLETE_PACKETS } from '../../recorder-wire/packeting.ts';

/**
 * Number of bytes at the start of a file in which PAT and PMT are searched for; the recorder's files begin with them.
 */
const START_BYTES = 1024 * 1024;
const NONE = new Uint8Array(0);

/** Position of a segment in a file of whole packets. */
export type SegmentPlace = { key: string; offset: number; sizeBytes: number };

/**
 * Returns the PAT and PMT packets to be sent before a segment that does not begin with them (RFC 8216, 3.2): the first
 * ones in the segment, otherwise those at the start of its file. Empty if the segment needs none, or if none are found.
 */
export async function tablesInFront(
  storage: Pick<Storage, 'read'>,
  { key, offset, sizeBytes }: SegmentPlace,
): Promise<Uint8Array> {
  const end = offset + sizeBytes;
  for await (const first of storage.read(key, { start: offset, end: Math.min(end, offset + PACKET_SIZE) })) {
    if (beginsWithTables(first)) return NONE;
  }
  const own = await firstTables(storage.read(key, { start: offset, end }));
  return own ?? (await firstTables(storage.read(key, { start: 0, end: Math.min(offset, START_BYTES) }))) ?? NONE;
}

/** Returns the first PAT of these bytes and the PMT of the program to show; null if either is missing. */
async function firstTables(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array | null> {
  const keeper = tableKeeper();
  let shown: Program | null = null;
  const demuxer = createDemuxer(
    {
      program(announced) {
        if (shown === null || (!hasVideo(shown) && hasVideo(announced))) shown = announced;
      },
      fault({ kind, pid }) {
        if (kind === 'badCrc' && pid !== null) keeper.broken(pid);
      },
    },
    { packeting: COMPLETE_PACKETS },
  );
  const tables = () => shown && keeper.tables(shown.pmtPid);
  const isShown = () => shown !== null && hasVideo(shown);

  let rest: Uint8Array = NONE;
  for await (const piece of pieces) {
    const bytes: Uint8Array = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let at = 0;
    for (; at + PACKET_SIZE <= bytes.length; at += PACKET_SIZE) {
      const pid = ((bytes[at + 1]! & 0x1f) << 8) | bytes[at + 2]!;
      if (keeper.requested[pid] === 0 || (bytes[at + 1]! & 0x80) !== 0) continue;
      keeper.packet(bytes, at, pid);
      demuxer.push(bytes.subarray(at, at + PACKET_SIZE));
      if (isShown() && tables() !== null) return tables();
    }
    rest = bytes.slice(at);
  }
  return tables();
}

const hasVideo = ({ streams }: Program): boolean => leadingVideo(streams, null) !== null;
