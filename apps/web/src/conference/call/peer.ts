import { z } from 'zod';

/** Bit rate of all pictures together, in bits per second; sound and headers take what is left below 2 Mbit/s. */
const PICTURES_BITS = 1_600_000;
const SOUND_BITS = 40_000;
/** Share of the bit rate to another member that a shared screen gets, since text needs more than a face. */
const SCREEN_SHARE = 0.75;
const RETRY_MS = 8000;
/** Minimum sound level (0 to 1) that counts as speaking; lower levels are background noise. */
const LOUD = 0.02;

/** Order of the media in every session description, by which both sides identify them. */
export const mediaKinds = ['sound', 'camera', 'screen'] as const;
export type MediaKind = (typeof mediaKinds)[number];
const kindOf = { sound: 'audio', camera: 'video', screen: 'video' } as const;

/** The user's own tracks; null where there is none. */
export type Tracks = Record<MediaKind, MediaStreamTrack | null>;

/** Messages that one browser sends to another. */
export const peerMessage = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('state'),
    sound: z.boolean(),
    camera: z.boolean(),
    screen: z.boolean(),
    hand: z.boolean(),
  }),
  z.object({ kind: z.literal('chat'), text: z.string().min(1).max(2000) }),
]);
export type PeerMessage = z.output<typeof peerMessage>;
export type PeerState = Omit<Extract<PeerMessage, { kind: 'state' }>, 'kind'>;

/** Encrypted messages with which two members set up their connection. */
export const signal = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('offer'), sdp: z.string().max(30_000) }),
  z.object({ kind: z.literal('answer'), sdp: z.string().max(30_000) }),
  z.object({
    kind: z.literal('candidate'),
    candidate: z.object({ candidate: z.string().max(2000), sdpMid: z.string().max(16).nullable() }),
  }),
  // Used if a conference server carries sound and pictures: the members then have no direct connection for such
  // messages.
  z.object({ kind: z.literal('told'), message: peerMessage }),
]);
export type Signal = z.output<typeof signal>;

export type PeerDeps = {
  /** Whether this side makes the offer. The newcomer does; the earlier member only answers. */
  calls: boolean;
  iceServers: RTCIceServer[];
  tracks: () => Tracks;
  /** Number of other members, which share the bit rate. */
  others: () => number;
  say: (message: Signal) => Promise<void>;
  onMessage: (message: PeerMessage) => void;
  onChange: () => void;
};

/** Another member, regardless of how their sound and pictures are transmitted. */
export type Peer = {
  /** Starts connecting; the side that answers waits instead. */
  begin: () => Promise<void>;
  receive: (message: Signal) => Promise<void>;
  /** Called when this side's tracks or the number of other members have changed. */
  update: () => Promise<void>;
  /** Sends a message to the member. A state is also sent later, once the member has connected. */
  notify: (message: PeerMessage) => void;
  track: (kind: MediaKind) => MediaStreamTrack | null;
  isConnected: () => boolean;
  /** True while the connection is lost or could not be established. */
  isLost: () => boolean;
  /** Whether the member's sound is loud enough to count as speaking. */
  isSpeaking: () => boolean;
  close: () => void;
};

/**
 * Opens the connection to one other member. Session descriptions are exchanged encrypted, so the certificate
 * fingerprints in them can only come from that member.
 */
