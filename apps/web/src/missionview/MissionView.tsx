import { Box } from '@mui/material';
import type { Mission, Sensor } from '@osprey/contract';
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { fill } from '../base/format.ts';
import { useShownLabels } from '../base/shown-labels.ts';
import { ViewServicesContext } from '../onscreen/view-services.ts';
import { forgetPlaces } from '../player/first/first-place.ts';
import { useWidth } from '../timeline/useTimelineView.ts';
import { DrawBehind } from '../ui/Behind.tsx';
import type { ViewAddress } from './address.ts';
import { readCollapsed, writeCollapsed } from './layout.ts';
import type { Below } from './TableDock.tsx';
import { texts } from './texts.ts';
import { useAddressed } from './useAddressed.ts';
import { useFirstFrame, useMissionServices, usePlayedRange, useTimelines } from './useMissionServices.ts';
import { ViewBody } from './ViewBody.tsx';

type Props = {
  mission: Mission;
  sensors: Sensor[];
  /** Receives the region element of the view, so that the page can focus it. */
  regionRef?: (region: HTMLElement | null) => void;
  address: ViewAddress;
  /**
   * Called when the first picture and its telemetry are shown, or none is expected soon, so that other parts of the
   * page may load.
   */
  onFirstFrame?: () => void;
  /** Buttons that the page adds to the control bar (share). */
  actions?: ReactNode;
  /** Wraps all content of the view, so that the page can provide context to its parts (marks of the mission). */
  around?: (view: ReactNode) => ReactNode;
  /** Content of the page below the timeline, next to the map (the missions table). */
  below?: Below | null;
};

/** Players, timeline, map and telemetry of one mission on one clock. A change of the mission creates a new view. */
export function MissionView(props: Props) {
  return <View key={props.mission._id} {...props} />;
}

const nothingAround = (view: ReactNode) => view;

function View(props: Props) {
  const { mission, sensors, regionRef, address, onFirstFrame } = props;
  const { actions = null, around = nothingAround, below = null } = props;
  const root = useRef<HTMLDivElement>(null);
  const width = useWidth(root);
  useLayoutEffect(() => {
    regionRef?.(root.current);
    return () => regionRef?.(null);
  }, [regionRef]);
  const videos = useMemo(() => sensors.filter(({ type }) => type === 'video'), [sensors]);
  const services = useMissionServices({ mission, sensors: videos, visit: address.visit });
  const entries = useTimelines(videos);
  usePlayedRange(services, entries);
  useAddressed(services.clock, address, videos);
  const [collapsed, setCollapsed] = useState(readCollapsed);
  const panelsDue = useFirstFrame(services, onFirstFrame);
  useShownLabels([mission.securityClassification]);

  function collapse() {
    // Playback is paused, since a collapsed view must not play.
    services.clock.pause();
    setCollapsed(!collapsed);
    writeCollapsed(!collapsed);
    if (!collapsed) forgetPlaces();
  }

  return (
    <ViewServicesContext value={services}>
      {around(
        <Box
          component="section"
          ref={root}
          tabIndex={-1}
          data-part="mission-view"
          aria-label={fill(texts.view, { mission: mission.name })}
          sx={{
            display: 'flex',
            flexDirection: 'column',
            minWidth: 0,
            position: 'relative',
            height: '100%',
            // The outline is drawn inside, since the edge of the page would clip it.
            '&:focus-visible': { outlineOffset: -2 },
          }}
        >
          {width > 0 && (
            <DrawBehind value={panelsDue}>
              <ViewBody
                mission={mission}
                entries={entries}
                address={address}
                width={width}
                collapsed={collapsed}
                onCollapse={collapse}
                actions={actions}
                below={below}
              />
            </DrawBehind>
          )}
        </Box>,
      )}
    </ViewServicesContext>
  );
}
