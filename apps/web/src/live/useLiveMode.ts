import type { LivePlatform, LiveSensor, VideoMode } from '@osprey/contract';
import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { bestMode, type Impossible, impossibleModes, refusalOf } from './ways/modes.ts';

export type Rewind = { behindS: number };

/**
 * Returns the mode in which a sensor is watched: the one chosen by the user, or otherwise the best one that works.
 * While rewound, it is the mode with rewind.
 */
export function useLiveMode(platform: LivePlatform, sensor: LiveSensor) {
  const { info } = useSession();
  const [chosen, setChosen] = useState<VideoMode | null>(null);
  const [rewind, setRewind] = useState<Rewind | null>(null);
  // Modes found to be impossible; valid only for the current run of the stream.
  const [found, setFound] = useState<{ startTime: number | null; reasons: Impossible }>({
    startTime: sensor.startTime,
    reasons: {},
  });
  const reasons = found.startTime === sensor.startTime ? found.reasons : {};
  const given = { platform, info, impossible: { ...impossibleModes(sensor), ...reasons } };
  const best = bestMode(given);
  const refusal = chosen === null ? null : refusalOf(chosen, given);
  const requested = chosen !== null && refusal === null ? chosen : best.mode;
  const passed = chosen !== null && refusal !== null ? [{ mode: chosen, reason: refusal }] : best.passed;

  return {
    mode: rewind === null ? requested : ('highQualityDvr' as const),
    /** Mode chosen by the user; null: none. */
    chosen,
    /** Modes that would have been preferred, and the reasons why they were passed over. */
    passed: chosen === requested ? [] : passed,
    refusalOf: (mode: VideoMode) => refusalOf(mode, given),
    /** Reason why not even the last mode is possible; null if it is. */
    hopeless: given.impossible.highQualityDvr ?? null,
    rewind,
    setRewind,
    choose(mode: VideoMode | null) {
      setRewind(null);
      setChosen(mode);
    },
    rule(mode: VideoMode, reason: string) {
      setFound({ startTime: sensor.startTime, reasons: { ...reasons, [mode]: reason } });
    },
  };
}

export type LiveModeState = ReturnType<typeof useLiveMode>;
