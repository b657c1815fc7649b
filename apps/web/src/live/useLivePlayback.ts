import type { LivePlatform, LiveSensor } from '@osprey/contract';
import { type RefObject, useRef, useState } from 'react';
import { type LivePhase, NOTHING_PLAYING, type Playing } from './playing.ts';
import { useLiveMember } from './useLiveMember.ts';
import { useLiveMode } from './useLiveMode.ts';
import { useLivePictures } from './useLivePictures.ts';
import { useLiveSession } from './useLiveSession.ts';

type Options = { platform: LivePlatform; sensor: LiveSensor; video: RefObject<HTMLVideoElement | null> };

/**
 * Plays a live sensor for as long as its player is mounted, and shows with each picture the telemetry that belongs to
 * it.
 */
export function useLivePlayback({ platform, sensor, video }: Options) {
  const modes = useLiveMode(platform, sensor);
  const [phase, setPhase] = useState<LivePhase>('connecting');
  const playing = useRef<Playing>({ ...NOTHING_PLAYING });
  const tries = useRef(0);
  const pictures = useLivePictures({
    sensor,
    video,
    playing,
    onShown() {
      tries.current = 0;
      setPhase('playing');
    },
  });
  const { said, again } = useLiveSession({ sensor, video, playing, modes, pictures, tries, setPhase });
  useLiveMember({ id: sensor._id, video, playing, modes, again });
  return { modes, phase, said, playing, again };
}

export type LivePlayback = ReturnType<typeof useLivePlayback>;
