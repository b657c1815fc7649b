import { PACKET_SIZE } from '@osprey/mpegts';
import { counterGuard } from './counter-guard.ts';
import { CONFIRMING, findPackets, SYNC } from './find-packets.ts';
import { isTransport } from './packet-batch.ts';

export type PacketJoiner = {
  /**
   * Takes one datagram of this sender. Gives how many datagrams proved to be no transport stream: 0 while that is open.
   */
  push(bytes: Uint8Array): number;
  /** A datagram between the last one and the next one is missing. */
  gap(): void;
  /** Whether the sender is believed to send a transport stream. */
  isInStep(): boolean;
  /** Whether whole packets wait for the datagram after them. */
  isWaiting(): boolean;
  /** No datagram followed: releases the waiting packets, if the last datagram ended with a packet. */
  settle(): void;
};

export type JoinerOut = {
  /** Whole packets, valid during the call. A packet that the sender damaged is among them, without its sync byte. */
  release(packets: Uint8Array): void;
  /** A missing datagram cut this many packets, which were dropped. */
  cut(packets: number): void;
};

/** One packet of this many in a datagram may have lost its sync byte before it was sent. */
const ONE_DAMAGED_OF = 4;
/** Sync bytes after the place where two datagrams meet; the one before it makes three in step. */
const AFTER_SEAM = CONFIRMING - 1;
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Joins the transport packets of one sender that cross its datagrams. A stream is believed after three sync bytes in
 * step. A packet in two datagrams is handed on when the second continues the first: its sync bytes are in step with
 * those before it, and so are its continuity counters. Otherwise both halves are dropped, and packets are looked for in
 * the second datagram alone.
 */
export function packetJoiner({ release, cut }: JoinerOut): PacketJoiner {
  /** In step: begins with a packet. Else: bytes in which one may begin. */
  let pending = NOTHING;
  let inStep = false;
  /** Datagrams in `pending` of a sender that is not believed yet. */
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

  /** False where the datagram does not continue what is held. */
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

  /** The datagram confirms itself: its whole packets pass, and those that it completes. */
  function passAll(all: Uint8Array, seam: number): void {
    const end = all.length - (all.length % PACKET_SIZE);
    guard.goOn(all, 0, seam);
    const isContinued = guard.next(all, seam, end);
    if (!isContinued && pending.length > 0) cut(seam / PACKET_SIZE);
    const from = isContinued ? 0 : seam;
    keep(all.subarray(end));
    if (end > from) release(all.subarray(from, end));
  }

  /** In datagrams smaller than two packets, each packet waits until two more begin in step after it. */
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
      // Damaged packets are left out and counted by who takes them.
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

  /** Keeps what may be the begin of a packet. Gives how many datagrams are no transport stream. */
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

  /** A copy: what was received is valid during the call alone. */
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
