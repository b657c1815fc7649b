import { RTCPeerConnection, RTCRtpCodecParameters, StunProtocol, useH264, useNACK, usePLI } from 'werift';

export type WhepViewer = {
  status: number;
  /** The server's text about its offer or its refusal. */
  body: string;
  location: string | null;
  /** RTP timestamps of the pictures that came whole, in their order. */
  pictures: number[];
  /** Types of the NAL units of the first picture. */
  firstTypes: number[];
  /** Packets that are missing between those that came. */
  missing: () => number;
  /** Packets that came after a later one: lost, and sent again. */
  late: () => number;
  /** When the last packet came, of the monotonic clock. */
  lastMs: () => number;
  state: () => string;
  close: () => Promise<void>;
};

type Options = {
  lossPercent?: number;
  rtx?: boolean;
  /** Size of its socket's receive buffer; without it the system's usual. */
  roomBytes?: number;
  /** Its addresses in addition to those of the machine. */
  addresses?: string[];
};

/** Watches a live sensor by WHEP without a browser, and counts what comes. */
export async function whepViewer(
  address: string,
  sensorId: string,
  headers: Record<string, string>,
  { lossPercent = 0, rtx = false, roomBytes, addresses = [] }: Options = {},
): Promise<WhepViewer> {
  // Lost packets are asked for again, as a browser does.
  const video = [useH264({ rtcpFeedback: [useNACK(), usePLI()] })];
  if (rtx) video.push(new RTCRtpCodecParameters({ mimeType: 'video/rtx', clockRate: 90_000 }));
  // The library drops what is above this share.
  const debug = lossPercent > 0 ? { inboundPacketLoss: 100 - lossPercent } : {};
  const here = { iceServers: [], iceAdditionalHostAddresses: addresses };
  const peer = new RTCPeerConnection({ codecs: { video }, ...here, debug });
  const pictures: number[] = [];
  const firstTypes: number[] = [];
  const sequences = new Set<number>();
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let late = 0;
  let lastMs = 0;
  peer.onTrack.subscribe((track) => {
    track.onReceiveRtp.subscribe(({ header, payload }) => {
      lastMs = performance.now();
      const sequence = unwrapped(header.sequenceNumber, highest);
      if (sequence < highest) late += 1;
      lowest = Math.min(lowest, sequence);
      highest = Math.max(highest, sequence);
      sequences.add(sequence);
      if (pictures.length === 0) firstTypes.push(payload[0]! & 0x1f);
      if (header.marker) pictures.push(header.timestamp);
    });
  });
  if (roomBytes !== undefined) peer.connectionStateChange.subscribe(() => widen(peer, roomBytes));
  peer.addTransceiver('video', { direction: 'recvonly' });
  const offer = await peer.createOffer();
  // The library would ask a public server for its address.
  for (const { connection } of peer.iceTransports) delete connection.stunServer;
  await peer.setLocalDescription(offer);
  const answer = await fetch(`${address}/api/live/${sensorId}/whep`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/sdp' },
    body: peer.localDescription!.sdp,
  });
  const body = await answer.text();
  if (answer.status === 201) await peer.setRemoteDescription({ type: 'answer', sdp: body });
  return {
    status: answer.status,
    body,
    location: answer.headers.get('location'),
    pictures,
    firstTypes,
    missing: () => (sequences.size === 0 ? 0 : highest - lowest + 1 - sequences.size),
    late: () => late,
    lastMs: () => lastMs,
    state: () => peer.connectionState,
    close: () => peer.close(),
  };
}

function widen({ iceTransports }: RTCPeerConnection, roomBytes: number): void {
  for (const { connection } of iceTransports) {
    const protocol = connection.nominated?.protocol;
    if (protocol instanceof StunProtocol) protocol.transport.socket.setRecvBufferSize(roomBytes);
  }
}

/** The number near the highest so far that has these 16 bits. */
function unwrapped(sequence: number, highest: number): number {
  if (!Number.isFinite(highest)) return sequence;
  const round = 2 ** 16;
  return sequence + Math.round((highest - sequence) / round) * round;
}
