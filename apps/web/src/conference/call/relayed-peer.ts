import type { LivekitRoom } from './livekit.ts';
import type { Peer, PeerMessage, Signal } from './peer.ts';

type Deps = {
  username: string;
  /** Null before there is a passphrase, and where a page of the site carries sound and pictures. */
  livekit: () => LivekitRoom | null;
  hasPage: boolean;
  say: (message: Signal) => Promise<void>;
  onMessage: (message: PeerMessage) => void;
};

/** A member whose sound and pictures come over a conference server; words go sealed over the server of the room. */
export function relayedPeer({ username, livekit, hasPage, say, onMessage }: Deps): Peer {
  return {
    begin: () => Promise.resolve(),
    async hear(message) {
      if (message.kind === 'told') onMessage(message.message);
    },
    update: () => Promise.resolve(),
    tell: (message) => void say({ kind: 'told', message }),
    track: (kind) => livekit()?.track(username, kind) ?? null,
    isConnected: () => hasPage || (livekit()?.isConnected(username) ?? false),
    isLost: () => false,
    isSpeaking: () => livekit()?.isSpeaking(username) ?? false,
    close: () => undefined,
  };
}
