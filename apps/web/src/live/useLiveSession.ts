import type { LiveSensor } from '@osprey/contract';
import { type Dispatch, type RefObject, type SetStateAction, useEffect, useRef, useState } from 'react';
import { useApi } from '../api/api.ts';
import { waitMs } from '../events/connection.ts';
import { type LivePhase, NOTHING_PLAYING, type Playing } from './playing.ts';
import type { LiveModeState } from './useLiveMode.ts';
import type { LivePictures } from './useLivePictures.ts';
import { openLiveSession } from './ways/live-session.ts';
import type { LiveProblem } from './ways/live-source.ts';

/** A picture that does not move for this long although packets come is opened again. ms */
const STUCK_MS = 10_000;
const CHECK_MS = 1000;

/** Phase that is shown while it is tried again. */
const PHASE_OF = { gone: 'gone', lost: 'reconnecting', starting: 'starting' } as const;

type Options = {
  sensor: LiveSensor;
  video: RefObject<HTMLVideoElement | null>;
  playing: RefObject<Playing>;
  modes: LiveModeState;
  pictures: LivePictures;
  /** In vain, since the last picture. */
  tries: RefObject<number>;
  setPhase: Dispatch<SetStateAction<LivePhase>>;
};

/** Keeps a live sensor's session open; opens it again if it was lost, or its picture does not move. */
export function useLiveSession({ sensor, video, playing, modes, pictures, tries, setPhase }: Options) {
  const api = useApi();
  const [said, setSaid] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const rule = useRef(modes.rule);
  rule.current = modes.rule;
  const { telemetry, edge, publish } = pictures;
  const { _id: id, startTime, state } = sensor;
  const on = state !== 'offline' && state !== 'unknown';
  const { mode, rewind } = modes;
  const behindS = rewind?.behindS ?? 0;

  // `attempt` and `startTime` are named below so that a lost session, and a restarted stream, are opened again.
  useEffect(() => {
    const element = video.current;
    if (!element || !on) return;
    let timer: ReturnType<typeof setTimeout> | null = null;
    setPhase((before) => (before === 'gone' ? 'connecting' : before));
    playing.current = { ...NOTHING_PLAYING, pictureAtMs: performance.now() };

    function onProblem(problem: LiveProblem) {
      if (timer !== null) return;
      if (problem.kind === 'impossible') return rule.current(mode, problem.reason);
      setPhase(PHASE_OF[problem.kind]);
      timer = setTimeout(() => setAttempt((before) => before + 1), waitMs(tries.current, Math.random));
      // Streams that are about to start are asked for at a steady pace.
      if (problem.kind !== 'starting') tries.current += 1;
    }
    const session = openLiveSession({
      api,
      video: element,
      sensorId: id,
      mode,
      behindS,
      isPaused: () => playing.current.paused,
      onConnected: () => setPhase((before) => (before === 'playing' ? before : 'waiting')),
      onProblem,
      onArrived: (ticks) => edge.note(ticks, performance.now()),
      onMessage(message) {
        if (message.kind === 'telemetry') {
          edge.note(message.pts, performance.now());
          telemetry.add(message);
          publish();
        }
        if (message.kind === 'past') {
          telemetry.addPast(message);
          publish();
        }
        setSaid(message.kind === 'end' ? message.text : null);
        // Only pictures over the socket; telemetry alone comes back by itself.
        if (message.kind === 'end' && message.code === 'liveStarting' && mode === 'lowLatency') {
          onProblem({ kind: 'starting' });
        }
      },
    });
    Object.assign(playing.current, { source: session.source, ask: session.ask });
    return () => {
      if (timer !== null) clearTimeout(timer);
      Object.assign(playing.current, { source: null, ask: null });
      session.end();
    };
  }, [api, video, playing, tries, setPhase, id, on, mode, behindS, attempt, startTime, publish, telemetry, edge]);

  const online = state === 'online';
  useEffect(() => {
    if (!online) return;
    const timer = setInterval(() => {
      const { paused, pictureAtMs } = playing.current;
      // A hidden page draws no pictures.
      if (paused || document.visibilityState !== 'visible') playing.current.pictureAtMs = performance.now();
      else if (performance.now() - pictureAtMs > STUCK_MS) setAttempt((before) => before + 1);
    }, CHECK_MS);
    return () => clearInterval(timer);
  }, [online, playing]);

  return { said, again: () => setAttempt((before) => before + 1) };
}
