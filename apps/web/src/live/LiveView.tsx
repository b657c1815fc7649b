import { Box } from '@mui/material';
import type { LivePlatform } from '@osprey/contract';
import { type ReactNode, useContext, useMemo, useRef, useState } from 'react';
import { useShownLabels } from '../base/shown-labels.ts';
import { FeatureCommandsContext } from '../missionview/feature-commands.ts';
import { KeysDialog } from '../missionview/KeysDialog.tsx';
import { isOfPhone, PLAYERS_MAX, readCollapsed, writeCollapsed } from '../missionview/layout.ts';
import { useArrangement } from '../missionview/useArrangement.ts';
import { usePanels } from '../missionview/usePanels.ts';
import { useViewKeys } from '../missionview/useViewKeys.ts';
import { ViewServicesContext } from '../onscreen/view-services.ts';
import { toggleFullScreen } from '../player/picture/full-screen.ts';
import { useWidth } from '../timeline/useTimelineView.ts';
import { LiveBar } from './LiveBar.tsx';
import { LiveMap } from './LiveMap.tsx';
import { LiveStage } from './LiveStage.tsx';
import { NothingWatched } from './NothingWatched.tsx';
import { texts } from './texts.ts';
import { useFleet } from './useFleet.ts';
import { type LiveServices, LiveServicesContext, useNewLiveServices } from './useLiveServices.ts';
import { videosOf, watchedOf } from './watched.ts';

type Props = {
  platforms: readonly LivePlatform[];
  /** True until the first response. */
  loading: boolean;
  /** Ids of the sensors selected in the table; if empty, the sensors that are sending now are shown. */
  chosen: ReadonlySet<string>;
  /** Called when a platform was clicked on the map. */
  onSelect: (platformId: string) => void;
  /** Returns the buttons that the page adds to the bar; on a phone, only those for which there is room. */
  actions?: (phone: boolean) => ReactNode;
  /** Wraps all that is rendered, within the contexts of the view; used by the page for marks. */
  around?: (view: ReactNode) => ReactNode;
  /** Content that the page shows below the players: the table. */
  below: ReactNode;
};

/** View with players of live sensors and one map of all platforms. */
export function LiveView(props: Props) {
  const services = useNewLiveServices();
  const { around = (view) => view } = props;
  return (
    <LiveServicesContext value={services}>
      <ViewServicesContext value={services}>{around(<View {...props} services={services} />)}</ViewServicesContext>
    </LiveServicesContext>
  );
}

function View({ platforms, loading, chosen, onSelect, actions, below, services }: Props & { services: LiveServices }) {
  const root = useRef<HTMLDivElement>(null);
  const width = useWidth(root);
  const { clock } = services;
  const { panels, changePanels } = usePanels();
  const [collapsed, setCollapsed] = useState(readCollapsed);
  const [keysShown, setKeysShown] = useState(false);
  const watched = useMemo(() => watchedOf(platforms, chosen, PLAYERS_MAX), [platforms, chosen]);
  const fleet = useFleet(services, platforms);
  const features = useContext(FeatureCommandsContext);
  useShownLabels(platforms.map(({ securityClassification }) => securityClassification));

  const isPhone = isOfPhone(useArrangement(width, watched.length));
  useViewKeys({
    clock,
    hidden: collapsed,
    lead: (index) => watched[index] && clock.lead(watched[index].sensor._id),
    fullScreen: toggleFullScreen,
    panels,
    changePanels,
    showKeys: () => setKeysShown(true),
    ...(!isPhone && { toggleFloatingMap: () => changePanels({ floatingMap: !panels.floatingMap }) }),
    features,
    noMaster: () => undefined,
  });

  const videos = videosOf(platforms).filter(({ sensor }) => sensor.state === 'online').length;
  // If no camera is sending but AIS is received, the map is shown for the ships.
  const receivesShips =
    watched.length === 0 && platforms.some(({ sensors }) => sensors.some(({ type, on }) => type === 'ais' && on));
  return (
    <Box
      component="section"
      ref={root}
      aria-label={texts.view}
      sx={{ display: 'flex', flexDirection: 'column', minWidth: 0, height: '100%', overflowY: 'auto' }}
    >
      <LiveBar
        platforms={platforms.length}
        sensors={{ shown: watched.length, all: Math.max(videos, watched.length) }}
        collapsed={collapsed}
        onCollapse={() => {
          setCollapsed(!collapsed);
          writeCollapsed(!collapsed);
        }}
        on={panels}
        onToggle={(toggle) => changePanels({ [toggle]: !panels[toggle] })}
        onKeys={() => setKeysShown(true)}
        actions={actions?.(isPhone)}
        compact={isPhone}
      />
      {!collapsed && width > 0 && watched.length > 0 && (
        <LiveStage
          watched={watched}
          fleet={fleet}
          width={width}
          panels={panels}
          onPanels={changePanels}
          onSelect={onSelect}
          onFullScreen={toggleFullScreen}
          below={below}
        />
      )}
      {!collapsed && receivesShips && (
        <Box sx={{ flex: 'none', height: { xs: 260, sm: '46%' }, minHeight: 200, mb: 2 }}>
          <LiveMap fleet={fleet} onSelect={onSelect} />
        </Box>
      )}
      {!collapsed && watched.length === 0 && !loading && !receivesShips && (
        <NothingWatched chosen={chosen.size > 0 && platforms.length > 0} />
      )}
      {(collapsed || watched.length === 0) && <Box sx={{ flex: 1, minHeight: 220 }}>{below}</Box>}
      <KeysDialog open={keysShown} view="live" onClose={() => setKeysShown(false)} />
    </Box>
  );
}