export function openPeer({ calls, iceServers, tracks, others, say, onMessage, onChange }: PeerDeps): Peer {
  const connection = new RTCPeerConnection({ iceServers, bundlePolicy: 'max-bundle' });
  const channel = connection.createDataChannel('words', { negotiated: true, id: 0 });
  const early: RTCIceCandidateInit[] = [];
  let waiting: Promise<void> = Promise.resolve();
  let closed = false;
  let greeting: PeerMessage | null = null;

  connection.onicecandidate = ({ candidate }) => {
    if (candidate === null) return;
    void say({ kind: 'candidate', candidate: { candidate: candidate.candidate, sdpMid: candidate.sdpMid } });
  };
  connection.onconnectionstatechange = () => {
    if (connection.connectionState === 'connected') void capSending();
    if (connection.connectionState === 'failed' && calls) callAgain();
    onChange();
  };
  connection.ontrack = onChange;
  channel.onopen = () => {
    if (greeting !== null) channel.send(JSON.stringify(greeting));
    onChange();
  };
  channel.onmessage = ({ data }) => {
    const parsed = peerMessage.safeParse(jsonOf(data));
    if (parsed.success) onMessage(parsed.data);
  };

  // Repeats the offer in case messages were lost while keys changed.
  const retry = setInterval(() => {
    const { connectionState } = connection;
    if (calls && connectionState !== 'connected' && connectionState !== 'connecting') callAgain();
  }, RETRY_MS);

  function inTurn(step: () => Promise<void>): Promise<void> {
    waiting = waiting.then(step).catch((error: unknown) => {
      if (!closed) console.warn('A step towards a member failed', error);
    });
    return waiting;
  }

  async function putTracks(): Promise<void> {
    const own = tracks();
    const transceivers = connection.getTransceivers();
    for (const [at, kind] of mediaKinds.entries()) {
      const transceiver = transceivers[at];
      if (transceiver !== undefined && transceiver.sender.track !== own[kind]) {
        await transceiver.sender.replaceTrack(own[kind]);
      }
    }
    await capSending();
  }

  async function capSending(): Promise<void> {
    const own = tracks();
    const share = PICTURES_BITS / Math.max(1, others());
    const bits = {
      sound: SOUND_BITS,
      camera: Math.floor(own.screen === null ? share : share * (1 - SCREEN_SHARE)),
      screen: Math.floor(share * SCREEN_SHARE),
    };
    for (const [at, kind] of mediaKinds.entries()) {
      const sender = connection.getTransceivers()[at]?.sender;
      const parameters = sender?.getParameters();
      if (sender === undefined || !parameters?.encodings?.[0]) continue;
      parameters.encodings[0].maxBitrate = bits[kind];
      await sender.setParameters(parameters);
    }
  }

  function call(restart: boolean): Promise<void> {
    return inTurn(async () => {
      if (connection.getTransceivers().length === 0) {
        for (const kind of mediaKinds) connection.addTransceiver(kindOf[kind], { direction: 'sendrecv' });
        await putTracks();
      }
      await connection.setLocalDescription(await connection.createOffer({ iceRestart: restart }));
      await say({ kind: 'offer', sdp: connection.localDescription?.sdp ?? '' });
    });
  }
  const callAgain = () => void call(true);

  async function takeEarly(): Promise<void> {
    for (const candidate of early.splice(0)) await connection.addIceCandidate(candidate);
  }

  return {
    begin: () => (calls ? call(false) : Promise.resolve()),

    receive: (message: Signal): Promise<void> =>
      inTurn(async () => {
        if (message.kind === 'candidate') {
          if (connection.remoteDescription === null) early.push(message.candidate);
          else await connection.addIceCandidate(message.candidate);
        } else if (message.kind === 'answer') {
          if (!calls || connection.signalingState !== 'have-local-offer') return;
          await connection.setRemoteDescription({ type: 'answer', sdp: message.sdp });
          await takeEarly();
        } else if (message.kind === 'offer' && !calls) {
          await connection.setRemoteDescription({ type: 'offer', sdp: message.sdp });
          for (const transceiver of connection.getTransceivers()) transceiver.direction = 'sendrecv';
          await putTracks();
          await connection.setLocalDescription(await connection.createAnswer());
          await say({ kind: 'answer', sdp: connection.localDescription?.sdp ?? '' });
          await takeEarly();
        }
      }),

    update: (): Promise<void> => inTurn(putTracks),

    notify(message: PeerMessage): void {
      if (message.kind === 'state') greeting = message;
      if (channel.readyState === 'open') channel.send(JSON.stringify(message));
    },

    track: (kind: MediaKind): MediaStreamTrack | null =>
      connection.getTransceivers()[mediaKinds.indexOf(kind)]?.receiver.track ?? null,

    isConnected: (): boolean => connection.connectionState === 'connected',
    isLost: (): boolean => connection.connectionState === 'failed' || connection.connectionState === 'disconnected',

    isSpeaking(): boolean {
      const receiver = connection.getTransceivers()[0]?.receiver;
      return (receiver?.getSynchronizationSources()[0]?.audioLevel ?? 0) > LOUD;
    },

    close(): void {
      closed = true;
      clearInterval(retry);
      channel.close();
      connection.close();
    },
  };
}

function jsonOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
