import { isTransport } from './packet-batch.ts';
import { type JoinerOut, packetJoiner } from './packet-joiner.ts';
import { isRtp, type RtpPacket, readRtp } from './rtp.ts';

/**
 * Result of reading a datagram. `junk`: number of datagrams that turned out to be no transport stream: this one, and
 * earlier ones that had been undecided.
 */
export type Read = { junk: number; isStream: boolean; isRtp: boolean };

/** State of one sender, identified by its address and port. */
export type DatagramSender = {
  read(bytes: Uint8Array, nowMs: number): Read;
  /** Called after a datagram of this sender was refused: an incomplete packet from before it is dropped. */
  gap(): void;
  /** Whether complete packets wait to be confirmed by the next datagram. */
  isWaiting(): boolean;
  /** Called when no further datagram arrived in time to confirm the waiting packets. */
  settle(): void;
  /** True if the sender is confirmed to send bare transport packets. */
  isInStep(): boolean;
};

/** Takes an RTP packet. Returns how many datagrams turned out to carry no transport stream. */
export type TakeRtp = (packet: RtpPacket, nowMs: number) => Omit<Read, 'isRtp'>;

/** RTP payload type of MPEG-2 transport streams (RFC 3551, 6). */
const MP2T = 33;

/**
 * Distinguishes RTP from bare transport stream datagrams of one sender. A bare datagram that does not begin with a
 * packet may begin with any byte, so it may look like RTP. Therefore a datagram counts as RTP only if its payload is a
 * run of packets, if it is the sender's first datagram and has the payload type of a transport stream, or if it
 * continues the RTP sequence numbers.
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
