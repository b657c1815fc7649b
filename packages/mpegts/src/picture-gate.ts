import { PACKET_SIZE, packetPid } from './packet.ts';

/** Maximum size of a held picture, in bytes; a longer one is passed on without waiting for its end. */
const PENDING_BYTES_MAX = 16 * 1024 * 1024;
const FIRST_SIZE = 256 * PACKET_SIZE;

export type PictureGate = {
  /** Takes the packet at `at`, in stream order. */
  push(bytes: Uint8Array, at: number): void;
  /**
   * Must be called after the last packet; `next` is the packet that follows in the stream, which shows whether the last
   * picture is complete.
   */
  end(next: Uint8Array | null): void;
};

type Options = {
  /** PIDs of the video streams; packets of other streams are passed on immediately. */
  pids: readonly number[];
  /** Called with each packet that is passed on; the bytes are valid during the call. */
  pass(bytes: Uint8Array, at: number): void;
};

type Pending = {
  packets: Uint8Array;
  length: number;
  /** Continuity counter of the last packet with payload. */
  counter: number | null;
  /**
   * Counter of the next packet passed on. Packets are renumbered, so that omitted pictures do not look like packet
   * loss.
   */
  out: number;
  /** Whether the picture has been received from its first packet on without loss. */
  complete: boolean;
};

/**
 * Passes on only complete pictures: those with missing packets, according to the continuity counter (2.4.3.3), are
 * omitted. Some decoders that cope with a missing picture stop at one that is cut short.
 */
export function createPictureGate({ pids, pass }: Options): PictureGate {
  const streams = new Map<number, Pending>();
  for (const pid of pids) {
    streams.set(pid, { packets: new Uint8Array(FIRST_SIZE), length: 0, counter: null, out: 0, complete: false });
  }

  function push(bytes: Uint8Array, at: number): void {
    const pending = streams.get(packetPid(bytes, at));
    if (!pending) {
      pass(bytes, at);
      return;
    }
    if (hasPayload(bytes, at)) {
      const isNext = follows(pending, bytes, at);
      pending.counter = bytes[at + 3]! & 0x0f;
      if (isStart(bytes, at)) {
        if (isNext) release(pending);
        pending.length = 0;
        pending.complete = true;
      } else if (!isNext) {
        pending.length = 0;
        pending.complete = false;
      }
      if (!pending.complete) return;
    }
    if (pending.length >= PENDING_BYTES_MAX) release(pending);
    keep(pending, bytes, at);
  }

  function release(pending: Pending): void {
    for (let at = 0; at < pending.length; at += PACKET_SIZE) {
      const control = pending.packets[at + 3]! & 0xf0;
      pending.packets[at + 3] = control | (control & 0x10 ? pending.out : (pending.out - 1) & 0x0f);
      if (control & 0x10) pending.out = (pending.out + 1) & 0x0f;
      pass(pending.packets, at);
    }
    pending.length = 0;
  }

  function end(next: Uint8Array | null): void {
    const continued = next && streams.get(packetPid(next, 0));
    for (const pending of streams.values()) {
      const isCut = pending === continued && next !== null && hasPayload(next, 0) && !follows(pending, next, 0);
      if (!isCut) release(pending);
    }
  }

  return { push, end };
}

function keep(pending: Pending, bytes: Uint8Array, at: number): void {
  if (pending.length + PACKET_SIZE > pending.packets.length) {
    const larger = new Uint8Array(pending.packets.length * 2);
    larger.set(pending.packets);
    pending.packets = larger;
  }
  for (let i = 0; i < PACKET_SIZE; i++) pending.packets[pending.length + i] = bytes[at + i]!;
  pending.length += PACKET_SIZE;
}

const hasPayload = (bytes: Uint8Array, at: number): boolean => (bytes[at + 3]! & 0x10) !== 0;

/** Whether payload_unit_start_indicator is set: a PES packet, and thus a picture, begins. */
const isStart = (bytes: Uint8Array, at: number): boolean => (bytes[at + 1]! & 0x40) !== 0;

/** Whether no packet is missing before this one, or the sender signals a restart of the counter. */
function follows({ counter }: Pending, bytes: Uint8Array, at: number): boolean {
  if (counter === null || (bytes[at + 3]! & 0x0f) === ((counter + 1) & 0x0f)) return true;
  return (bytes[at + 3]! & 0x20) !== 0 && bytes[at + 4]! > 0 && (bytes[at + 5]! & 0x80) !== 0;
}
