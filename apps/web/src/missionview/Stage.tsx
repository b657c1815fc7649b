import type { Mission, Sensor } from '@osprey/contract';
import { type ComponentProps, type ReactNode, useContext } from 'react';
import { useClockState } from '../onscreen/clock/useClock.ts';
import { isPlayable } from '../onscreen/playable.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { Player } from '../player/Player.tsx';
import { useFullScreen } from '../player/picture/full-screen.ts';
import type { TimelineEntry } from '../timeline/entry.ts';
import { leastHeight } from '../timeline/least-height.ts';
import { TimelineExtrasContext } from '../timeline/marks.ts';
import { Timeline } from '../timeline/Timeline.tsx';
import { FloatingMap } from './FloatingMap.tsx';
import { hasInset, isOfPhone, type Panels } from './layout.ts';
import { MapCorner } from './MapCorner.tsx';
import { MissionMap } from './MissionMap.tsx';
import { PhoneTabs, SensorSwitch } from './PhoneTabs.tsx';
import { StageFrame } from './StageFrame.tsx';
import { useArrangement } from './useArrangement.ts';

type Props = {
  mission: Mission;
  /** All sensors of the mission; on a phone the user can switch to any of them. */
  sensors: readonly Sensor[];
  onSensor: (id: string) => void;
  players: readonly TimelineEntry[];
  /** Sensor that leads until the user chooses one; a phone shows it before any data has arrived. */
  first: string | null;
  width: number;
  panels: Panels;
  onPanels: (fields: Partial<Panels>) => void;
  /** The map has the large place of the picture. */
  mapLeads: boolean;
  onExchange: () => void;
  below: ReactNode;
};

/** Main area of the mission view: players of its sensors, map and timeline, sharing one clock. */
export function Stage(props: Props) {
  const { mission, sensors, onSensor, players, first, width, panels, onPanels, mapLeads, onExchange, below } = props;
  const { clock } = useViewServices();
  const { leader } = useClockState(clock);
  const arrangement = useArrangement(width, players.length);
  const isPhone = isOfPhone(arrangement);
  const isFull = useFullScreen().on;
  const led = players.find(({ sensor }) => sensor._id === (leader ?? first)) ?? players[0] ?? null;
  const panelSensor = led && { _id: led.sensor._id, name: led.sensor.name, unrecorded: !isPlayable(led.sensor) };
  const isInset = hasInset(arrangement, panels);
  const corner = (
    <MapCorner mapLeads={mapLeads} onExchange={onExchange} onFree={() => onPanels({ floatingMap: true })} />
  );
  return (
    <StageFrame
      arrangement={arrangement}
      width={width}
      live={false}
      led={panelSensor}
      panels={panels}
      onPanels={onPanels}
      inset={isInset ? { mapLeads, timelinePx: leastHeight(players.length, panels.timeline) } : null}
      players={players.map(({ sensor, timeline, failed }) => ({
        id: sensor._id,
        element: (
          <Player
            mission={mission}
            sensor={sensor}
            timeline={timeline}
            timelineFailed={failed}
            several={players.length > 1}
          />
        ),
      }))}
      panes={{
        floats: panels.floatingMap && (
          <FloatingMap
            map={<MissionMap mission={mission} />}
            besideTelemetry={panels.telemetry && !panels.telemetryDocked}
            onClose={() => onPanels({ floatingMap: false })}
          />
        ),
        choice:
          sensors.length > 1 ? (
            <SensorSwitch sensors={sensors} chosen={led?.sensor._id ?? null} onChoose={onSensor} />
          ) : null,
        timeline: (
          <ExtendedTimeline
            mission={mission}
            entries={isPhone && led ? [led] : players}
            compact={isPhone}
            rows={panels.timeline || isPhone || isFull}
          />
        ),
        map: <MissionMap mission={mission} corner={isInset ? corner : null} />,
        tabs: <PhoneTabs map={<MissionMap mission={mission} />} leader={panelSensor} />,
        below,
      }}
    />
  );
}

/** Timeline with the marks and the selection that the page around the view provides by a React context. */
const ExtendedTimeline = (props: ComponentProps<typeof Timeline>) => (
  <Timeline {...props} {...useContext(TimelineExtrasContext)} />
);
