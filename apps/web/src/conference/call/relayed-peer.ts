import type { LivekitRoom } from './livekit.ts';
import type { Peer, PeerMessage, Signal } from './peer.ts';

type Deps = {
  username: string;
  /**
   * Returns the LiveKit room; null before there is a passphrase, or if a page of the site carries sound and pictures.
   */
  livekit: () => LivekitRoom | null;
  hasPage: boolean;
  say: (message: Signal) => Promise<void>;
  onMessage: (message: PeerMessage) => void;
};

/**
 * A member whose sound and pictures are transmitted by a conference server. Text messages are sent encrypted over the
 * server of the room.
 */
export function relayedPeer({ username, livekit, hasPage, say, onMessage }: Deps): Peer {
  let state: PeerMessage | null = null;
  let received = false;
  const notify = (message: PeerMessage) => void say({ kind: 'told', message });

  return {
    begin: () => Promise.resolve(),
    async receive(message) {
      if (message.kind !== 'told') return;
      onMessage(message.message);
      // A newcomer cannot decrypt the state that is sent when they join, since they have no passphrase yet. Once they
      // send a message they have one, so the state is sent again.
      if (!received && state !== null) notify(state);
      received = true;
    },
    update: () => Promise.resolve(),
    notify(message) {
      if (message.kind === 'state') state = message;
      notify(message);
    },
    track: (kind) => livekit()?.track(username, kind) ?? null,
    isConnected: () => hasPage || (livekit()?.isConnected(username) ?? false),
    isLost: () => false,
    isSpeaking: () => livekit()?.isSpeaking(username) ?? false,
    close: () => undefined,
  };
}
