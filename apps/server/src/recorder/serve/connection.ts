import type { Socket } from 'node:net';
import { jsonFrame } from '../../recorder-wire/frames.ts';
import { readFrames } from '../../recorder-wire/local-socket.ts';
import { FRAME, type FromRecorder, type ToRecorder, toRecorder } from '../../recorder-wire/protocol.ts';

/** Queued media bytes; above it a watcher loses pictures, from there to the next key frame. */
const MEDIA_QUEUE_BYTES = 8 * 1024 * 1024;
/** Below it media goes on, so that it does not stop again with the next picture. */
const MEDIA_AGAIN_BYTES = 2 * 1024 * 1024;
/** Queued bytes of any kind; no process of ours is so slow. */
const QUEUE_BYTES = 64 * 1024 * 1024;
/** Silence of a reader after which it is gone. */
const STALLED_MS = 10_000;

/** Bytes of one sensor's stream for its watchers, in the form of a frame: its head, then whole packets. */
export type MediaPiece = { head: Buffer; packets: Buffer };

/** One process that is connected to the recorder. */
export type Connection = {
  send(message: FromRecorder): void;
  /** Each when the one before it was taken, so that many are neither too much nor made at once. */
  sendSlowly(messages: Iterable<FromRecorder>): void;
  /** May be dropped if the reader is slow. */
  sendKlv(frame: Buffer): void;
  /** False if the reader is too slow: nothing was queued. */
  sendMedia(pieces: readonly MediaPiece[]): boolean;
  /** Media may go on after it was refused. */
  hasRoom(): boolean;
  /** Cuts a reader that does not read; called at intervals. */
  check(nowMs: number): void;
  close(): void;
};

type Options = {
  socket: Socket;
  onMessage(message: ToRecorder): void;
  /** The message was not of this protocol, or the reader did not read: it was cut. */
  onCut(reason: string): void;
  onClose(): void;
};

export function connection({ socket, onMessage, onCut, onClose }: Options): Connection {
  let written = 0;
  let readBefore = 0;
  let readAtMs = 0;

  const onFrame = (kind: number, payload: Buffer) => {
    if (kind !== FRAME.json) throw new Error('Only messages come this way');
    onMessage(toRecorder.parse(JSON.parse(payload.toString('utf8'))));
  };
  readFrames(socket, onFrame, (error) => cut(error instanceof Error ? error.message : String(error)));
  socket.once('close', onClose);

  function cut(reason: string): void {
    if (socket.destroyed) return;
    onCut(reason);
    socket.destroy();
  }

  function write(bytes: Buffer, onSent?: () => void): void {
    if (socket.destroyed) return;
    written += bytes.length;
    socket.write(bytes, onSent);
    if (socket.writableLength > QUEUE_BYTES) cut('It reads too slowly.');
  }

  return {
    send: (message) => write(jsonFrame(message)),
    sendSlowly(messages) {
      const rest = messages[Symbol.iterator]();
      const next = () => {
        const { value } = rest.next();
        if (value !== undefined) write(jsonFrame(value), next);
      };
      next();
    },
    sendKlv(frame) {
      if (socket.writableLength <= MEDIA_QUEUE_BYTES) write(frame);
    },
    sendMedia(pieces) {
      if (socket.writableLength > MEDIA_QUEUE_BYTES) return false;
      socket.cork();
      for (const { head, packets } of pieces) {
        write(head);
        write(packets);
      }
      socket.uncork();
      return true;
    },
    hasRoom: () => socket.writableLength <= MEDIA_AGAIN_BYTES,
    check(nowMs) {
      const done = written - socket.writableLength;
      if (socket.writableLength === 0 || done !== readBefore) {
        readBefore = done;
        readAtMs = nowMs;
      } else if (nowMs - readAtMs > STALLED_MS) cut('It has read nothing for 10 s.');
    },
    close: () => socket.destroy(),
  };
}
