import { PACKET_SIZE } from '@osprey/mpegts';
import { counterGuard } from './counter-guard.ts';
import { CONFIRMING, findPackets, SYNC } from './find-packets.ts';
import { isTransport } from './packet-batch.ts';

export type PacketJoiner = {
  /**
   * Takes one datagram of this sender. Returns how many datagrams turned out to be no transport stream; 0 while
   * undecided.
   */
  push(bytes: Uint8Array): number;
  /** Called when a datagram is missing between the last one and the next one. */
  gap(): void;
  /** Whether the sender is confirmed to send a transport stream. */
  isInStep(): boolean;
  /** Whether complete packets are waiting for the next datagram to confirm them. */
  isWaiting(): boolean;
  /**
   * Called when no datagram followed for a while: releases the waiting packets if the last datagram ended at a packet
   * boundary.
   */
  settle(): void;
};

export type JoinerOut = {
  /**
   * Receives complete packets, which are valid only during the call. They may include a packet without a sync byte that
   * the sender damaged.
   */
  release(packets: Uint8Array): void;
  /** Reports that this many packets were dropped because a datagram with part of them is missing. */
  cut(packets: number): void;
};

/** At most one in this many packets of a datagram may lack its sync byte, because it was damaged before it was sent. */
const ONE_DAMAGED_OF = 4;
/**
 * Number of sync bytes required after the boundary between two datagrams; together with the one before it, three are in
 * step.
 */
const AFTER_SEAM = CONFIRMING - 1;
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Joins transport packets that are split across the datagrams of one sender. Three sync bytes in step confirm a stream.
 * A packet split over two datagrams is released when the second datagram continues the first, that is, its sync bytes
 * are in step with those before it and its continuity counters follow. Otherwise both halves are dropped, and packets
 * are searched for in the second datagram alone.
 */
export function packetJoiner({ release, cut }: JoinerOut): PacketJoiner {
  /** While in step: bytes that begin with a packet. Otherwise: bytes in which a packet may begin. */
  let pending = NOTHING;
  let inStep = false;
  /** Number of datagrams in `pending` while the sender is not confirmed yet. */
  let doubtful = 0;
  const guard = counterGuard();

  function push(bytes: Uint8Array): number {
    if (bytes.length === 0) return 1;
    if (inStep) {
      if (goOn(bytes)) return 0;
      lose();
      return search(bytes, true);
    }
    return search(bytes, false);
  }

  /**
   * Joins the datagram to `pending` and passes on packets. Returns false if the datagram does not continue `pending`.
   */
  function goOn(bytes: Uint8Array): boolean {
    const first = (PACKET_SIZE - (pending.length % PACKET_SIZE)) % PACKET_SIZE;
    let begun = 0;
    let wrong = 0;
    for (let at = first; at < bytes.length; at += PACKET_SIZE) {
      begun += 1;
      if (bytes[at] !== SYNC) wrong += 1;
    }
    if (wrong * ONE_DAMAGED_OF > begun) return false;
    const endsWithPacket = bytes.length >= first && (bytes.length - first) % PACKET_SIZE === 0;
    const all = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
    const seam = pending.length + first;
    if (begun - wrong + (endsWithPacket ? 1 : 0) >= AFTER_SEAM) passAll(all, seam);
    else passConfirmed(all);
    return true;
  }

  /**
   * The datagram holds enough sync bytes to confirm itself: releases its complete packets, and any pending packet that
   * it completes.
   */
  function passAll(all: Uint8Array, seam: number): void {
    const end = all.length - (all.length % PACKET_SIZE);
    guard.goOn(all, 0, seam);
    const isContinued = guard.next(all, seam, end);
    if (!isContinued && pending.length > 0) cut(seam / PACKET_SIZE);
    const from = isContinued ? 0 : seam;
    keep(all.subarray(end));
    if (end > from) release(all.subarray(from, end));
  }

  /** Used for datagrams smaller than two packets: each packet waits until two more follow in step. */
  function passConfirmed(all: Uint8Array): void {
    const begun = Math.ceil(all.length / PACKET_SIZE);
    const end = Math.max(0, begun - AFTER_SEAM) * PACKET_SIZE;
    keep(all.subarray(end));
    if (end > 0) release(all.subarray(0, end));
  }

  function search(bytes: Uint8Array, isAfterLoss: boolean): number {
    if (isTransport(bytes) && goOnFrom(NOTHING, bytes)) return 0;
    const all = Buffer.concat([pending, bytes]);
    const seam = pending.length;
    let found = findPackets(all, 0);
    while (found.isSure) {
      const isOfThis = found.at >= seam;
      const isTaken = isOfThis
        ? goOnFrom(NOTHING, all.subarray(found.at))
        : goOnFrom(all.subarray(found.at, seam), bytes);
      if (isTaken) {
        if (isAfterLoss && found.at > 0) cut(1);
        return 0;
      }
      found = findPackets(all, found.at + 1);
    }
    if (isTransport(bytes)) {
      // Damaged packets are included: the receiver of `release` leaves them out and counts them.
      release(bytes);
      return 0;
    }
    return doubt(all, found.at, seam);
  }

  function goOnFrom(before: Buffer, bytes: Uint8Array): boolean {
    pending = before;
    guard.forget();
    inStep = goOn(bytes);
    if (inStep) doubtful = 0;
    else keep(NOTHING);
    return inStep;
  }

  /** Keeps bytes within which a packet may begin. Returns how many datagrams turned out to be no transport stream. */
  function doubt(all: Buffer, from: number, seam: number): number {
    keep(all.subarray(from));
    if (from < seam) {
      doubtful += 1;
      return 0;
    }
    const isOpen = from < all.length;
    const junk = doubtful + (isOpen ? 0 : 1);
    doubtful = isOpen ? 1 : 0;
    return junk;
  }

  function lose(): void {
    if (pending.length > 0) cut(Math.ceil(pending.length / PACKET_SIZE));
    keep(NOTHING);
    inStep = false;
  }

  /** Copies the bytes, since received bytes are valid only during the call. */
  function keep(bytes: Uint8Array): void {
    pending = bytes.length === 0 ? NOTHING : Buffer.from(bytes);
  }

  return {
    push,
    gap() {
      if (inStep) lose();
      else keep(NOTHING);
    },
    isInStep: () => inStep,
    isWaiting: () => inStep && pending.length >= PACKET_SIZE,
    settle() {
      if (!inStep || pending.length === 0 || pending.length % PACKET_SIZE !== 0) return;
      const packets = pending;
      keep(NOTHING);
      release(packets);
    },
  };
}
