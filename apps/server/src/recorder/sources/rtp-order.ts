import type { RtpPacket } from './rtp.ts';

/** Longest wait for a missing packet: longer than a network reorders, shorter than a viewer notices. */
export const WAIT_MS = 100;
/** Limit of packets that wait for a missing one: 100 ms at 100 Mbit/s. */
const WAITING_MAX = 1024;
/** Steps of the sequence number that mean a new stream, and no loss (RFC 3550, A.1: MAX_DROPOUT and MAX_MISORDER). */
const JUMP_AHEAD = 3000;
const JUMP_BACK = 100;
const CONFIRM_JUMP = 2;
const CONFIRM_LATE = 5;

export type OrderCounts = { lost: number; reordered: number };

export type RtpOrder = ReturnType<typeof rtpOrder>;

type Waiting = { payload: Uint8Array; atMs: number };

/**
 * Puts RTP packets in order: early packets wait for missing ones, at most 100 ms; then the missing ones count as lost.
 * Duplicates, and packets that arrive after they were given up, are dropped.
 *
 * @param release takes one payload; `follows` is false where the one before it in the sequence is missing
 * @param counts are added to; several orders may share them
 */
export function rtpOrder(release: (payload: Uint8Array, follows: boolean) => void, counts: OrderCounts) {
  const waiting = new Map<number, Waiting>();
  let next: number | null = null;
  let highest = 0;
  let ssrc = 0;
  let follows = false;
  /** Consecutive packets out of sequence: enough of them mean that the sender has restarted. */
  let suspects: RtpPacket[] = [];

  function push(packet: RtpPacket, nowMs: number): void {
    if (next === null || packet.ssrc !== ssrc) begin(packet);
    const step = signed(packet.sequence - next!);
    const isJump = step > JUMP_AHEAD || step < -JUMP_BACK;
    if (isJump || step < 0) {
      suspect(packet, isJump ? CONFIRM_JUMP : CONFIRM_LATE);
      return;
    }
    suspects = [];
    if (waiting.has(packet.sequence)) return;
    countOrder(packet.sequence);
    waiting.set(packet.sequence, { payload: packet.payload, atMs: nowMs });
    if (waiting.size > WAITING_MAX) skip();
    else passWaiting();
  }

  function countOrder(sequence: number): void {
    if (signed(sequence - highest) < 0) counts.reordered += 1;
    else highest = sequence;
  }

  function begin(packet: RtpPacket): void {
    flush();
    ssrc = packet.ssrc;
    goOnAt(packet.sequence);
  }

  /**
   * Collects a packet out of sequence: a single one may be damaged, late or a duplicate; several in a row mean a
   * restart.
   */
  function suspect(packet: RtpPacket, needed: number): void {
    const before = suspects.at(-1);
    if (before !== undefined && signed(packet.sequence - before.sequence) !== 1) suspects = [];
    suspects.push(packet);
    if (suspects.length < needed) return;
    const row = suspects;
    flush();
    goOnAt(packet.sequence);
    next = (packet.sequence + 1) & 0xffff;
    for (const { payload } of row) pass(payload);
  }

  function goOnAt(sequence: number): void {
    next = sequence;
    highest = sequence;
    follows = false;
    suspects = [];
  }

  function pass(payload: Uint8Array): void {
    release(payload, follows);
    follows = true;
  }

  function passWaiting(): void {
    for (let pending = waiting.get(next!); pending !== undefined; pending = waiting.get(next!)) {
      waiting.delete(next!);
      next = (next! + 1) & 0xffff;
      pass(pending.payload);
    }
  }

  /** Gives up the missing packets before the first waiting one. */
  function skip(): void {
    while (!waiting.has(next!)) {
      counts.lost += 1;
      follows = false;
      next = (next! + 1) & 0xffff;
    }
    passWaiting();
  }

  function flush(): void {
    while (waiting.size > 0) skip();
  }

  return {
    push,
    /** Gives up packets that have been waited for long enough. */
    tick(nowMs: number): void {
      while (waiting.size > 0 && nowMs - oldestMs(waiting) >= WAIT_MS) skip();
    },
    isWaiting: () => waiting.size > 0,
    flush,
  };
}

/** Arrival time of the packet that waits longest: the map keeps the order of insertion. */
const oldestMs = (waiting: Map<number, Waiting>): number => waiting.values().next().value?.atMs ?? 0;

/** Difference of two 16-bit sequence numbers, modulo 2^16, as a signed number. */
const signed = (difference: number): number => (difference << 16) >> 16;
