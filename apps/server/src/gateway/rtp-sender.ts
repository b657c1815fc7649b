import type { RtpPacketOut } from './rtp-queue.ts';
import type { Protect } from './srtp.ts';

/** Number of packets cached for retransmission: one second at 20 Mbit/s, far longer than a browser waits. */
const RETAINED = 2048;
/**
 * Maximum number of retransmitted packets per second: a receiver that loses more is not helped by even more packets.
 */
const RETRANSMISSIONS_PER_SECOND = 500;

const HEAD_BYTES = 12;
const VERSION_2 = 0x80;
const MARKER = 0x80;
const ROUND = 2 ** 16;

export type RtpSenderOptions = {
  ssrc: number;
  payloadType: number;
  /** Retransmission as a separate RTP stream (RFC 4588); null if the browser does not support it. */
  rtx: { ssrc: number; payloadType: number } | null;
  protect: Protect;
  send: (packet: Buffer) => void;
  nowMs: () => number;
};

/** Sends the encrypted RTP stream of one viewer (RFC 3550), and retransmits lost packets. */
export function rtpSender({ ssrc, payloadType, rtx, protect, send, nowMs }: RtpSenderOptions) {
  const retained: ({ packet: RtpPacketOut; sealed: Buffer } | null)[] = Array.from({ length: RETAINED }, () => null);
  let rollover = 0;
  let last: RtpPacketOut | null = null;
  let packetCount = 0;
  let octetCount = 0;
  let rtxSequence = 0;
  let rtxRollover = 0;
  let second = 0;
  let againInSecond = 0;

  function headOf(type: number, source: number, { marker, sequence, timestamp }: RtpPacketOut): Buffer {
    const head = Buffer.allocUnsafe(HEAD_BYTES);
    head[0] = VERSION_2;
    head[1] = (marker ? MARKER : 0) | type;
    head.writeUInt16BE(sequence, 2);
    head.writeUInt32BE(timestamp, 4);
    head.writeUInt32BE(source, 8);
    return head;
  }

  /**
   * Builds a retransmission packet: a new sequence number, and the original one before the payload (RFC 4588 section
   * 4).
   */
  function wrapped(packet: RtpPacketOut, own: { ssrc: number; payloadType: number }): Buffer {
    const payload = Buffer.allocUnsafe(2 + packet.payload.length);
    payload.writeUInt16BE(packet.sequence);
    packet.payload.copy(payload, 2);
    const sealed = protect(
      headOf(own.payloadType, own.ssrc, { ...packet, sequence: rtxSequence }),
      payload,
      rtxRollover,
    );
    rtxSequence = (rtxSequence + 1) % ROUND;
    if (rtxSequence === 0) rtxRollover++;
    return sealed;
  }

  function mayAgain(): boolean {
    const now = Math.floor(nowMs() / 1000);
    againInSecond = now === second ? againInSecond + 1 : 1;
    second = now;
    return againInSecond <= RETRANSMISSIONS_PER_SECOND;
  }

  return {
    /** Sends a packet; packets must be passed in the order of their sequence numbers. */
    send(packet: RtpPacketOut): void {
      if (last !== null && packet.sequence < last.sequence) rollover++;
      last = packet;
      packetCount = (packetCount + 1) % 2 ** 32;
      octetCount = (octetCount + packet.payload.length) % 2 ** 32;
      const sealed = protect(headOf(payloadType, ssrc, packet), packet.payload, rollover);
      retained[packet.sequence % RETAINED] = { packet, sealed };
      send(sealed);
    },
    /**
     * Retransmits packets that a browser is missing, by sequence number; packets that are no longer cached are skipped.
     */
    again(sequences: readonly number[]): void {
      for (const sequence of sequences) {
        const found = retained[sequence % RETAINED];
        if (!found || found.packet.sequence !== sequence || !mayAgain()) continue;
        send(rtx === null ? found.sealed : wrapped(found.packet, rtx));
      }
    },
    /** Values for a sender report (RFC 3550, section 6.4.1); null before the first packet. */
    facts: () => (last === null ? null : { ssrc, timestamp: last.timestamp, packetCount, octetCount }),
  };
}

export type RtpSender = ReturnType<typeof rtpSender>;
