import { TICKS_PER_SECOND } from '@osprey/mpegts';
import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, type RTCRtpSender } from 'werift';
import { retransmissionOf } from './offer.ts';
import type { PictureFeed } from './picture-feed.ts';
import { rtpQueue } from './rtp-queue.ts';
import { type RtpSender, rtpSender } from './rtp-sender.ts';
import { senderReport } from './sender-report.ts';
import { srtpProtection } from './srtp.ts';

/** Time without a report after which a session ends, in milliseconds; browsers send a report every second. */
const SILENT_MS = 15_000;
const CHECK_MS = 1000;

/** Addresses and ports at which browsers reach the gateway. */
export type Reach = {
  ports: readonly [number, number];
  /** Addresses offered to browsers in addition to those of the machine, or instead of them. */
  addresses: readonly string[];
  /** Address to bind to; null for all addresses of the machine. */
  only: string | null;
};

export type WhepSession = {
  answer: string;
  bytes(): number;
  close(): void;
};

export type SessionOptions = {
  /** SDP offer, already reduced to one H.264 format. */
  offer: string;
  feed: Pick<PictureFeed, 'join'>;
  reach: Reach;
  /** Called once when the session ends, including when the viewer is silent or the connection broke. */
  onEnd: () => void;
  nowMs: () => number;
};

const feedback = [{ type: 'nack' }, { type: 'nack', parameter: 'pli' }];

/** One browser session; video is sent once the browser is connected. */
export async function whepSession({ offer, feed, reach, onEnd, nowMs }: SessionOptions): Promise<WhepSession> {
  const isComplete = reach.only === null && reach.addresses.length === 0;
  const peer = new RTCPeerConnection({
    codecs: {
      audio: [],
      video: [
        new RTCRtpCodecParameters({ mimeType: 'video/H264', clockRate: TICKS_PER_SECOND, rtcpFeedback: feedback }),
        new RTCRtpCodecParameters({ mimeType: 'video/rtx', clockRate: TICKS_PER_SECOND }),
      ],
    },
    iceServers: [],
    icePortRange: [...reach.ports],
    iceUseIpv4: isComplete,
    iceUseIpv6: isComplete,
    iceAdditionalHostAddresses: reach.addresses.length > 0 ? [...reach.addresses] : ['127.0.0.1'],
    ...(reach.only === null ? {} : { iceInterfaceAddresses: { udp4: reach.only } }),
    bundlePolicy: 'max-bundle',
  });
  const { sender } = peer.addTransceiver(new MediaStreamTrack({ kind: 'video' }), { direction: 'sendonly' });
  let receivedMs = nowMs();
  let leave: (() => void) | null = null;
  let isOver = false;
  let rtp: RtpSender | null = null;
  const queue = rtpQueue((packet) => rtp?.send(packet));
  const timer = setInterval(() => {
    if (nowMs() - receivedMs > SILENT_MS) return end();
    const facts = rtp?.facts() ?? null;
    if (facts === null) return;
    // If the connection ends meanwhile, the change of its state is handled elsewhere.
    sender.dtlsTransport.sendRtcp(senderReport(facts, peer.cname, Date.now())).catch(end);
  }, CHECK_MS);

  sender.onRtcp.subscribe(() => {
    receivedMs = nowMs();
  });
  // A picture loss indication (PLI) is ignored: an airborne encoder cannot be asked for a key frame. The next key frame
  // repairs the picture.
  sender.onGenericNack.subscribe(({ lost }) => rtp?.again(lost));
  peer.connectionStateChange.subscribe((state) => {
    if (state === 'failed' || state === 'closed') end();
    if (state !== 'connected' || isOver || leave !== null) return;
    receivedMs = nowMs();
    rtp = senderOf(sender, peer.localDescription!.sdp, nowMs);
    leave = feed.join({ picture: queue.add, impossible: end });
  });

  function close(): void {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    leave?.();
    queue.close();
    // Not awaited, since pending work inside the library may still fail.
    void peer.close().catch(() => undefined);
  }

  function end(): void {
    if (isOver) return;
    close();
    onEnd();
  }

  try {
    await peer.setRemoteDescription({ type: 'offer', sdp: offer });
    const description = await peer.createAnswer();
    askNobody(peer);
    await peer.setLocalDescription(description);
  } catch (error) {
    close();
    throw error;
  }
  return { answer: peer.localDescription!.sdp, bytes: queue.bytes, close };
}

/**
 * Removes the STUN servers; call it before candidates are gathered. A closed network has none, and no external server
 * may learn who is watching. Otherwise the library would use its default server.
 */
function askNobody({ iceTransports }: RTCPeerConnection): void {
  for (const { connection } of iceTransports) delete connection.stunServer;
}

/** Sends packets directly on an established connection, since the library's own method is many times slower. */
function senderOf(sender: RTCRtpSender, answer: string, nowMs: () => number): RtpSender {
  const { srtp, iceTransport } = sender.dtlsTransport;
  const { profile, srtpSessionKey: key, srtpSessionSalt: salt, srtpSessionAuthTag: auth } = srtp.localContext;
  const { payloadType } = sender.codec!;
  const rtxType = retransmissionOf(answer, payloadType);
  return rtpSender({
    ssrc: sender.ssrc,
    payloadType,
    rtx: rtxType === null ? null : { ssrc: sender.rtxSsrc, payloadType: rtxType },
    protect: srtpProtection({ profile, key, salt, auth }),
    // A packet that cannot be sent is lost, as on any network.
    send: (packet) => void iceTransport.connection.send(packet).catch(() => undefined),
    nowMs,
  });
}
