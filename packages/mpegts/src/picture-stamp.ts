import { type EscapedCursor, nextUnescaped, readSeiNumber, skipEscaped } from './annex-b.ts';

/** The time stated in a picture itself (MISB ST 0604, in an SEI message). */
export type PictureStamp = {
  /** UTC microseconds since 1970; nanosecond stamps are truncated. */
  timeUs: number;
  /** True if the clock is locked to a reference (ST 0603, bit 7 of the Time Status is 0). */
  isLocked: boolean;
  /** True if time did not advance evenly since the previous stamp (bit 6). */
  isDiscontinuous: boolean;
  /** True if time went back since the previous stamp (bit 5); valid only if bit 6 is set. */
  isReversed: boolean;
};

/** payloadType of user_data_unregistered (ITU-T H.264 D.1.7, H.265 D.2.7). */
const USER_DATA = 5;
const UUID_BYTES = 16;
/** Size of a stamp in bytes: UUID, status, and eight bytes of time with 0xFF after every second one. */
const STAMP_BYTES = 28;

const hex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/**
 * UUIDs of ST 0604: the stamp of H.264, the stamp of H.265, and the nano precision stamp of H.265, each with its unit
 * in nanoseconds.
 */
const KINDS = [
  { uuid: ascii('MISPmicrosectime'), unitNs: 1000 },
  { uuid: hex('a8687dd4d7593758a5cef0338b6545f1'), unitNs: 1000 },
  { uuid: hex('cf848278ee23306c9265e8fef22fb8b8'), unitNs: 1 },
];

const UNLOCKED = 0x80;
const DISCONTINUITY = 0x40;
const REVERSE = 0x20;

/**
 * Returns the first stamp in an SEI NAL unit whose messages are in [start, end), without the unit's header; null if
 * there is none.
 */
export function readPictureStamp(bytes: Uint8Array, start: number, end: number): PictureStamp | null {
  const cursor: EscapedCursor = { bytes, at: start, end };
  while (cursor.end - cursor.at > STAMP_BYTES) {
    const type = readSeiNumber(cursor);
    const size = readSeiNumber(cursor);
    if (size < 0) return null;
    if (type !== USER_DATA || size !== STAMP_BYTES) {
      skipEscaped(cursor, size);
      continue;
    }
    const message = new Uint8Array(STAMP_BYTES);
    for (let at = 0; at < STAMP_BYTES; at++) {
      const byte = nextUnescaped(cursor);
      if (byte < 0) return null;
      message[at] = byte;
    }
    const stamp = stampOf(message);
    if (stamp) return stamp;
  }
  return null;
}

function stampOf(message: Uint8Array): PictureStamp | null {
  const kind = KINDS.find(({ uuid }) => uuid.every((byte, at) => message[at] === byte));
  if (!kind) return null;
  let time = 0n;
  for (let at = UUID_BYTES + 1; at < STAMP_BYTES; at++) {
    if ((at - UUID_BYTES) % 3 !== 0) time = (time << 8n) | BigInt(message[at]!);
    else if (message[at] !== 0xff) return null;
  }
  const status = message[UUID_BYTES]!;
  return {
    timeUs: Number((time * BigInt(kind.unitNs)) / 1000n),
    isLocked: (status & UNLOCKED) === 0,
    isDiscontinuous: (status & DISCONTINUITY) !== 0,
    isReversed: (status & DISCONTINUITY) !== 0 && (status & REVERSE) !== 0,
  };
}
