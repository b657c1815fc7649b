import type { LiveSocketMessage } from '@osprey/contract';
import type { WebSocket } from 'ws';
import type { FeedViewer, Picture, VideoHead } from './video-feed.ts';

/** Maximum buffered bytes and maximum delay of one viewer, beyond which pictures are dropped. */
const BUFFER_BYTES = 1024 * 1024;
const BUFFER_MS = 1000;
/** Number of buffered bytes up to which a viewer counts as having caught up. */
const CAUGHT_UP_BYTES = 64 * 1024;

export type PacedViewer = FeedViewer & {
  /**
   * Sends the pictures from the last key frame on without pacing; their bytes are not taken as a sign that the viewer
   * is slow.
   */
  catchUp(join: () => () => void): () => void;
  /** Sends telemetry, or drops it while too much is buffered. */
  telemetry(text: string): void;
  bytesSent(): number;
};

/**
 * One viewer of a live sensor. If the viewer is too slow, pictures are dropped until the next key frame, and the viewer
 * is sent their number; the feed never waits.
 */
export function pacedViewer(
  socket: Pick<WebSocket, 'send' | 'bufferedAmount'>,
  { nowMs, impossible }: { nowMs: () => number; impossible: (text: string) => void },
): PacedViewer {
  /** Times at which the messages still in transit were passed to the socket. */
  const underWay: number[] = [];
  let isDropping = false;
  let dropped = 0;
  let sent = 0;
  /** Number of bytes that `catchUp` added to the buffer. */
  let burst = 0;
  let isBursting = false;

  function send(bytes: Uint8Array | string): void {
    sent += bytes.length;
    underWay.push(nowMs());
    socket.send(bytes, () => void underWay.shift());
  }

  const sendMessage = (message: LiveSocketMessage) => send(JSON.stringify(message));

  function isSlow(): boolean {
    if (isBursting) return false;
    if (socket.bufferedAmount <= CAUGHT_UP_BYTES) burst = 0;
    const oldest = underWay[0];
    return socket.bufferedAmount > BUFFER_BYTES + burst || (oldest !== undefined && nowMs() - oldest > BUFFER_MS);
  }

  function begin({ mimeType, firstPts, init }: VideoHead): void {
    sendMessage({ kind: 'video', mimeType, firstPts });
    send(init);
  }

  function picture({ bytes, keyframe }: Picture): void {
    if (isSlow()) isDropping = true;
    if (isDropping && !(keyframe && socket.bufferedAmount <= CAUGHT_UP_BYTES)) {
      dropped++;
      return;
    }
    if (isDropping) sendMessage({ kind: 'dropped', pictures: dropped });
    isDropping = false;
    dropped = 0;
    send(bytes);
  }

  return {
    begin,
    picture,
    impossible,
    catchUp(join) {
      isBursting = true;
      const before = sent;
      const leave = join();
      burst = sent - before;
      isBursting = false;
      return leave;
    },
    telemetry(text) {
      if (!isSlow()) send(text);
    },
    bytesSent: () => sent,
  };
}
