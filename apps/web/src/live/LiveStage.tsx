import type { ReactNode } from 'react';
import { FloatingMap } from '../missionview/FloatingMap.tsx';
import { isOfPhone, type Panels } from '../missionview/layout.ts';
import { PhoneTabs } from '../missionview/PhoneTabs.tsx';
import { StageFrame } from '../missionview/StageFrame.tsx';
import { useArrangement } from '../missionview/useArrangement.ts';
import { useClockState } from '../onscreen/clock/useClock.ts';
import { useFullScreen } from '../player/picture/full-screen.ts';
import type { Fleet } from './fleet.ts';
import { KlvStreamMenu } from './KlvStreamMenu.tsx';
import { LiveMap } from './LiveMap.tsx';
import { LivePlayer } from './LivePlayer.tsx';
import { LiveThumbs } from './LiveThumbs.tsx';
import { LiveTimeline } from './LiveTimeline.tsx';
import { isLost } from './lead-passes.ts';
import { useLeadPasses } from './useLeadPasses.ts';
import { useLiveServices } from './useLiveServices.ts';
import type { Watched } from './watched.ts';

type Props = {
  watched: readonly Watched[];
  fleet: Fleet;
  width: number;
  panels: Panels;
  onPanels: (fields: Partial<Panels>) => void;
  onSelect: (platformId: string) => void;
  onFullScreen: () => void;
  below: ReactNode;
};

/** Lays out live players, the map of all platforms, telemetry and the table, in the same way as the mission view. */
export function LiveStage({ watched, fleet, width, panels, onPanels, onSelect, onFullScreen, below }: Props) {
  const { clock } = useLiveServices();
  const { leader } = useClockState(clock);
  const hasNone = useLeadPasses(watched);
  const arrangement = useArrangement(width, watched.length);
  const isPhone = isOfPhone(arrangement);
  const isFull = useFullScreen().on;
  const led = watched.find(({ sensor }) => sensor._id === leader) ?? watched[0] ?? null;
  const panel = led && {
    ...led.sensor,
    unrecorded: isLost(led),
    streams: <KlvStreamMenu key={led.sensor._id} {...led} />,
  };
  const map = <LiveMap fleet={fleet} onSelect={onSelect} />;
  return (
    <StageFrame
      arrangement={arrangement}
      width={width}
      live
      led={panel}
      panels={panels}
      onPanels={onPanels}
      players={watched.map(({ platform, sensor }) => ({
        id: sensor._id,
        element: <LivePlayer platform={platform} sensor={sensor} several={watched.length > 1} />,
      }))}
      panes={{
        choice:
          watched.length > 1 ? (
            <LiveThumbs watched={watched.filter((one) => one !== led)} onChoose={clock.lead} />
          ) : null,
        floats: panels.floatingMap && (
          <FloatingMap
            map={map}
            besideTelemetry={panels.telemetry && !panels.telemetryDocked}
            onClose={() => onPanels({ floatingMap: false })}
          />
        ),
        timeline: (
          <LiveTimeline
            led={led}
            noPicture={hasNone}
            compact={isPhone}
            rows={panels.timeline || isPhone || isFull}
            onFullScreen={onFullScreen}
          />
        ),
        map,
        tabs: <PhoneTabs map={map} leader={panel} />,
        below,
      }}
    />
  );
}
