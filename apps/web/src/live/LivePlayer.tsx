import type { LivePlatform, LiveSensor } from '@osprey/contract';
import { useRef } from 'react';
import { platformInk } from '../base/colours.ts';
import { useUnitsKey } from '../base/units.ts';
import { PlayerFoot } from '../player/PlayerFoot.tsx';
import { PlayerFrame } from '../player/PlayerFrame.tsx';
import { PlayerHead } from '../player/PlayerHead.tsx';
import { LiveCover } from './LiveCover.tsx';
import { LiveMarks } from './LiveMarks.tsx';
import { ModeMenu } from './ModeMenu.tsx';
import { useLivePlayback } from './useLivePlayback.ts';

type Props = {
  platform: LivePlatform;
  sensor: LiveSensor;
  /** True if there are several players. */
  several: boolean;
};

/** Player with the live picture of one sensor, its overlays and its controls. */
export function LivePlayer({ platform, sensor, several }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  const modeMenu = useRef<HTMLButtonElement>(null);
  const unitsKey = useUnitsKey();
  const playback = useLivePlayback({ platform, sensor, video });
  const colour = platformInk(platform.presentation.color, 'dark');
  const { name, securityClassification: label, marked } = platform;
  return (
    <PlayerFrame sensor={sensor} name={`${name} ${sensor.name}`} colour={colour} several={several} video={video}>
      {(controls) => (
        <>
          <PlayerFoot key={unitsKey} sensor={sensor} sensors={platform.sensors} />
          <LiveCover sensor={sensor} playback={playback} />
          <PlayerHead
            sensor={sensor}
            of={{ platform: name, label, marked }}
            colour={colour}
            several={several}
            video={video}
            menu={<ModeMenu modes={playback.modes} button={modeMenu} />}
            {...controls}
          >
            <LiveMarks sensor={sensor} playback={playback} onMode={() => modeMenu.current?.click()} />
          </PlayerHead>
        </>
      )}
    </PlayerFrame>
  );
}
