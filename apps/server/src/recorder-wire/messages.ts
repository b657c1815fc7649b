import { FRAME, FRAME_MAX } from './protocol.ts';

const HEAD = 5;

/** Encodes a message as one frame. */
export function jsonMessage(message: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(message), 'utf8');
  return Buffer.concat([messageHead(FRAME.json, text.length), text]);
}

/** Frame header for a payload of `size` bytes. */
export function messageHead(kind: number, size: number): Buffer {
  const head = Buffer.allocUnsafe(HEAD);
  head.writeUInt32BE(size + 1, 0);
  head[4] = kind;
  return head;
}

/**
 * Reassembles frames from pieces of any size. The receiver may keep a payload.
 *
 * @throws Error if the bytes cannot begin a frame
 */
export function messageReader(onPayload: (kind: number, payload: Buffer) => void): (piece: Buffer) => void {
  const head = Buffer.alloc(HEAD);
  let headLength = 0;
  let payload: Buffer | null = null;
  let filled = 0;

  function begin(): void {
    const size = head.readUInt32BE(0);
    if (size < 1 || size > FRAME_MAX) throw new Error('No frame begins here');
    payload = Buffer.allocUnsafe(size - 1);
    filled = 0;
  }

  return (piece) => {
    let at = 0;
    while (at < piece.length || (payload !== null && filled === payload.length)) {
      if (payload === null) {
        const taken = Math.min(HEAD - headLength, piece.length - at);
        piece.copy(head, headLength, at, at + taken);
        headLength += taken;
        at += taken;
        if (headLength === HEAD) begin();
        continue;
      }
      const taken = Math.min(payload.length - filled, piece.length - at);
      piece.copy(payload, filled, at, at + taken);
      filled += taken;
      at += taken;
      if (filled < payload.length) return;
      const complete = payload;
      payload = null;
      headLength = 0;
      onPayload(head[4]!, complete);
    }
  };
}
