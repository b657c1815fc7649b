import type { Mission, Sensor, SensorTimeline } from '@osprey/contract';
import { useRef } from 'react';
import { platformInk } from '../app/colours.ts';
import { PlayerCover } from './PlayerCover.tsx';
import { PlayerFoot } from './PlayerFoot.tsx';
import { PlayerFrame } from './PlayerFrame.tsx';
import { PictureFormat, PlayerHead } from './PlayerHead.tsx';
import { useSensorPlayback } from './useSensorPlayback.ts';

type Props = {
  mission: Mission;
  sensor: Sensor;
  timeline: SensorTimeline | null;
  timelineFailed: boolean;
  /** One of several players of the mission. */
  several: boolean;
};

/** One sensor's recorded picture with what belongs to it: head, foot, targets, states. */
export function Player({ mission, sensor, timeline, timelineFailed, several }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  const playback = useSensorPlayback({ sensor, timeline, timelineFailed, video });
  const colour = platformInk(mission.platform.presentation.color, 'dark');
  const { platform, name, securityClassification: label, marked } = mission;
  return (
    <PlayerFrame sensor={sensor} colour={colour} several={several} video={video}>
      {(controls) => (
        <>
          <PlayerHead
            sensor={sensor}
            of={{ platform: platform.name === '-' ? name : platform.name, label, marked }}
            colour={colour}
            several={several}
            video={video}
            {...controls}
          >
            <PictureFormat picture={sensor.hlsProps?.renditions[0]} />
          </PlayerHead>
          <PlayerFoot sensor={sensor} sensors={mission.sensors} />
          <PlayerCover sensor={sensor} timelineFailed={timelineFailed} flying={mission.platformId} {...playback} />
        </>
      )}
    </PlayerFrame>
  );
}
