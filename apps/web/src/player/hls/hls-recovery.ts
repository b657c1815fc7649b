import type Hls from 'hls.js';
import type { ErrorData } from 'hls.js';

/** Number of fatal errors shortly after each other before the user is notified. */
const TRIES = { network: 3, media: 2 } as const;
const RETRY_MS = 2000;

/**
 * Playback time after which an error counts as a new one, in milliseconds. A broken file fails again sooner than that.
 */
const FORGOTTEN_MS = 60_000;

export type SourceFailure = 'network' | 'unsupported' | 'gone' | 'broken';

/** Handles fatal errors of one player, for as long as it plays. */
export function createRecovery(
  hls: Pick<Hls, 'levels' | 'url' | 'startLoad' | 'loadSource' | 'recoverMediaError'>,
  onFailure: (failure: SourceFailure) => void,
) {
  const tries = { network: 0, media: 0 };
  let failedAt = Number.NEGATIVE_INFINITY;
  let wentOn = false;

  function forgetOld() {
    const now = performance.now();
    if (wentOn && now - failedAt > FORGOTTEN_MS) Object.assign(tries, { network: 0, media: 0 });
    failedAt = now;
    wentOn = false;
  }

  /** Returns false once the maximum number of tries is reached. */
  function mayTry(kind: keyof typeof tries): boolean {
    forgetOld();
    tries[kind] += 1;
    return tries[kind] <= TRIES[kind];
  }

  /**
   * Reloads the playlist if there is none, since `startLoad` would have nothing to continue with and would wait
   * forever.
   */
  function loadAgain() {
    if (hls.levels.length > 0) hls.startLoad();
    else if (hls.url !== null) hls.loadSource(hls.url);
  }

  return {
    /** Call when a piece was loaded and accepted. */
    goesOn() {
      wentOn = true;
    },
    recover(error: ErrorData) {
      const status = error.response?.code;
      if (status === 401 || status === 403 || status === 404 || status === 410) return onFailure('gone');
      if (error.details === 'manifestIncompatibleCodecsError' || error.details === 'bufferAddCodecError') {
        return onFailure('unsupported');
      }
      if (error.type === 'networkError') {
        if (!mayTry('network')) return onFailure('network');
        setTimeout(loadAgain, RETRY_MS);
        return;
      }
      if (error.type === 'mediaError' && mayTry('media')) return hls.recoverMediaError();
      onFailure('broken');
    },
  };
}
