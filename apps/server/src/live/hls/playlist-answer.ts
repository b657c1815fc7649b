import { AppError } from '@osprey/contract';
import type { Watched } from '../coordination/live-sight.ts';
import type { RecorderMirror } from '../coordination/mirror.ts';
import type { RingChanges } from './changes.ts';
import { dvrPlaylist, ofRecording, ofRing, type Rewindable } from './dvr-playlist.ts';
import { answersReload, hasWhole, isTooFarAhead, llPlaylist, type Reload } from './ll-playlist.ts';
import type { numbering } from './numbering.ts';
import { patienceSeconds } from './tags.ts';

type Asked = { reload: Reload | null; token: string | null; signal: AbortSignal };

type Deps = {
  mirror: Pick<RecorderMirror, 'ring' | 'segments' | 'recordedAs'>;
  changes: Pick<RingChanges, 'until'>;
  /** Asked again after each wait: what may be seen may have changed. Throws where nothing may. */
  mayWatch: (sensorId: string) => Promise<Pick<Watched, 'mission'>>;
};

/**
 * Playlists of one request. What is not there yet is waited for, for as long as three segments take; then the stream
 * has most likely stopped, and the list is answered as it stands, for a player to ask again.
 *
 * @throws AppError unavailable where there is no list yet, or none any more; invalid for what cannot come
 */
export function playlistAnswers(number: ReturnType<typeof numbering>) {
  async function lowLatency(sensorId: string, asked: Asked, { mirror, changes, mayWatch }: Deps): Promise<string> {
    const { reload, token, signal } = asked;
    const ring = () => mirror.ring(sensorId);
    if (reload && isTooFarAhead(ring(), reload)) throw tooFar();
    const isThere = () => (reload ? answersReload(ring(), reload) : hasWhole(ring()));
    await changes.until({ sensorId, isThere }, { seconds: patienceSeconds(ring()), signal });
    await mayWatch(sensorId);
    if (!hasWhole(ring())) throw new AppError('unavailable');
    return llPlaylist(ring(), token);
  }

  async function rewindable(sensorId: string, asked: Asked, { mirror, changes, mayWatch }: Deps): Promise<string> {
    const { reload, token, signal } = asked;
    const list = (): Rewindable => {
      const recorded = mirror.recordedAs(sensorId);
      if (recorded === null) return ofRing(mirror.ring(sensorId));
      return ofRecording(recorded.recording.missionId, recorded.sensor.files, mirror.segments);
    };
    const numbered = () => number(sensorId, list());
    const next = ({ firstN, segments }: Rewindable) => firstN + segments.length;
    const first = numbered();
    if (reload && reload.msn > next(first) + 1) throw tooFar();
    const isThere = () => {
      const now = numbered();
      return next(now) > (reload?.msn ?? 0) && now.segments.length > 0;
    };
    await changes.until({ sensorId, isThere }, { seconds: patienceSeconds(first.segments), signal });
    const { mission } = await mayWatch(sensorId);
    // What was decided for the platform alone is no answer once a recording has begun.
    const recorded = mirror.recordedAs(sensorId)?.recording.missionId ?? null;
    const last = numbered();
    if (last.segments.length === 0 || recorded !== (mission?.id ?? null)) throw new AppError('unavailable');
    return dvrPlaylist(last, token);
  }

  return { lowLatency, rewindable };
}

const tooFar = () => new AppError('invalid', { _HLS_msn: 'This is too far ahead.' });
