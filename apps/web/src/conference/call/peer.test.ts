import { expect, it, onTestFinished, vi } from 'vitest';
import { openPeer, type Tracks } from './peer.ts';

/** Sending at most, to all others together. */
const MOST_BITS = 2_000_000;
const HEADERS_SHARE = 1.08;

/** Connections as a peer needs them, which keep the limits of their three senders. */
function connections() {
  const made: { configuration: RTCConfiguration; senders: { limit: number }[] }[] = [];
  class Connection {
    connectionState = 'new';
    signalingState = 'stable';
    remoteDescription = null;
    localDescription = { sdp: 'v=0' };
    readonly transceivers: object[] = [];
    readonly own: (typeof made)[number];
    constructor(configuration: RTCConfiguration) {
      this.own = { configuration, senders: [] };
      made.push(this.own);
    }
    createDataChannel = () => ({ close: () => undefined });
    getTransceivers = () => this.transceivers;
    addTransceiver() {
      const kept = { limit: Number.POSITIVE_INFINITY };
      this.own.senders.push(kept);
      const sender = {
        track: null as MediaStreamTrack | null,
        replaceTrack: async (track: MediaStreamTrack | null) => {
          sender.track = track;
        },
        getParameters: () => ({ encodings: [{}] }),
        setParameters: async ({ encodings }: { encodings: { maxBitrate: number }[] }) => {
          kept.limit = encodings[0]!.maxBitrate;
        },
      };
      this.transceivers.push({ sender });
    }
    createOffer = async () => ({});
    setLocalDescription = async () => undefined;
    close = () => undefined;
  }
  vi.stubGlobal('RTCPeerConnection', Connection);
  onTestFinished(() => void vi.unstubAllGlobals());
  return made;
}

const track = { kind: 'video' } as MediaStreamTrack;
const iceServers = [{ urls: 'turn:relay.example.org', username: 'birk', credential: 'until-noon' }];

it.each([
  [1, 'a camera', { sound: track, camera: track, screen: null }],
  [5, 'a camera', { sound: track, camera: track, screen: null }],
  [1, 'camera and screen', { sound: track, camera: track, screen: track }],
  [5, 'camera and screen', { sound: track, camera: track, screen: track }],
] as [number, string, Tracks][])('to %i others with %s goes less than 2 Mbit/s', async (others, _what, tracks) => {
  const made = connections();
  const peers = Array.from({ length: others }, () =>
    openPeer({
      ...{ calls: true, iceServers, tracks: () => tracks, others: () => others },
      ...{ say: async () => undefined, onMessage: () => undefined, onChange: () => undefined },
    }),
  );
  onTestFinished(() => {
    for (const peer of peers) peer.close();
  });

  await Promise.all(peers.map((peer) => peer.begin()));

  const sent = made.flatMap(({ senders }) =>
    [tracks.sound, tracks.camera, tracks.screen].map((one, at) => (one === null ? 0 : senders[at]!.limit)),
  );
  expect(sent.reduce((sum, bits) => sum + bits, 0) * HEADERS_SHARE).toBeLessThan(MOST_BITS);
  expect(made.map(({ configuration }) => configuration.iceServers)).toEqual(peers.map(() => iceServers));
});
