import type { Socket } from 'node:net';
import { readMessages } from '../../recorder-wire/local-socket.ts';
import { jsonMessage } from '../../recorder-wire/messages.ts';
import { FRAME, type FromRecorder, type ToRecorder, toRecorder } from '../../recorder-wire/protocol.ts';

/** Maximum number of queued media bytes; beyond it, media is withheld from a watcher until the next key frame. */
const MEDIA_QUEUE_BYTES = 8 * 1024 * 1024;
/**
 * Media resumes when the queue is below this. Well below MEDIA_QUEUE_BYTES, so that media does not stop again at the
 * next picture.
 */
const MEDIA_RESUME_BYTES = 2 * 1024 * 1024;
/** Maximum number of queued bytes of any kind; a reader that exceeds it is considered faulty and is disconnected. */
const QUEUE_BYTES = 64 * 1024 * 1024;
/** A reader that takes no bytes for this time is disconnected. */
const STALLED_MS = 10_000;

/** A piece of one sensor's stream sent to its watchers as a frame: the frame head, then complete packets. */
export type MediaPiece = { head: Buffer; packets: Buffer };

/** Connection of one process to the recorder. */
export type Connection = {
  send(message: FromRecorder): void;
  /**
   * Sends each message only after the other side has taken the previous one, so that the messages are neither all
   * queued nor all built at the same time.
   */
  sendSlowly(messages: Iterable<FromRecorder>): void;
  /** Sends a KLV frame; it may be dropped if the reader is slow. */
  sendKlv(frame: Buffer): void;
  /** Sends pieces. Returns false if the reader is too slow; nothing was queued then. */
  sendMedia(pieces: readonly MediaPiece[]): boolean;
  /** True if media may resume after `sendMedia` refused it. */
  hasRoom(): boolean;
  /** Disconnects a reader that has stopped reading; called at intervals. */
  check(nowMs: number): void;
  close(): void;
};

type Options = {
  socket: Socket;
  onMessage(message: ToRecorder): void;
  /**
   * Called when the recorder cut the connection, because a message violated the protocol or the other process stopped
   * reading.
   */
  onCut(reason: string): void;
  onClose(): void;
};

export function connection({ socket, onMessage, onCut, onClose }: Options): Connection {
  let written = 0;
  let readBefore = 0;
  let readAtMs = 0;

  const onPayload = (kind: number, payload: Buffer) => {
    if (kind !== FRAME.json) throw new Error('Only messages come this way');
    onMessage(toRecorder.parse(JSON.parse(payload.toString('utf8'))));
  };
  readMessages(socket, onPayload, (error) => cut(error instanceof Error ? error.message : String(error)));
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
    send: (message) => write(jsonMessage(message)),
    sendSlowly(messages) {
      const rest = messages[Symbol.iterator]();
      const next = () => {
        const { value } = rest.next();
        if (value !== undefined) write(jsonMessage(value), next);
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
    hasRoom: () => socket.writableLength <= MEDIA_RESUME_BYTES,
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
