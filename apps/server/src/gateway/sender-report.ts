import {
  RtcpSenderInfo,
  RtcpSourceDescriptionPacket,
  RtcpSrPacket,
  SourceDescriptionChunk,
  SourceDescriptionItem,
} from 'werift';
import type { RtpSender } from './rtp-sender.ts';

/** Seconds from 1900, the epoch of NTP, to 1970. */
const NTP_EPOCH_S = 2_208_988_800;
/** SDES item type CNAME (RFC 3550 section 6.5.1). */
const CNAME = 1;

type Facts = NonNullable<ReturnType<RtpSender['facts']>>;

/** Sender report, sent at intervals (RFC 3550 section 6.4.1). */
export function senderReport({ ssrc, timestamp, packetCount, octetCount }: Facts, cname: string, nowMs: number) {
  const senderInfo = new RtcpSenderInfo({
    ntpTimestamp: ntpOf(nowMs),
    rtpTimestamp: timestamp,
    packetCount,
    octetCount,
  });
  const items = [new SourceDescriptionItem({ type: CNAME, text: cname })];
  const chunks = [new SourceDescriptionChunk({ source: ssrc, items })];
  return [new RtcpSrPacket({ ssrc, senderInfo }), new RtcpSourceDescriptionPacket({ chunks })];
}

/** NTP timestamp: seconds and their fraction, 32 bits each. */
function ntpOf(unixMs: number): bigint {
  const seconds = Math.floor(unixMs / 1000);
  const fraction = Math.floor(((unixMs % 1000) / 1000) * 2 ** 32);
  return (BigInt(seconds + NTP_EPOCH_S) << 32n) | BigInt(fraction);
}
