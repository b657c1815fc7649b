import { ExternalE2EEKeyProvider, Room, RoomEvent, Track } from 'livekit-client';
import E2EEWorker from 'livekit-client/e2ee-worker?worker';
import type { Passphrase } from './keys.ts';
import { type MediaKind, mediaKinds, type Tracks } from './peer.ts';

const sourceOf = {
  sound: Track.Source.Microphone,
  camera: Track.Source.Camera,
  screen: Track.Source.ScreenShare,
} as const;
/** Bit rates in bits per second; together with a voice they stay below 2 Mbit/s. */
const bitsOf = { camera: 500_000, screen: 1_200_000 };

export type LivekitRoom = ReturnType<typeof openLivekit>;

type Deps = { url: string; token: string; tracks: () => Tracks; onChange: () => void };

/**
 * Connects to the room of a LiveKit server. The server forwards media that it cannot decrypt, since the key is the
 * passphrase of the room.
 */
export function openLivekit({ url, token, tracks, onChange }: Deps) {
  // While the key changes, frames may arrive before their key; such decryption failures must not end decryption, so
  // there is no limit of failures.
  const keys = new ExternalE2EEKeyProvider({ failureTolerance: -1 });
  const worker = new E2EEWorker();
  const room = new Room({ encryption: { keyProvider: keys, worker } });
  let waiting: Promise<void> = Promise.resolve();
  let begun = false;
  const { TrackSubscribed, TrackUnsubscribed, ActiveSpeakersChanged, ConnectionStateChanged } = RoomEvent;
  for (const event of [TrackSubscribed, TrackUnsubscribed, ActiveSpeakersChanged, ConnectionStateChanged] as const) {
    room.on(event, () => onChange());
  }

  function inTurn(step: () => Promise<void>): Promise<void> {
    waiting = waiting.then(step).catch((error: unknown) => console.warn('A step towards the server failed', error));
    return waiting;
  }

  async function putTracks(): Promise<void> {
    if (room.state !== 'connected') return;
    const own = tracks();
    for (const kind of mediaKinds) {
      const published = room.localParticipant.getTrackPublication(sourceOf[kind])?.track;
      const requested = own[kind];
      if (published?.mediaStreamTrack === (requested ?? undefined)) continue;
      if (published !== undefined) await room.localParticipant.unpublishTrack(published, false);
      if (requested === null) continue;
      await room.localParticipant.publishTrack(requested, {
        source: sourceOf[kind],
        ...(kind === 'sound' ? {} : { simulcast: false, videoEncoding: { maxBitrate: bitsOf[kind] } }),
      });
    }
  }

  const of = (username: string) => room.getParticipantByIdentity(username);

  return {
    /** Sets the passphrase. The first one also connects to the room, so that nothing is sent unencrypted. */
    setPassphrase: (passphrase: Passphrase): Promise<void> =>
      inTurn(async () => {
        await keys.setKey(passphrase);
        if (begun) return;
        begun = true;
        await room.setE2EEEnabled(true);
        await room.connect(url, token);
        await putTracks();
      }),
    update: (): Promise<void> => inTurn(putTracks),
    track: (username: string, kind: MediaKind): MediaStreamTrack | null =>
      of(username)?.getTrackPublication(sourceOf[kind])?.track?.mediaStreamTrack ?? null,
    isConnected: (username: string): boolean => room.state === 'connected' && of(username) !== undefined,
    isSpeaking: (username: string): boolean => of(username)?.isSpeaking ?? false,
    close(): void {
      void room.disconnect(false);
      worker.terminate();
    },
  };
}
