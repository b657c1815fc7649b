import { isTransport } from './packet-batch.ts';
import { type JoinerOut, packetJoiner } from './packet-joiner.ts';
import { isRtp, type RtpPacket, readRtp } from './rtp.ts';

/**
 * Verdict on a datagram. `junk`: number of datagrams that proved to be no transport stream; this one, and any earlier
 * ones that were undecided.
 */
export type Read = { junk: number; isStream: boolean; isRtp: boolean };

/** The state of one sender, which is one address and port. */
export type DatagramSender = {
  read(bytes: Uint8Array, nowMs: number): Read;
  /** Called after a datagram of this sender was refused: a packet that began before it is dropped. */
  gap(): void;
  /** Whether complete packets wait to be confirmed by the next datagram. */
  isWaiting(): boolean;
  /** Called when no datagram followed in time. */
  settle(): void;
  /** True if the sender is confirmed to send bare transport packets. */
  isInStep(): boolean;
};

/** Takes an RTP packet. Returns how many datagrams proved to carry no transport stream. */
export type TakeRtp = (packet: RtpPacket, nowMs: number) => Omit<Read, 'isRtp'>;

/** RTP payload type of MPEG-2 transport streams (RFC 3551, 6). */
const MP2T = 33;

/**
 * Distinguishes bare transport datagrams of one sender from RTP. A bare datagram that does not begin with a packet may
 * begin with any byte. So a datagram counts as RTP only if it carries a run of packets, has the payload type of a
 * transport stream and is the sender's first, or continues the sequence numbers.
 */
export function datagramSender(out: JoinerOut, takeRtp: TakeRtp): DatagramSender {
  const joiner = packetJoiner(out);
  let carriesRtp = false;
  let isFirst = true;
  let head: RtpPacket | null = null;

  function isOfRtp(packet: RtpPacket): boolean {
    if (isTransport(packet.payload)) return carriesRtp || !joiner.isInStep();
    if (isFirst) return packet.payloadType === MP2T;
    if (head === null || head.ssrc !== packet.ssrc) return false;
    return carriesRtp || packet.sequence === ((head.sequence + 1) & 0xffff);
  }

  return {
    read(bytes, nowMs) {
      const packet = isRtp(bytes) ? readRtp(bytes) : null;
      carriesRtp = packet !== null && isOfRtp(packet);
      head = packet;
      isFirst = false;
      if (packet !== null && carriesRtp) return { ...takeRtp(packet, nowMs), isRtp: true };
      const junk = joiner.push(bytes);
      return { junk, isStream: joiner.isInStep(), isRtp: false };
    },
    gap: joiner.gap,
    isWaiting: joiner.isWaiting,
    settle: joiner.settle,
    isInStep: joiner.isInStep,
  };
}
