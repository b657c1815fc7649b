import type { LiveSocketMessage } from '@osprey/contract';
import { TICKS_PER_SECOND } from '../../onscreen/clock/ticks.ts';
import { catchUp } from '../clock/catch-up.ts';
import { texts } from '../texts.ts';
import { LIVE_ONLY, type LiveSource, type SourceDeps } from './live-source.ts';

/**
 * Seconds for which shown pictures stay in the buffer, so that there is a key frame before every position to which
 * playback may go. The buffer is trimmed when it exceeds TRIMMED_FROM_S.
 */
const RETENTION_S = 12;
const TRIMMED_FROM_S = 24;

/**
 * Maximum number of fragments that wait for the buffer. If the page was suspended and there are more, playback restarts
 * at live.
 */
const QUEUE_MAX = 600;

type Begin = Extract<LiveSocketMessage, { kind: 'video' }>;

export type MseSource = LiveSource & {
  /** Called when a new initialization segment follows. */
  begin: (message: Begin) => void;
  append: (bytes: ArrayBuffer) => void;
  /** Returns the media time up to which there are pictures; null if there are none. */
  edge: () => number | null;
};

/**
 * Plays fragments from a socket with a short buffer. Consecutive streams are placed one after the other on the same
 * media timeline.
 */
export function createMseSource({ video, onProblem }: Pick<SourceDeps, 'video' | 'onProblem'>): MseSource {
  const media = new MediaSource();
  const address = URL.createObjectURL(media);
  const queue: (ArrayBuffer | Begin)[] = [];
  /** Start of each stream on the media timeline, and the PTS at its start. */
  const streams: { fromS: number; firstPts: number }[] = [];
  let buffer: SourceBuffer | null = null;
  let ended = false;

  const bufferedEnd = () => {
    const ranges = buffer?.buffered;
    return ranges && ranges.length > 0 ? ranges.end(ranges.length - 1) : null;
  };

  function next() {
    if (ended || media.readyState !== 'open' || buffer?.updating) return;
    try {
      const item = queue.shift();
      if (item === undefined) return trim();
      if (item instanceof ArrayBuffer) buffer?.appendBuffer(item);
      else beginStream(item);
    } catch (error) {
      // Reporting a problem releases the pictures of this buffer, and restarts playback with a new one.
      onProblem(error instanceof DOMException && error.name === 'NotSupportedError' ? unplayable() : { kind: 'lost' });
    }
  }

  function beginStream({ mimeType, firstPts }: Begin) {
    if (!MediaSource.isTypeSupported(mimeType)) return onProblem(unplayable());
    if (buffer === null) {
      buffer = media.addSourceBuffer(mimeType);
      buffer.addEventListener('updateend', next);
    } else {
      buffer.abort();
      buffer.changeType(mimeType);
    }
    const fromS = bufferedEnd() ?? 0;
    buffer.timestampOffset = fromS;
    streams.push({ fromS, firstPts });
    next();
  }

  function trim() {
    const start = buffer && buffer.buffered.length > 0 ? buffer.buffered.start(0) : 0;
    if (buffer && video.currentTime - start > TRIMMED_FROM_S) buffer.remove(start, video.currentTime - RETENTION_S);
  }

  media.addEventListener('sourceopen', next);
  const onError = () => onProblem({ kind: 'lost' });
  video.addEventListener('error', onError);
  video.src = address;
  const stopCatchUp = catchUp(video, bufferedEnd);

  return {
    ...LIVE_ONLY,
    begin(message) {
      queue.push(message);
      next();
    },
    append(bytes) {
      if (queue.length > QUEUE_MAX) return onProblem({ kind: 'lost' });
      queue.push(bytes);
      next();
    },
    edge: bufferedEnd,
    ticksOf({ mediaTime }) {
      const stream = streams.findLast(({ fromS }) => mediaTime >= fromS - 0.001);
      return stream ? Math.round(stream.firstPts + (mediaTime - stream.fromS) * TICKS_PER_SECOND) : null;
    },
    latencyMs: () => ((bufferedEnd() ?? video.currentTime) - video.currentTime) * 1000,
    end() {
      ended = true;
      stopCatchUp();
      video.removeEventListener('error', onError);
      video.removeAttribute('src');
      video.load();
      URL.revokeObjectURL(address);
    },
  };
}

const unplayable = () => ({ kind: 'impossible' as const, reason: texts.impossible.codec });
