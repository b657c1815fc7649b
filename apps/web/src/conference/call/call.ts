import {
  CONFERENCE_SOCKET_PATH,
  type ConferenceMember,
  type ConferenceMessage,
  conferenceMessage,
  createConferenceToken,
  getInfo,
} from '@osprey/contract';
import type { Api } from '../../api/api.ts';
import { errorText, isCode } from '../../base/transport-error.ts';
import { makePair, phraseOf } from './keys.ts';
import type { LivekitRoom } from './livekit.ts';
import { openPeer, type Peer, type PeerMessage, type PeerState, type Signal, signal, type Tracks } from './peer.ts';
import { relayedPeer } from './relayed-peer.ts';
import { callSecrets, type Secrets } from './secrets.ts';

const BACKOFF_MS = [500, 1000, 2000, 4000, 8000];
const CHAT_RETAINED = 200;
/**
 * Interval in milliseconds at which the page sends a message to itself over the socket. It must return before the next
 * one is due; otherwise the connection is considered lost, which the socket itself does not report.
 */
const ECHO_MS = 4000;

export type Phase =
  | { name: 'joining' }
  | { name: 'in' }
  | { name: 'again'; text: string }
  | { name: 'over'; text: string; mayReturn: boolean };

export type Person = {
  id: string;
  name: string;
  state: PeerState;
  /** State of the connection to the person: established, being established, or impossible. */
  line: 'up' | 'coming' | 'lost';
  sound: MediaStreamTrack | null;
  camera: MediaStreamTrack | null;
  screen: MediaStreamTrack | null;
};

export type ChatLine = { number: number; name: string; text: string; timeMs: number; own: boolean };

export type CallView = {
  phase: Phase;
  room: Extract<ConferenceMessage, { kind: 'welcome' }>['room'] | null;
  /** The other members, without the user. */
  people: readonly Person[];
  phrase: string | null;
  chat: readonly ChatLine[];
  own: PeerState;
  /** Address of a separate page of the site that carries sound and pictures, in its own window; null: none. */
  page: string | null;
};

export type CallDeps = {
  api: Api;
  /** Id or name of the room. */
  room: string;
  username: string;
  createSocket?: (address: string) => WebSocket;
};

export type Call = ReturnType<typeof startCall>;

const quiet: PeerState = { sound: false, camera: false, screen: false, hand: false };
const nothing: Tracks = { sound: null, camera: null, screen: null };

type Welcome = Extract<ConferenceMessage, { kind: 'welcome' }>;
type Joined = { socket: WebSocket; self: string; secrets: Secrets; media: Welcome['media']; atMs: number };

/** Validity of a conference server's token in milliseconds, minus the time needed to open its page. */
const TOKEN_VALIDITY_MS = 50_000;

/**
 * Starts a call: the socket, the members, and a connection to each of them. If the socket is disconnected, the call
 * joins again as a new member with new keys; the messages and the user's settings are kept.
 */
