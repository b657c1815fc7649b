import { PACKET_SIZE, SYNC_BYTE } from './packet.ts';
import { createPacketFilter, retainedStreams } from './packet-filter.ts';
import { createPacketWriter } from './packet-writer.ts';
import type { Packeting } from './packeting.ts';
import { createPictureGate } from './picture-gate.ts';
import { isVideo } from './stream-kind.ts';
import { patSection, pmtSection } from './table-writer.ts';
import type { Program } from './types.ts';

/** Facts about the original stream that a cutter needs. */
export type SegmentCutterOptions = {
  /** Layout of the original packets. */
  packeting: Pick<Packeting, 'packetSize' | 'syncOffset'>;
  /** The only program that is kept, as delivered by the demuxer. */
  program: Program;
  /** Omits pictures with missing packets, since the decoder of a browser stops at the first of them. */
  completePictures?: boolean;
};

/** Cleans the bytes of one segment while they are streamed. */
export type SegmentCutter = {
  /** Processes the next bytes of the range; returns packets that are valid until the next call. */
  push(bytes: Uint8Array): Uint8Array;
  /** Ends the range. `next` are the bytes that follow it, at least one packet, if the stream continues there. */
  end(next?: Uint8Array | null): Uint8Array;
};

/**
 * Creates a cutter for one range of a segment map. It returns 188-byte packets of one program, preceded by PAT and PMT.
 * Null packets, other programs, repeated, damaged and scrambled packets, and other bytes are omitted.
 *
 * The range must begin at a packet, or with the bytes before the first one. Streams of kind `other` and `otherAudio`
 * are omitted, since their descriptors are not known.
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
