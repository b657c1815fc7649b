import { PACKET_SIZE } from '@osprey/mpegts';
import { CONFIRMING, findPackets, SYNC } from './find-packets.ts';
import type { PacketAligner } from './packet-aligner.ts';

export type LossyAligner = PacketAligner & {
  /** Called when no bytes followed for a while: releases the waiting packets. */
  settle(): void;
};

/**
 * Number of packets that wait until further sync bytes confirm them; together with the next packet, they form three in
 * step.
 */
const WAITING = CONFIRMING - 1;

/**
 * Finds complete transport packets in bytes that may have unannounced gaps, for example after a message that SRT gave
 * up. A packet is released when two more packets follow in step, or when the received piece ends at a packet boundary,
 * as most messages do. The packets around a gap are dropped.
 */
export function lossyAligner(release: (packets: Uint8Array) => void): LossyAligner {
  let rest: Buffer = Buffer.alloc(0);
  let inStep = false;
  let skipped = 0;

  /** Releases confirmed packets. Returns the offset of the first byte that must be kept. */
  function read(bytes: Buffer): number {
    let at = 0;
    for (;;) {
      if (!inStep) {
        const found = findPackets(bytes, at);
        skipped += found.at - at;
        at = found.at;
        if (!found.isSure) return at;
        inStep = true;
      }
      let next = at;
      while (next < bytes.length && bytes[next] === SYNC) next += PACKET_SIZE;
      if (next === bytes.length) return pass(bytes, at, next);
      const confirmed = next - WAITING * PACKET_SIZE;
      if (next > bytes.length) return pass(bytes, at, confirmed);
      const after = goesOn(bytes, next);
      if (after === null) return pass(bytes, at, confirmed);
      if (after) {
        pass(bytes, at, next);
        skipped += PACKET_SIZE;
        at = next + PACKET_SIZE;
        continue;
      }
      const from = Math.max(pass(bytes, at, confirmed), next - PACKET_SIZE) + 1;
      skipped += from - Math.max(at, confirmed);
      at = from;
      inStep = false;
    }
  }

  function pass(bytes: Buffer, from: number, to: number): number {
    if (to <= from) return from;
    release(bytes.subarray(from, to));
    return to;
  }

  return {
    push(bytes: Buffer): void {
      const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      rest = Buffer.from(all.subarray(read(all)));
    },
    settle(): void {
      const end = rest.length - (rest.length % PACKET_SIZE);
      if (!inStep || end === 0) return;
      for (let at = 0; at < end; at += PACKET_SIZE) if (rest[at] !== SYNC) return;
      const packets = rest;
      rest = rest.subarray(end);
      release(packets.subarray(0, end));
    },
    skipped: () => skipped,
  };
}

/**
 * Whether only the packet at `at` lost its sync byte, since the packets after it are in step; null if these have not
 * arrived yet.
 */
function goesOn(bytes: Buffer, at: number): boolean | null {
  for (let n = 1; n <= WAITING; n += 1) {
    const next = at + n * PACKET_SIZE;
    if (next >= bytes.length) return null;
    if (bytes[next] !== SYNC) return false;
  }
  return true;
}
