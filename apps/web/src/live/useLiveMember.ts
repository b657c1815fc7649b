import { type RefObject, useEffect, useRef } from 'react';
import type { Playing } from './playing.ts';
import type { LiveModeState } from './useLiveMode.ts';
import { useLiveServices } from './useLiveServices.ts';

type Options = {
  id: string;
  video: RefObject<HTMLVideoElement | null>;
  playing: RefObject<Playing>;
  modes: LiveModeState;
  /** Reconnects to the pictures. */
  again: () => void;
};

/** Registers a live player with the page's clock, which can then pause it, rewind it, and return it to live. */
export function useLiveMember(options: Options): void {
  const { clock } = useLiveServices();
  const now = useRef(options);
  now.current = options;
  const { id } = options;
  useEffect(() => {
    const parts = () => ({ ...now.current, element: now.current.video.current, state: now.current.playing.current });
    /** Time since when the picture is paused; null while it plays. */
    let pausedAtMs: number | null = null;

    function setPaused(paused: boolean) {
      parts().state.paused = paused;
      pausedAtMs = paused ? performance.now() : null;
    }

    /** Continues in the playlist with rewind, at this delay in seconds. */
    function windTo(behindS: number) {
      setPaused(false);
      parts().modes.setRewind({ behindS: Math.max(0, behindS) });
    }

    const behindNowS = () => {
      const stood = pausedAtMs === null ? 0 : performance.now() - pausedAtMs;
      return ((parts().state.latencyMs ?? 0) + stood) / 1000;
    };

    function goLive() {
      const { element, modes, state, again } = parts();
      const stood = state.paused;
      setPaused(false);
      if (modes.rewind !== null) return modes.setRewind(null);
      if (!state.source?.goLive() && stood) return again();
      element?.play().catch(() => undefined);
    }

    return clock.enter({
      id,
      timeUs: () => parts().state.timeUs,
      span() {
        const { source, picture, timeUs } = parts().state;
        const range = source?.range() ?? null;
        if (!range || !picture || timeUs === null) return null;
        const at = (mediaTime: number) => timeUs + Math.round((mediaTime - picture.mediaTime) * 1e6);
        return { startUs: at(range.from), endUs: at(source?.livePosition() ?? range.to) };
      },
      isPaused: () => parts().state.paused,
      pause() {
        const { element, state } = parts();
        element?.pause();
        state.source?.hold();
        setPaused(true);
      },
      play() {
        const { element, state } = parts();
        if (!state.paused) return;
        if (state.source?.range() == null) return windTo(behindNowS());
        setPaused(false);
        element?.play().catch(() => undefined);
      },
      skip(deltaUs) {
        const { element, state } = parts();
        const range = state.source?.range() ?? null;
        if (!range || !element) return deltaUs < 0 ? windTo(behindNowS() - deltaUs / 1e6) : goLive();
        const target = element.currentTime + deltaUs / 1e6;
        if (target >= (state.source?.livePosition() ?? range.to)) return goLive();
        state.source?.goTo(Math.max(range.from, target));
      },
      goLive,
    });
  }, [clock, id]);
}