export function startCall({ api, room, username, createSocket = (address) => new WebSocket(address) }: CallDeps) {
  const listeners = new Set<() => void>();
  const peers = new Map<string, Peer>();
  const states = new Map<string, PeerState>();
  let members: ConferenceMember[] = [];
  let tracks = nothing;
  let livekit: LivekitRoom | null = null;
  let joined: Joined | null = null;
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let chatNumber = 0;
  let phraseNumber = 0;
  let view: CallView = {
    phase: { name: 'joining' },
    room: null,
    people: [],
    phrase: null,
    chat: [],
    own: quiet,
    page: null,
  };

  function change(part: Partial<CallView>): void {
    view = { ...view, ...part };
    for (const listener of listeners) listener();
  }

  function personOf({ id, name }: ConferenceMember): Person {
    const peer = peers.get(id);
    const state = states.get(id) ?? quiet;
    const line = peer?.isConnected() ? 'up' : peer?.isLost() ? 'lost' : 'coming';
    const shown = (kind: 'camera' | 'screen') => (state[kind] ? (peer?.track(kind) ?? null) : null);
    return {
      id,
      name,
      state,
      line,
      sound: peer?.track('sound') ?? null,
      camera: shown('camera'),
      screen: shown('screen'),
    };
  }

  const showPeople = () => change({ people: members.filter(({ id }) => id !== joined?.self).map(personOf) });

  function showPhrase(): void {
    const number = ++phraseNumber;
    const { room: shown } = view;
    if (shown === null || members.length < 2) {
      change({ phrase: null });
      return;
    }
    void phraseOf(
      shown._id,
      members.map(({ key }) => key),
    ).then((phrase) => number === phraseNumber && change({ phrase }));
  }

  function drop(id: string): void {
    peers.get(id)?.close();
    peers.delete(id);
    states.delete(id);
  }

  /**
   * Connects to each member to whom there is no connection yet. Requires the passphrase, since no message can be
   * encrypted without it.
   */
  function meet(): void {
    if (joined === null || !joined.secrets.hasPassphrase()) return;
    void followPassphrase(joined);
    for (const { id } of members) if (id !== joined.self && !peers.has(id)) meetOne(joined, id);
    showPeople();
  }

  /** Joins the room of the conference server, if there is one, and passes the passphrase to it. */
  async function followPassphrase({ media, secrets }: Joined): Promise<void> {
    if (media !== null && media.page === null && livekit === null) {
      const { openLivekit } = await import('./livekit.ts');
      if (joined?.secrets !== secrets) return;
      const { url, token } = media;
      livekit ??= openLivekit({ url, token, tracks: () => tracks, onChange: showPeople });
    }
    const passphrase = secrets.passphrase();
    if (passphrase !== null) await livekit?.setPassphrase(passphrase);
  }

  function meetOne({ self, secrets, media }: Joined, id: string): void {
    const place = (requested: string) => members.findIndex((member) => member.id === requested);
    const lines = {
      // A message for a member who has left in the meantime is dropped.
      say: (message: Signal) => secrets.say(id, message).catch(() => undefined),
      onMessage(message: PeerMessage) {
        if (!peers.has(id)) return;
        if (message.kind === 'chat') return onChat(id, message.text);
        const { kind: _, ...state } = message;
        states.set(id, state);
        showPeople();
      },
    };
    const username = members.find((member) => member.id === id)?.name ?? '';
    const peer =
      media === null
        ? openPeer({
            ...lines,
            calls: place(self) > place(id),
            iceServers,
            tracks: () => tracks,
            others: () => members.length - 1,
            onChange: showPeople,
          })
        : relayedPeer({ ...lines, username, livekit: () => livekit, hasPage: media.page !== null });
    peers.set(id, peer);
    peer.notify({ kind: 'state', ...view.own });
    void peer.begin();
  }

  function addLine(name: string, text: string, own: boolean): void {
    chatNumber += 1;
    const line = { number: chatNumber, name, text, timeMs: Date.now(), own };
    change({ chat: [...view.chat, line].slice(-CHAT_RETAINED) });
  }

  function onChat(id: string, text: string): void {
    const member = members.find((one) => one.id === id);
    if (member) addLine(member.name, text, false);
  }

  async function onMessage(message: ConferenceMessage, pair: Awaited<ReturnType<typeof makePair>>, socket: WebSocket) {
    if (message.kind === 'welcome') {
      members = message.members;
      const secrets = callSecrets({
        ...{ pair, room: message.room._id, self: message.self, members: () => members },
        send: (to, data) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify({ to, data })),
        onPassphrase: meet,
      });
      joined = { socket, self: message.self, secrets, media: message.media, atMs: performance.now() };
      tries = 0;
      change({ phase: { name: 'in' }, room: message.room, page: message.media?.page ?? null });
      showPhrase();
      showPeople();
      await secrets.begin();
    } else if (message.kind === 'joined') {
      members = [...members, message.member];
      showPhrase();
      meet();
      void updatePeers();
      await joined?.secrets.joined(message.member.id);
    } else if (message.kind === 'left') {
      members = members.filter(({ id }) => id !== message.id);
      drop(message.id);
      showPhrase();
      showPeople();
      void updatePeers();
      await joined?.secrets.left();
    } else if (message.kind === 'relay') {
      await onSealed(message.from, message.data);
    } else {
      const mayReturn = message.reason === 'elsewhere' || message.reason === 'refused';
      if (message.reason === 'again') return;
      end({ name: 'over', text: message.text, mayReturn });
    }
  }

  async function onSealed(from: string, data: string): Promise<void> {
    const message = signal.safeParse(await joined?.secrets.receive(from, data));
    // A member who left while the message was being decrypted has no peer any more, and must not get a new one by this
    // offer.
    if (message.success && members.some(({ id }) => id === from)) {
      meet();
      void peers.get(from)?.receive(message.data);
    }
  }

  const updatePeers = () => Promise.all([...peers.values(), ...(livekit ? [livekit] : [])].map((one) => one.update()));

  let iceServers: RTCIceServer[] = [];

  async function join(): Promise<void> {
    timer = null;
    try {
      const info = await api.call(getInfo, {});
      iceServers = (info.iceServers ?? []).map(({ urls, username: name, credential }) => ({
        urls,
        ...(name === undefined ? {} : { username: name }),
        ...(credential === undefined ? {} : { credential }),
      }));
      const { token } = await api.call(createConferenceToken, { body: { name: room, participantName: username } });
      const pair = await makePair();
      if (view.phase.name === 'over') return;
      open(token, pair);
    } catch (error) {
      if (view.phase.name === 'over') return;
      const isFinal = ['notFound', 'forbidden', 'notSignedIn', 'unauthorized', 'conferenceOff', 'roomFull'] as const;
      if (isFinal.some((code) => isCode(error, code))) {
        end({ name: 'over', text: errorText(error), mayReturn: isCode(error, 'roomFull') });
      } else later(errorText(error));
    }
  }

  function open(token: string, pair: Awaited<ReturnType<typeof makePair>>): void {
    const socket = createSocket(`${location.origin.replace(/^http/, 'ws')}${CONFERENCE_SOCKET_PATH}`);
    let waiting: Promise<void> = Promise.resolve();
    let echoed = true;
    const listening = setInterval(() => {
      if (socket.readyState !== WebSocket.OPEN || joined?.socket !== socket) return;
      if (!echoed) return closed();
      echoed = false;
      socket.send(JSON.stringify({ to: joined.self, data: 'echo' }));
    }, ECHO_MS);
    socket.onopen = () => socket.send(JSON.stringify({ token, key: pair.publicKey }));
    socket.onmessage = ({ data }) => {
      const parsed = conferenceMessage.safeParse(JSON.parse(String(data)));
      if (!parsed.success) return;
      // Messages are handled in order. But a member who leaves is dropped immediately, even while earlier messages are
      // still being decrypted.
      const message = parsed.data;
      if (message.kind === 'left') {
        members = members.filter(({ id }) => id !== message.id);
        drop(message.id);
      }
      echoed = true;
      waiting = waiting
        .then(() => onMessage(message, pair, socket))
        .catch((error: unknown) => console.warn('A message of the room was not understood', error));
    };
    socket.onclose = closed;

    function closed(): void {
      clearInterval(listening);
      socket.onclose = null;
      socket.onmessage = null;
      socket.close();
      void waiting.then(() => {
        if (view.phase.name === 'over') return;
        leaveAll();
        later('');
      });
    }
  }

  function later(text: string): void {
    const wait = BACKOFF_MS[Math.min(tries, BACKOFF_MS.length - 1)] ?? 0;
    tries += 1;
    change({ phase: { name: 'again', text } });
    timer ??= setTimeout(() => void join(), wait);
  }

  function leaveAll(): void {
    for (const id of [...peers.keys()]) drop(id);
    livekit?.close();
    livekit = null;
    members = [];
    joined = null;
    showPhrase();
    showPeople();
  }

  function end(phase: Phase): void {
    change({ phase });
    const socket = joined?.socket;
    leaveAll();
    socket?.close();
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  function setOwn(own: PeerState): void {
    change({ own });
    for (const peer of peers.values()) peer.notify({ kind: 'state', ...own });
  }

  function onOnline(): void {
    if (timer === null) return;
    clearTimeout(timer);
    void join();
  }
  window.addEventListener('online', onOnline);

  void join();

  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    view: (): CallView => view,
    username,
    tracks: (): Tracks => tracks,

    /** Sets the tracks that are sent from now on; null ends a track. */
    setTracks(part: Partial<Tracks>): void {
      tracks = { ...tracks, ...part };
      const { hand } = view.own;
      const { sound, camera, screen } = tracks;
      setOwn({ sound: sound?.enabled === true, camera: camera !== null, screen: screen !== null, hand });
      void updatePeers();
    },
    /** Updates the user's own state after a track was muted or unmuted in place. */
    refreshOwn(): void {
      setOwn({ ...view.own, sound: tracks.sound?.enabled === true });
    },
    setHand: (hand: boolean): void => setOwn({ ...view.own, hand }),

    say(text: string): void {
      const trimmed = text.trim().slice(0, 2000);
      if (trimmed === '') return;
      for (const peer of peers.values()) peer.notify({ kind: 'chat', text: trimmed });
      addLine(username, trimmed, true);
    },

    /** Returns the ids of the other members who are currently speaking. */
    speaking: (): string[] => [...peers].filter(([, peer]) => peer.isSpeaking()).map(([id]) => id),
    /**
     * Returns the address of the conference page of the site. The secrets that open the room are in its fragment, which
     * no server sees. Null before there is a passphrase, or if the token is too old; in that case the call joins again
     * to obtain a new token.
     */
    addressOfPage(): string | null {
      const passphrase = joined?.secrets.passphrase();
      if (!joined?.media?.page || !passphrase) return null;
      if (performance.now() - joined.atMs > TOKEN_VALIDITY_MS) {
        joined.socket.close();
        return null;
      }
      const { url: liveKitUrl, token, page } = joined.media;
      return `${page}#${new URLSearchParams({ liveKitUrl, token, passphrase })}`;
    },

    leave(): void {
      end({ name: 'over', text: '', mayReturn: true });
    },
    close(): void {
      window.removeEventListener('online', onOnline);
      if (view.phase.name !== 'over') end({ name: 'over', text: '', mayReturn: true });
      listeners.clear();
    },
  };
}
