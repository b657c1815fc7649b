import { mdiFilmstripOff } from '@mdi/js';
import { Box } from '@mui/material';
import type { Mission } from '@osprey/contract';
import { type ReactNode, useContext, useEffect, useState } from 'react';
import { size } from '../base/sizes.ts';
import { HealthPanel } from '../health/HealthPanel.tsx';
import { useClockState } from '../onscreen/clock/useClock.ts';
import { firstLeader } from '../onscreen/playable.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { toggleFullScreen } from '../player/picture/full-screen.ts';
import type { TimelineEntry } from '../timeline/entry.ts';
import { Behind } from '../ui/Behind.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import type { ViewAddress } from './address.ts';
import { ControlBar, type Toggle } from './ControlBar.tsx';
import { FeatureCommandsContext } from './feature-commands.ts';
import { KeysDialog } from './KeysDialog.tsx';
import { hasInset, isOfPhone, readTableOpen, shownOf, writeTableOpen } from './layout.ts';
import { SensorsMenu } from './SensorsMenu.tsx';
import { Stage } from './Stage.tsx';
import { type Below, TableDock } from './TableDock.tsx';
import { texts } from './texts.ts';
import { useArrangement } from './useArrangement.ts';
import { usePanels } from './usePanels.ts';
import { useViewKeys } from './useViewKeys.ts';

type Props = {
  mission: Mission;
  entries: readonly TimelineEntry[];
  address: Pick<ViewAddress, 'visit' | 'choice' | 'onChoice'>;
  width: number;
  collapsed: boolean;
  onCollapse: () => void;
  actions: ReactNode;
  below: Below | null;
};

const PHONE_TOGGLES: readonly Toggle[] = ['health'];
const NARROW_TOGGLES: readonly Toggle[] = ['timeline', 'map', 'floatingMap', 'telemetry', 'health'];
const ALL_TOGGLES: readonly Toggle[] = ['timeline', 'map', 'floatingMap', 'sideBySide', 'telemetry', 'health'];

/** Maximum length of a name that fits next to the buttons on a phone, in letters. */
const SHORT_NAME = 7;

