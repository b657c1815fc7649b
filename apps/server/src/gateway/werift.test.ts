import { afterEach, describe, expect, it } from 'vitest';
import {
  MediaStreamTrack,
  RTCPeerConnection,
  RTCRtpCodecParameters,
  type RTCRtpSender,
  RtcpRrPacket,
  useH264,
  useNACK,
} from 'werift';
import { srtpProtection } from './srtp.ts';

/** Parts of the library that docs/dependencies.md lists: it may change them without a word. */
const peers: RTCPeerConnection[] = [];
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
});

const video = () => [
  useH264({ rtcpFeedback: [useNACK()] }),
  new RTCRtpCodecParameters({ mimeType: 'video/rtx', clockRate: 90_000 }),
];

function newPeer(): RTCPeerConnection {
  const peer = new RTCPeerConnection({
    codecs: { video: video() },
    iceServers: [],
    iceAdditionalHostAddresses: ['127.0.0.1'],
  });
  peers.push(peer);
  return peer;
}

const askNobody = ({ iceTransports }: RTCPeerConnection) => {
  for (const { connection } of iceTransports) delete connection.stunServer;
};

/** A sender and a viewer on this machine, connected. */
async function connected() {
  const [viewer, peer] = [newPeer(), newPeer()];
  viewer.addTransceiver('video', { direction: 'recvonly' });
  const { sender } = peer.addTransceiver(new MediaStreamTrack({ kind: 'video' }), { direction: 'sendonly' });
  const offer = await viewer.createOffer();
  askNobody(viewer);
  await viewer.setLocalDescription(offer);
  await peer.setRemoteDescription(viewer.localDescription!);
  const answer = await peer.createAnswer();
  const asked = peer.iceTransports.map(({ connection }) => connection.stunServer);
  askNobody(peer);
  await peer.setLocalDescription(answer);
  await viewer.setRemoteDescription(peer.localDescription!);
  await expect.poll(() => [peer.connectionState, viewer.connectionState]).toEqual(['connected', 'connected']);
  return { viewer, peer, sender, asked };
}

/** Head of an RTP packet (RFC 3550 section 5.1). */
function headOf({ codec, ssrc }: RTCRtpSender, sequence: number): Buffer {
  const head = Buffer.alloc(12);
  head.set([0x80, codec!.payloadType]);
  head.writeUInt16BE(sequence, 2);
  head.writeUInt32BE(ssrc, 8);
  return head;
}

describe('what werift does not promise', () => {
  it('is where the gateway looks for it: servers, names, numbers and keys', async () => {
    const { peer, sender, asked } = await connected();
    const { srtp } = sender.dtlsTransport;
    const { profile, srtpSessionKey, srtpSessionSalt, srtpSessionAuthTag } = srtp.localContext;

    // Without the deletion it would ask a public server.
    expect(asked).toEqual([expect.arrayContaining([expect.any(String)])]);
    expect(peer.iceTransports.map(({ connection }) => connection.stunServer)).toEqual([undefined]);
    expect(peer.cname).toMatch(/\S+/);
    expect(sender.ssrc).toBeGreaterThan(0);
    expect(sender.rtxSsrc).toBeGreaterThan(0);
    expect(sender.rtxSsrc).not.toBe(sender.ssrc);
    expect(peer.localDescription!.sdp).toContain(`a=rtpmap:${sender.codec!.payloadType} H264/90000`);
    expect([1, 7]).toContain(profile);
    expect(srtpSessionKey).toHaveLength(16);
    expect(srtpSessionSalt).toHaveLength(14);
    expect(srtpSessionAuthTag).toHaveLength(20);
  });

  it('sends a report of ours, and hears what the viewer reports and misses', async () => {
    const { viewer, sender } = await connected();
    const [receiver] = viewer.getReceivers();
    const [reports, misses, arrived]: [number[], number[][], number[]] = [[], [], []];
    sender.onRtcp.subscribe(({ type }) => reports.push(type));
    sender.onGenericNack.subscribe(({ lost }) => misses.push(lost));
    receiver!.dtlsTransport.onRtcp.subscribe(({ type }) => arrived.push(type));

    await sender.dtlsTransport.sendRtcp([new RtcpRrPacket({ ssrc: sender.ssrc, reports: [] })]);
    await expect.poll(() => arrived).toContain(RtcpRrPacket.type);

    const { srtp, iceTransport } = sender.dtlsTransport;
    const { profile, srtpSessionKey: key, srtpSessionSalt: salt, srtpSessionAuthTag: auth } = srtp.localContext;
    const protect = srtpProtection({ profile, key, salt, auth });
    for (const sequence of [100, 104]) {
      await iceTransport.connection.send(protect(headOf(sender, sequence), Buffer.from([0x41, 1, 2]), 0));
    }
    await expect.poll(() => misses.flat()).toEqual(expect.arrayContaining([101, 102, 103]));
    expect(reports).not.toEqual([]);
  });
});
