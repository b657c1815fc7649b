import { PACKET_SIZE } from '@osprey/mpegts';

const NULL_PID = 0x1fff;
const PID_COUNT = 0x2000;

/**
 * Uses the continuity counters (ISO/IEC 13818-1, 2.4.3.3) to check whether one datagram continues the previous one.
 * Sync bytes alone do not reveal the loss of datagrams that together hold a whole number of packets. Within a datagram
 * no packet can be lost: if the counter of a PID is wrong there, the sender counts incorrectly, and that PID is not
 * used as evidence.
 */
export function counterGuard() {
  const counters = new Int8Array(PID_COUNT).fill(-1);
  const isReliable = new Uint8Array(PID_COUNT);
  /** Number of the datagram in which each PID was last seen. */
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
    /** Reads packets that began in the previous datagram. */
    goOn: read,
    /** Reads packets of the next datagram; false if packets are missing or repeated between the two. */
    next(bytes: Uint8Array, begin: number, end: number): boolean {
      datagram += 1;
      return read(bytes, begin, end);
    },
    forget(): void {
      counters.fill(-1);
    },
  };
}

/**
 * Whether the counter continues from `before`. Packets without payload do not increment it, and a packet may be sent
 * twice.
 */
function isNext(bytes: Uint8Array, at: number, before: number, counter: number): boolean {
  const hasPayload = (bytes[at + 3]! & 0x10) !== 0;
  return counter === before || (hasPayload && counter === ((before + 1) & 0x0f));
}

/** Whether the adaptation field sets the discontinuity indicator. */
function isAnnounced(bytes: Uint8Array, at: number): boolean {
  const hasField = (bytes[at + 3]! & 0x20) !== 0;
  return hasField && bytes[at + 4]! > 0 && (bytes[at + 5]! & 0x80) !== 0;
}