/** Control bar and, below it, the stage or the health report of the telemetry. */
export function ViewBody({ mission, entries, address, width, collapsed, onCollapse, actions, below }: Props) {
  const { clock } = useViewServices();
  const { leader } = useClockState(clock);
  const { show } = useSnackbar();
  const { panels, changePanels } = usePanels();
  const [keysShown, setKeysShown] = useState(false);
  const features = useContext(FeatureCommandsContext);
  const { visit, choice, onChoice } = address;
  const all = entries.map(({ sensor }) => sensor);
  const ids = all.map(({ _id }) => _id);
  const shown = shownOf(ids, choice.shownIds, leader ?? visit.sensorId);
  const first = firstLeader(all, visit.sensorId)?._id ?? null;
  const health = choice.healthOf !== null;
  const arrangement = useArrangement(width, shown.length);
  const isPhone = isOfPhone(arrangement);
  const twoLines = arrangement === 'phone' && mission.name.length > SHORT_NAME;
  const isInset = hasInset(arrangement, panels);
  const [mapLeads, setMapLeads] = useState(false);
  const [tableOpen, setTableOpen] = useState(readTableOpen);
  // In one column, and side by side, the open table has a place of its own.
  const tableInStage = tableOpen && !isInset && all.length > 0 && !health;
  const players = entries.filter(({ sensor }) => shown.includes(sensor._id));

  /** Toggles are lit for panels on screen: none while the health is read, or if nothing plays. */
  const stageShown = !health && all.length > 0;
  const on = Object.fromEntries(
    ALL_TOGGLES.map((which) => [which, which === 'health' ? health : stageShown && panels[which]]),
  ) as Record<Toggle, boolean>;

  function toggle(which: Toggle) {
    if (which !== 'health') {
      if (health) onChoice({ healthOf: null });
      return changePanels({ [which]: !on[which] });
    }
    clock.pause();
    onChoice({ healthOf: health ? null : (leader ?? ids[0] ?? null) });
  }
  function exchange() {
    setMapLeads(panels.map ? !mapLeads : true);
    if (!panels.map) changePanels({ map: true });
  }
  function openTable(open: boolean) {
    setTableOpen(open);
    writeTableOpen(open);
  }
  const lead = (index: number) => {
    const sensor = players[index]?.sensor;
    if (sensor) clock.lead(sensor._id);
  };
  function goToSensor(id: string) {
    if (!shown.includes(id)) onChoice({ shownIds: null });
    clock.lead(id);
  }
  useLeaderOnStage(shown);
  useViewKeys({
    clock,
    hidden: collapsed || health,
    lead,
    fullScreen: toggleFullScreen,
    panels,
    changePanels,
    showKeys: () => setKeysShown(true),
    ...(!collapsed && all.length > 0 && { toggleHealth: () => toggle('health') }),
    ...(isInset && stageShown && { exchange }),
    ...(!isPhone && { toggleFloatingMap: () => toggle('floatingMap') }),
    features,
    noMaster: () => show(texts.noMaster, 'error'),
  });

  return (
    <>
      <Box sx={{ display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0, minWidth: 0, overflowY: 'auto' }}>
        <Box sx={{ minHeight: (twoLines ? 2 : 1) * size.toolbar, minWidth: 0 }}>
          <Behind>
            <ControlBar
              mission={mission}
              badge={<SensorsMenu sensors={all} shown={shown} onShown={(shownIds) => onChoice({ shownIds })} />}
              collapsed={collapsed}
              onCollapse={onCollapse}
              on={on}
              toggles={isPhone ? PHONE_TOGGLES : arrangement === 'column' ? NARROW_TOGGLES : ALL_TOGGLES}
              onToggle={toggle}
              onKeys={isPhone ? null : () => setKeysShown(true)}
              compact={isPhone}
              twoLines={twoLines}
              actions={actions}
            />
          </Behind>
        </Box>
        {!collapsed && all.length === 0 && <Notice icon={mdiFilmstripOff} title={texts.noVideo} />}
        {!collapsed && health && (
          <HealthPanel
            mission={mission}
            entries={entries}
            chosen={choice.healthOf}
            onChoose={(healthOf) => onChoice({ healthOf })}
            onShow={(sensorId, timeUs) => {
              onChoice({ healthOf: null });
              goToSensor(sensorId);
              clock.seek(timeUs);
            }}
          />
        )}
        {!collapsed && all.length > 0 && (
          // The players remain mounted, though hidden, while the health report is open, so that nothing has to be loaded
          // again.
          <Box sx={{ display: health ? 'none' : 'contents' }}>
            <Stage
              mission={mission}
              sensors={all}
              onSensor={goToSensor}
              players={players}
              first={first}
              width={width}
              panels={panels}
              onPanels={changePanels}
              mapLeads={mapLeads}
              onExchange={exchange}
              below={tableInStage ? below?.content(true) : null}
            />
          </Box>
        )}
        {(collapsed || all.length === 0) && below?.content(true)}
      </Box>
      {below && !collapsed && all.length > 0 && (
        <TableDock below={below} open={tableOpen} onOpen={openTable} elsewhere={tableInStage} />
      )}
      <KeysDialog open={keysShown} view="mission" onClose={() => setKeysShown(false)} />
    </>
  );
}

/** Ensures that the leading sensor is one of those on screen. */
function useLeaderOnStage(shown: readonly string[]) {
  const { clock } = useViewServices();
  const { leader } = useClockState(clock);
  const first = shown[0];
  const isShown = leader !== null && shown.includes(leader);
  useEffect(() => {
    if (first !== undefined && leader !== null && !isShown) clock.lead(first);
  }, [clock, first, leader, isShown]);
}
