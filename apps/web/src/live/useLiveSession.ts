import type { LiveSensor } from '@osprey/contract';
import { type Dispatch, type RefObject, type SetStateAction, useEffect, useRef, useState } from 'react';
import { useApi } from '../api/api.ts';
import { waitMs } from '../events/connection.ts';
import { type LivePhase, NOTHING_PLAYING, type Playing } from './playing.ts';
import type { LiveModeState } from './useLiveMode.ts';
import type { LivePictures } from './useLivePictures.ts';
import { openLiveSession } from './ways/live-session.ts';
import type { LiveProblem } from './ways/live-source.ts';

/** Time in milliseconds without a new picture, although packets arrive, after which the stream is opened again. */
const STUCK_MS = 10_000;
const CHECK_MS = 1000;

/** Phase that is shown while reconnecting, by the kind of problem. */
const PHASE_OF = { gone: 'gone', lost: 'reconnecting', starting: 'starting' } as const;

type Options = {
  sensor: LiveSensor;
  video: RefObject<HTMLVideoElement | null>;
  playing: RefObject<Playing>;
  modes: LiveModeState;
  pictures: LivePictures;
  /** Number of failed attempts since the last picture. */
  tries: RefObject<number>;
  setPhase: Dispatch<SetStateAction<LivePhase>>;
};

/** Keeps the session of a live sensor open. Opens it again if it was lost, or if its picture has stopped. */
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

  // `attempt` and `startTime` are dependencies, so that the session is opened again after it was lost, or after the
  // stream restarted.
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
      // Not counted as a failed attempt, so that a stream that is about to start is requested at a constant interval.
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
        // Only in the mode in which the socket carries the pictures; telemetry alone recovers automatically.
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
      // A hidden page draws no pictures, so the time is reset.
      if (paused || document.visibilityState !== 'visible') playing.current.pictureAtMs = performance.now();
      else if (performance.now() - pictureAtMs > STUCK_MS) setAttempt((before) => before + 1);
    }, CHECK_MS);
    return () => clearInterval(timer);
  }, [online, playing]);

  return { said, again: () => setAttempt((before) => before + 1) };
}
