import { createFramer } from './framer.ts';
import { isRepetition, NULL_PID, PACKET_SIZE, PID_COUNT, packetPid, SYNC_BYTE } from './packet.ts';
import type { Packeting } from './packeting.ts';
import type { Program, ProgramStream } from './types.ts';

/**
 * Returns the streams of a program that a cut recording keeps. Streams of unknown kinds are omitted, since their
 * descriptors cannot be written into the new PMT.
 */
export function retainedStreams(program: Program): ProgramStream[] {
  return program.streams.filter(({ kind }) => kind !== 'other' && kind !== 'otherAudio');
}

type Options = {
  packeting: Pick<Packeting, 'packetSize' | 'syncOffset'>;
  program: Program;
  /** Called for each retained packet, which begins at `at`; `offset` is its position in all bytes pushed. */
  onPacket(bytes: Uint8Array, at: number, offset: number): void;
};

/**
 * Passes on the packets of one program, without null packets, repeated, damaged or scrambled packets, tables, and other
 * bytes.
 */
export function createPacketFilter({ packeting, program, onPacket }: Options): {
  push(bytes: Uint8Array): void;
  end(): void;
} {
  const isRetained = new Uint8Array(PID_COUNT);
  for (const { pid } of retainedStreams(program)) isRetained[pid] = 1;
  // The clock may be carried by a stream that is omitted, such as another video. Only those of its packets that contain
  // a clock are passed on.
  const clockPid = isRetained[program.pcrPid] === 1 ? -1 : program.pcrPid;
  isRetained[program.pcrPid] = 1;
  isRetained[NULL_PID] = 0;
  const last = new Map<number, Uint8Array>();
  const framer = createFramer({ read, packeting });

  function read(bytes: Uint8Array, from: number, end: number, base: number): number {
    const stride = framer.stride();
    let at = from;
    while (at + PACKET_SIZE <= end && bytes[at] === SYNC_BYTE) {
      const pid = packetPid(bytes, at);
      const isOurs = isRetained[pid] === 1 && (pid !== clockPid || hasClock(bytes, at));
      const isRequested = isOurs && isClean(bytes, at) && !isRepeated(bytes, at);
      if (isRequested) onPacket(bytes, at, base + at - packeting.syncOffset);
      at += stride;
    }
    return at;
  }

  function isRepeated(bytes: Uint8Array, at: number): boolean {
    // Packets without payload do not increment the counter, so they may be equal without being repetitions (2.4.3.3).
    if ((bytes[at + 3]! & 0x10) === 0) return false;
    const pid = packetPid(bytes, at);
    const before = last.get(pid);
    if (before && isRepetition(before, 0, bytes, at)) return true;
    const copy = before ?? new Uint8Array(PACKET_SIZE);
    copy.set(bytes.subarray(at, at + PACKET_SIZE));
    if (!before) last.set(pid, copy);
    return false;
  }

  return { push: framer.push, end: framer.end };
}

/** Whether the adaptation field has PCR_flag set (2.4.3.4). */
const hasClock = (bytes: Uint8Array, at: number): boolean =>
  (bytes[at + 3]! & 0x20) !== 0 && bytes[at + 4]! > 0 && (bytes[at + 5]! & 0x10) !== 0;

/** Whether a packet is neither damaged nor scrambled, and its adaptation field fits into it. */
function isClean(bytes: Uint8Array, at: number): boolean {
  if (bytes[at + 1]! & 0x80 || bytes[at + 3]! & 0xc0) return false;
  const control = bytes[at + 3]! & 0x30;
  return control !== 0 && (control === 0x10 || bytes[at + 4]! < PACKET_SIZE - 4);
}
