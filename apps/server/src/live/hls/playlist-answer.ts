import { AppError } from '@osprey/contract';
import type { Watched } from '../rows/live-access.ts';
import type { RecorderMirror } from '../rows/mirror.ts';
import type { RingChanges } from './changes.ts';
import { answersReload, hasComplete, isTooFarAhead, llPlaylist, type Reload } from './ll-playlist.ts';
import type { Numbering } from './numbering.ts';
import { type PlaylistText, playlistText, rewindLists } from './rewind-lists.ts';
import { patienceSeconds } from './tags.ts';

type Asked = {
  reload: Reload | null;
  /** True if the player has the previous list and accepts a delta update. */
  skip: boolean;
  token: string | null;
  signal: AbortSignal;
  /** Called again after each wait, as the viewer's rights may have changed. Throws if nothing may be watched. */
  mayWatch: (sensorId: string) => Promise<Pick<Watched, 'mission'>>;
};

type Deps = {
  mirror: Pick<RecorderMirror, 'ring' | 'segments' | 'recordedAs'>;
  changes: Pick<RingChanges, 'until'>;
  numbers: Numbering;
};

/**
 * Builds playlists for requests. A blocking reload waits for missing segments, for at most the duration of three; after
 * that the stream has most likely stopped, and the current list is sent.
 *
 * @throws AppError liveStarting if there is no list yet, or no list any more; invalid for segments that cannot exist
 */
export function playlistAnswers({ mirror, changes, numbers }: Deps) {
  const rewindList = rewindLists({ mirror, number: numbers.number });

  async function lowLatency(sensorId: string, { reload, token, signal, mayWatch }: Asked): Promise<PlaylistText> {
    const ring = () => mirror.ring(sensorId);
    if (reload && isTooFarAhead(ring(), reload)) throw tooFar();
    const isThere = () => (reload ? answersReload(ring(), reload) : hasComplete(ring()));
    await changes.until({ sensorId, isThere }, { seconds: patienceSeconds(ring()), signal });
    await mayWatch(sensorId);
    if (!hasComplete(ring())) throw new AppError('liveStarting');
    return playlistText(llPlaylist(ring(), token));
  }

  async function rewindable(sensorId: string, asked: Asked): Promise<PlaylistText> {
    const { reload, skip, token, signal, mayWatch } = asked;
    await numbers.load(sensorId);
    const list = () => rewindList(sensorId);
    const first = list();
    // Without a segment the numbers are unknown: the recorder may not have connected yet.
    if (reload && first.segments.length > 0 && reload.msn > first.next + 1) throw tooFar();
    const isThere = () => list().segments.length > 0 && list().next > (reload?.msn ?? 0);
    await changes.until({ sensorId, isThere }, { seconds: patienceSeconds(first.segments), signal });
    const { mission } = await mayWatch(sensorId);
    // Rights checked for the platform alone are not sufficient once a recording has begun.
    const recorded = mirror.recordedAs(sensorId)?.recording.missionId ?? null;
    const last = list();
    if (last.segments.length === 0 || recorded !== (mission?.id ?? null)) throw new AppError('liveStarting');
    await numbers.kept(sensorId);
    return last.text({ knownTo: skip && reload ? reload.msn : null, token });
  }

  return { lowLatency, rewindable };
}

const tooFar = () => new AppError('invalid', { _HLS_msn: 'This is too far ahead.' });
