import { createFramer } from './framer.ts';
import { isRepetition, NULL_PID, PACKET_SIZE, PID_COUNT, packetPid, SYNC_BYTE } from './packet.ts';
import type { Packeting } from './packeting.ts';
import type { Program, ProgramStream } from './types.ts';

/**
 * Returns the streams of a program that a cut recording keeps. Streams of unknown kinds are left out, since their
 * descriptors cannot be written into the new PMT.
 */
export function retainedStreams(program: Program): ProgramStream[] {
  return program.streams.filter(({ kind }) => kind !== 'other' && kind !== 'otherAudio');
}

type Options = {
  packeting: Pick<Packeting, 'packetSize' | 'syncOffset'>;
  program: Program;
  /** Called for each packet that is kept: it begins at `at`; `offset` is its position in the pushed bytes. */
  onPacket(bytes: Uint8Array, at: number, offset: number): void;
};

/** Passes the packets of one program: no null, repeated, damaged or scrambled ones, no tables, no junk. */
export function createPacketFilter({ packeting, program, onPacket }: Options): {
  push(bytes: Uint8Array): void;
  end(): void;
} {
  const isRetained = new Uint8Array(PID_COUNT);
  for (const { pid } of retainedStreams(program)) isRetained[pid] = 1;
  // The clock may be in a stream that is left out, such as another video: only its packets with a clock pass.
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
    // Packets without payload keep their counter and may be equal (2.4.3.3).
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

/** PCR_flag of its adaptation field (2.4.3.4). */
const hasClock = (bytes: Uint8Array, at: number): boolean =>
  (bytes[at + 3]! & 0x20) !== 0 && bytes[at + 4]! > 0 && (bytes[at + 5]! & 0x10) !== 0;

/** Whether a packet is neither damaged nor scrambled and its adaptation field fits. */
function isClean(bytes: Uint8Array, at: number): boolean {
  if (bytes[at + 1]! & 0x80 || bytes[at + 3]! & 0xc0) return false;
  const control = bytes[at + 3]! & 0x30;
  return control !== 0 && (control === 0x10 || bytes[at + 4]! < PACKET_SIZE - 4);
}
