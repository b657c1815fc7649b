import type { RtpPacket } from './rtp.ts';

/**
 * Maximum wait for a missing packet: longer than the delays by which networks reorder packets, and too short for a
 * viewer to notice.
 */
export const WAIT_MS = 100;
/** Maximum number of packets that wait for a missing one: 100 ms at 100 Mbit/s. */
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
 * Puts RTP packets in order. Packets that arrive early wait up to 100 ms for the missing ones before them; after that,
 * the missing packets count as lost. Duplicates are dropped, as are packets that arrive after they were counted as
 * lost.
 *
 * @param release takes one payload; `follows` is false if the previous packet in the sequence is missing
 * @param counts counters that are incremented; several instances may share them
 */
export function rtpOrder(release: (payload: Uint8Array, follows: boolean) => void, counts: OrderCounts) {
  const waiting = new Map<number, Waiting>();
  let next: number | null = null;
  let highest = 0;
  let ssrc = 0;
  let follows = false;
  /** Consecutively numbered packets that are out of sequence; if there are enough of them, the sender has restarted. */
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
   * Collects a packet that is out of sequence. A single one may be damaged, late or a duplicate; several in a row mean
   * that the sender has restarted.
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

  /** Gives up the missing packets before the first waiting packet, and counts them as lost. */
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
    /** Gives up missing packets for which later packets have waited long enough. */
    tick(nowMs: number): void {
      while (waiting.size > 0 && nowMs - oldestMs(waiting) >= WAIT_MS) skip();
    },
    isWaiting: () => waiting.size > 0,
    flush,
  };
}

/**
 * Returns the arrival time of the packet that has waited longest, which is the first, since a map keeps the order of
 * insertion.
 */
const oldestMs = (waiting: Map<number, Waiting>): number => waiting.values().next().value?.atMs ?? 0;

/** Interprets the difference of two 16-bit sequence numbers, modulo 2^16, as a signed number. */
const signed = (difference: number): number => (difference << 16) >> 16;
