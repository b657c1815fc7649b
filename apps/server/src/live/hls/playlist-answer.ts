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
  /** The player has the list that it asks the next of, and takes what is new of it alone. */
  skip: boolean;
  token: string | null;
  signal: AbortSignal;
  /** Asked again after each wait: what may be seen may have changed. Throws where nothing may. */
  mayWatch: (sensorId: string) => Promise<Pick<Watched, 'mission'>>;
};

type Deps = {
  mirror: Pick<RecorderMirror, 'ring' | 'segments' | 'recordedAs'>;
  changes: Pick<RingChanges, 'until'>;
  numbers: Numbering;
};

/**
 * Playlists of one request. A reload waits for segments that are not there yet, for as long as three of them take; then
 * the stream has most likely stopped, and the current list is answered, for a player to ask again.
 *
 * @throws AppError liveStarting if there is no list yet, or none any more; invalid for segments that cannot come
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
    // Without a segment the numbers are unknown: the recorder may not have been heard yet.
    if (reload && first.segments.length > 0 && reload.msn > first.next + 1) throw tooFar();
    const isThere = () => list().segments.length > 0 && list().next > (reload?.msn ?? 0);
    await changes.until({ sensorId, isThere }, { seconds: patienceSeconds(first.segments), signal });
    const { mission } = await mayWatch(sensorId);
    // An answer for the platform alone is not valid once a recording has begun.
    const recorded = mirror.recordedAs(sensorId)?.recording.missionId ?? null;
    const last = list();
    if (last.segments.length === 0 || recorded !== (mission?.id ?? null)) throw new AppError('liveStarting');
    await numbers.kept(sensorId);
    return last.text({ knownTo: skip && reload ? reload.msn : null, token });
  }

  return { lowLatency, rewindable };
}

const tooFar = () => new AppError('invalid', { _HLS_msn: 'This is too far ahead.' });
