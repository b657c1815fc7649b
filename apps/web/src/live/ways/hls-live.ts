import { getLivePlaylist } from '@osprey/contract';
import type Hls from 'hls.js';
import type { ErrorData, Fragment } from 'hls.js';
import { addressOf } from '../../api/http-api.ts';
import type * as HlsCode from '../../player/hls/hls-code.ts';
import { loadHls, PLAIN_VIDEO } from '../../player/hls/load-hls.ts';
import { hlsLivePoint, USUAL_BEHIND_S } from '../clock/hls-live-point.ts';
import { holdLiveEdge } from '../clock/hold-live-edge.ts';
import { skipDamage } from '../clock/skip-damage.ts';
import { texts } from '../texts.ts';
import type { LiveProblem, LiveSource, SourceDeps } from './live-source.ts';

type Options = SourceDeps & {
  mode: 'll' | 'dvr';
  /** Delay in seconds at which playback begins; 0: at live. */
  behindS: number;
};

/**
 * Distance in seconds from the start of a playlist that begins later than the requested position. It prevents the next
 * update of the playlist from dropping that position as well.
 */
const INTO_S = 1;

/**
 * Seconds by which the low-latency mode moves its position back each time playback stalled. The library's default of a
 * second would be too much, since it is permanent.
 */
const STALL_S = 0.25;

/** Plays a live sensor over HLS, either with low latency and partial segments, or with rewind. */
export function openLiveHls({ video, sensorId, mode, behindS, onConnected, onProblem }: Options): LiveSource {
  const url = addressOf(getLivePlaylist.path, { params: { sensor: sensorId }, query: { mode } });
  let hls: Hls | null = null;
  let ticksAt = (_mediaTime: number): number | null => null;
  let ended = false;
  /** True if playback is kept at live; false if it is at a position that the user has rewound to. */
  let following = behindS === 0;
  /** Number of times that the buffer was empty. */
  let stalls = 0;

  const details = () => hls?.latestLevelDetails ?? null;
  const stopSkipping = skipDamage({ video, hls: () => hls, onHopeless: () => onProblem({ kind: 'lost' }) });
  const fragmentAt = (mediaTime: number): Fragment | null =>
    details()?.fragments.findLast(({ start }) => start <= mediaTime + 0.001) ?? null;

  /** Returns the position that counts as live, in media seconds. */
  function live(): number | null {
    if (mode === 'll') return hls?.liveSyncPosition ?? null;
    const known = details();
    return known && hlsLivePoint(known, stalls);
  }

  function create({ Player, hlsPictures }: typeof HlsCode) {
    const { loader, appended, pictures } = hlsPictures(Player);
    ticksAt = (mediaTime) => pictures.at(mediaTime)?.ticks ?? null;
    const made = new Player({
      ...PLAIN_VIDEO,
      fLoader: loader,
      // Also for rewind: the playlist then has no partial segments, but only with this option does a reload wait for
      // the next segment.
      lowLatencyMode: true,
      backBufferLength: 30,
      maxBufferLength: 20,
      liveSyncOnStallIncrease: STALL_S,
      ...(mode === 'dvr' && { liveSyncDuration: USUAL_BEHIND_S }),
    });
    made.on(Player.Events.BUFFER_APPENDING, (_event, data) => appended(data));
    if (behindS > 0) {
      // Set the start position explicitly: the player would otherwise load at live and, if those segments arrive first,
      // start there.
      made.once(Player.Events.LEVEL_UPDATED, (_event, { details: known }) => {
        const place = Math.min(live() ?? known.edge, known.edge + known.age - behindS);
        made.startLoad(Math.max(known.fragmentStart, place));
      });
    }
    made.on(Player.Events.LEVEL_UPDATED, (_event, { details: known }) => {
      // The requested position is no longer buffered; without this, the player would jump to live.
      const isLeft = !following && video.readyState < video.HAVE_ENOUGH_DATA && video.currentTime < known.fragmentStart;
      if (isLeft) video.currentTime = Math.min(known.fragmentStart + INTO_S, known.edge);
    });
    made.on(Player.Events.MANIFEST_PARSED, () => {
      onConnected();
      video.play().catch(() => undefined);
    });
    const recover = recovery(made, onProblem);
    made.on(Player.Events.ERROR, (_event, error) => {
      if (error.details === 'bufferStalledError') stalls += 1;
      if (error.fatal) recover(error);
    });
    made.loadSource(url);
    made.attachMedia(video);
    return made;
  }

  loadHls().then(
    (code) => {
      if (ended) return;
      if (code.Player.isSupported()) hls = create(code);
      else onProblem({ kind: 'impossible', reason: texts.impossible.mediaSource });
    },
    () => onProblem({ kind: 'lost' }),
  );

  const stopHolding = holdLiveEdge({ video, live, isFollowing: () => following });

  return {
    ticksOf: ({ mediaTime }) => ticksAt(mediaTime),
    range() {
      const known = details();
      return mode === 'dvr' && known ? { from: known.fragmentStart, to: known.edge } : null;
    },
    timeOf(mediaTime) {
      const fragment = fragmentAt(mediaTime);
      const { programDateTime } = fragment ?? {};
      return fragment && programDateTime != null
        ? Math.round((programDateTime + (mediaTime - fragment.start) * 1000) * 1000)
        : null;
    },
    newestUs() {
      const { programDateTime, duration } = details()?.fragments.at(-1) ?? {};
      return programDateTime != null && duration !== undefined
        ? Math.round((programDateTime + duration * 1000) * 1000)
        : null;
    },
    livePosition: live,
    isFollowing: () => following,
    hold() {
      following = false;
    },
    goTo(mediaTime) {
      following = false;
      video.currentTime = mediaTime;
    },
    goLive() {
      const place = live();
      if (place === null) return false;
      stalls = 0;
      following = true;
      video.currentTime = place;
      return true;
    },
    latencyMs: () => (hls && hls.latency > 0 ? hls.latency * 1000 : null),
    end() {
      ended = true;
      stopSkipping();
      stopHolding();
      hls?.destroy();
      hls = null;
    },
  };
}

function recovery(hls: Hls, onProblem: (problem: LiveProblem) => void) {
  let mediaTries = 0;
  return ({ type, details, response, networkDetails }: ErrorData) => {
    const status = response?.code;
    if (status === 503 && isStarting(networkDetails)) return onProblem({ kind: 'starting' });
    if (status === 401 || status === 403 || status === 404) return onProblem({ kind: 'gone' });
    if (details === 'manifestIncompatibleCodecsError' || details === 'bufferAddCodecError') {
      return onProblem({ kind: 'impossible', reason: texts.impossible.codec });
    }
    mediaTries += 1;
    if (type === 'mediaError' && mediaTries <= 2) return hls.recoverMediaError();
    onProblem({ kind: 'lost' });
  };
}

/** Whether the server's response to a request of the player says that the stream is just starting. */
function isStarting(request: unknown): boolean {
  if (!(request instanceof XMLHttpRequest)) return false;
  try {
    return JSON.parse(request.responseText).code === 'liveStarting';
  } catch {
    return false;
  }
}
