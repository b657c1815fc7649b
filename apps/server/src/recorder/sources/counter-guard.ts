import { PACKET_SIZE } from '@osprey/mpegts';

const NULL_PID = 0x1fff;
const PID_COUNT = 0x2000;

/**
 * Checks by the continuity counters (ISO/IEC 13818-1, 2.4.3.3) whether one datagram continues the one before it. Sync
 * bytes alone do not show the loss of datagrams that together hold whole packets. Within one datagram nothing is lost
 * on the way: a PID whose counter is wrong there is counted wrongly by the sender, and proves nothing.
 */
export function counterGuard() {
  const counters = new Int8Array(PID_COUNT).fill(-1);
  const isReliable = new Uint8Array(PID_COUNT);
  /** Number of the datagram in which each PID was seen last. */
  const seenIn = new Uint32Array(PID_COUNT);
  let datagram = 1;

  function read(bytes: Uint8Array, begin: number, end: number): boolean {
    let isContinued = true;
    for (let at = begin; at < end; at += PACKET_SIZE) {
      const pid = ((bytes[at + 1]! & 0x1f) << 8) | bytes[at + 2]!;
      if (pid === NULL_PID) continue;
      const before = counters[pid]!;
      const counter = bytes[at + 3]! & 0x0f;
      counters[pid] = counter;
      const isExpected = before < 0 || isAnnounced(bytes, at) || isNext(bytes, at, before, counter);
      if (seenIn[pid] === datagram) isReliable[pid] = isExpected ? 1 : 0;
      else if (!isExpected && isReliable[pid] === 1) isContinued = false;
      seenIn[pid] = datagram;
    }
    return isContinued;
  }

  return {
    /** Packets that began in the datagram before. */
    goOn: read,
    /** Packets of the next datagram; false where packets are missing or repeated between the two. */
    next(bytes: Uint8Array, begin: number, end: number): boolean {
      datagram += 1;
      return read(bytes, begin, end);
    },
    forget(): void {
      counters.fill(-1);
    },
  };
}

/** Packets without payload do not count, and one packet may come twice. */
function isNext(bytes: Uint8Array, at: number, before: number, counter: number): boolean {
  const hasPayload = (bytes[at + 3]! & 0x10) !== 0;
  return counter === before || (hasPayload && counter === ((before + 1) & 0x0f));
}

/** The discontinuity indicator of the adaptation field. */
function isAnnounced(bytes: Uint8Array, at: number): boolean {
  const hasField = (bytes[at + 3]! & 0x20) !== 0;
  return hasField && bytes[at + 4]! > 0 && (bytes[at + 5]! & 0x80) !== 0;
}
