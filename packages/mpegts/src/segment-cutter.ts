import { PACKET_SIZE, SYNC_BYTE } from './packet.ts';
import { createPacketFilter, retainedStreams } from './packet-filter.ts';
import { createPacketWriter } from './packet-writer.ts';
import type { Packeting } from './packeting.ts';
import { createPictureGate } from './picture-gate.ts';
import { isVideo } from './stream-kind.ts';
import { patSection, pmtSection } from './table-writer.ts';
import type { Program } from './types.ts';

/** Facts of the original that a cutter needs. */
export type SegmentCutterOptions = {
  /** Layout of the packets of the original. */
  packeting: Pick<Packeting, 'packetSize' | 'syncOffset'>;
  /** The one program that is kept, as the demuxer gave it. */
  program: Program;
  /** Leaves out pictures with missing packets: the decoder of a browser stops at the first of them. */
  completePictures?: boolean;
};

/** Cleans the bytes of one segment while they pass. */
export type SegmentCutter = {
  /** Takes the next bytes of the range; returns packets that are valid until the next call. */
  push(bytes: Uint8Array): Uint8Array;
  /** Ends the range. `next`: the bytes after it, at least one packet, if the stream goes on there. */
  end(next?: Uint8Array | null): Uint8Array;
};

/**
 * Makes a cutter for one range of a segment map. It gives 188-byte packets of one program, after PAT and PMT; null
 * packets, other programs, repeated, damaged and scrambled packets and junk are left out.
 *
 * The range begins at a packet, or with the bytes before the first one. Streams of kind `other` and `otherAudio` are
 * left out, since their descriptors are not known.
 */
export function createSegmentCutter({ packeting, program, completePictures }: SegmentCutterOptions): SegmentCutter {
  const packets = createPacketWriter();
  const videos = completePictures ? program.streams.filter(({ kind }) => isVideo(kind)) : [];
  const gate = createPictureGate({ pids: videos.map(({ pid }) => pid), pass: packets.copy });
  const filter = createPacketFilter({ packeting, program, onPacket: gate.push });
  packets.section(0, patSection(program.number, program.pmtPid));
  packets.section(program.pmtPid, pmtSection({ ...program, streams: retainedStreams(program) }));

  function push(bytes: Uint8Array): Uint8Array {
    filter.push(bytes);
    return packets.take();
  }

  function end(next: Uint8Array | null = null): Uint8Array {
    filter.end();
    const at = packeting.syncOffset;
    const isPacket = next !== null && next.length >= at + PACKET_SIZE && next[at] === SYNC_BYTE;
    gate.end(isPacket ? next.subarray(at) : null);
    return packets.take();
  }

  return { push, end };
}
