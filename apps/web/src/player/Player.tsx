import type { Mission, Sensor, SensorTimeline } from '@osprey/contract';
import { type ReactNode, type RefObject, useMemo, useRef } from 'react';
import { platformInk } from '../base/colours.ts';
import { useUnitsKey } from '../base/units.ts';
import { platformNameOf } from '../onscreen/platform-name.ts';
import { isTelemetryAlone } from '../onscreen/playable.ts';
import { DamageMark } from './DamageMark.tsx';
import { begunPicture } from './hls/hls-source.ts';
import { PlayerCover } from './PlayerCover.tsx';
import { PlayerFoot } from './PlayerFoot.tsx';
import { PlayerFrame } from './PlayerFrame.tsx';
import { PictureFormat, PlayerHead } from './PlayerHead.tsx';
import { TelemetryCover } from './TelemetryCover.tsx';
import { useSensorPlayback } from './useSensorPlayback.ts';
import { useTelemetryPlayback } from './useTelemetryPlayback.ts';

type Props = {
  mission: Mission;
  sensor: Sensor;
  timeline: SensorTimeline | null;
  timelineFailed: boolean;
  /** The mission has several players on screen. */
  several: boolean;
};

/** Player of one sensor of a mission: shows its recorded picture, or, if there is none, its telemetry. */
export function Player(props: Props) {
  return isTelemetryAlone(props.sensor) ? <TelemetryPlayer {...props} /> : <VideoPlayer {...props} />;
}

function VideoPlayer(props: Props) {
  const { mission, sensor, timeline, timelineFailed } = props;
  const video = useRef<HTMLVideoElement>(null);
  const url = sensor.hlsProps?.url;
  const begun = useMemo(() => (url ? begunPicture(url) : null), [url]);
  const playback = useSensorPlayback({ sensor, timeline, timelineFailed, video });
  return (
    <Framed {...props} video={video} begun={begun}>
      <PlayerCover sensor={sensor} timelineFailed={timelineFailed} flying={mission.platformId} {...playback} />
    </Framed>
  );
}

function TelemetryPlayer(props: Props) {
  const { mission, sensor, timeline, timelineFailed } = props;
  const { covered } = useTelemetryPlayback({ sensor, timeline, timelineFailed });
  return (
    <Framed {...props} video={null} begun={null}>
      <TelemetryCover mission={mission} sensor={sensor} timelineFailed={timelineFailed} covered={covered} />
    </Framed>
  );
}

type FramedProps = Props & {
  video: RefObject<HTMLVideoElement | null> | null;
  begun: HTMLVideoElement | null;
  children: ReactNode;
};

/** Adds head and foot to the content of a player. */
function Framed({ mission, sensor, several, video, begun, children }: FramedProps) {
  const colour = platformInk(mission.platform.presentation.color, 'dark');
  const { securityClassification: label, marked } = mission;
  const unitsKey = useUnitsKey();
  return (
    <PlayerFrame sensor={sensor} colour={colour} several={several} video={video} begun={begun}>
      {(controls) => (
        <>
          <PlayerHead
            sensor={sensor}
            of={{ platform: platformNameOf(mission), label, marked }}
            colour={colour}
            several={several}
            video={video}
            {...controls}
          >
            <DamageMark sensor={sensor} />
            <PictureFormat picture={sensor.hlsProps?.renditions[0]} />
          </PlayerHead>
          <PlayerFoot key={unitsKey} sensor={sensor} sensors={mission.sensors} />
          {children}
        </>
      )}
    </PlayerFrame>
  );
}
