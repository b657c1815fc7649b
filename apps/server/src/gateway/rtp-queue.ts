import type { RtpPicture } from './rtp-payloads.ts';

/**
 * Number of packets sent without a pause; the rest of a large picture follows after pauses, so that no network buffer
 * overflows.
 */
const BURST = 32;
const PAUSE_MS = 2;
/** Maximum length of the queue; with more waiting packets, the video would be too old for a viewer. */
const QUEUE_MAX = 4000;

export type RtpPacketOut = { payload: Buffer; marker: boolean; timestamp: number; sequence: number };

/** Numbers the packets of one viewer and sends them at a limited pace; begins with a key frame. */
export function rtpQueue(send: (packet: RtpPacketOut) => void) {
  const waiting: Omit<RtpPacketOut, 'sequence'>[] = [];
  let timer: NodeJS.Timeout | null = null;
  let sequence = Math.floor(Math.random() * 2 ** 16);
  let waitsForKey = true;
  let bytes = 0;

  function flush(): void {
    timer = null;
    for (const packet of waiting.splice(0, BURST)) {
      send({ ...packet, sequence });
      sequence = (sequence + 1) % 2 ** 16;
      bytes += packet.payload.length;
    }
    if (waiting.length > 0) timer = setTimeout(flush, PAUSE_MS);
  }

  return {
    add({ payloads, timestamp, keyframe }: RtpPicture): void {
      if (waiting.length > QUEUE_MAX) {
        waiting.length = 0;
        waitsForKey = true;
      }
      if (waitsForKey && !keyframe) return;
      waitsForKey = false;
      for (const [i, payload] of payloads.entries()) {
        waiting.push({ payload, timestamp, marker: i === payloads.length - 1 });
      }
      if (timer === null) flush();
    },
    bytes: (): number => bytes,
    close(): void {
      if (timer) clearTimeout(timer);
      waiting.length = 0;
    },
  };
}
