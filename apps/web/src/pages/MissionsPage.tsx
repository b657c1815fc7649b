import { Box, useMediaQuery } from '@mui/material';
import type { Mission, Sensor } from '@osprey/contract';
import { useCallback, useState } from 'react';
import { ShipsOfPage } from '../ais/ShipsOfPage.tsx';
import { storageKeys } from '../base/keys.ts';
import { LOW_WINDOW, PHONE_VIEW, unseen } from '../base/sizes.ts';
import { activeFilters, filterRules } from '../missions/filter.ts';
import { MissionsPanel } from '../missions/MissionsPanel.tsx';
import { texts as missionTexts } from '../missions/texts.ts';
import type { ViewTab } from '../missionview/feature.ts';
import { useKeysWithoutMission } from '../missionview/useKeysWithoutMission.ts';
import { useQueryFilter } from '../ui/filter/useQueryFilter.ts';
import { MovableContent, MovablePlace, useMovable } from '../ui/Movable.tsx';
import { useIdle } from '../ui/useIdle.ts';
import { MissionNotShown } from './MissionNotShown.tsx';
import { MissionsTop } from './MissionsTop.tsx';
import { OpenedMission } from './OpenedMission.tsx';
import { TabHost, useOfferedTabs, useTabChoice } from './TabHost.tsx';
import { texts } from './texts.ts';
import { useCalm } from './useCalm.ts';
import { useLostMissions } from './useLostMissions.ts';
import { useMissionFocus } from './useMissionFocus.ts';
import { useOpenMission } from './useOpenMission.ts';
import { usePageTitle } from './usePageTitle.ts';
import { viewTabs } from './view-features.ts';

const noMissions: readonly Mission[] = [];

/** The VOD page: the map of all missions, or the open mission, above the table. */
export const MissionsPage = () => (
  <ShipsOfPage mode="clock">
    <Page />
  </ShipsOfPage>
);

function Page() {
  usePageTitle(texts.titles.missions);
  const { filter, setFilter, sort, setSort } = useQueryFilter(filterRules, 'mission');
  const current = useOpenMission();
  const phone = useMediaQuery(PHONE_VIEW);
  const [listed, setListed] = useState<{ missions: readonly Mission[]; total: number | null } | null>(null);
  const missions = listed?.missions ?? noMissions;
  const table = useMovable();
  const choice = useTabChoice(storageKeys.missionsTabValue);
  const idle = useIdle(listed !== null);
  const shown = current.mission;
  const failed = current.id !== null && shown === null && current.error !== null;
  const viewsMission = current.id !== null && !failed;
  const { calm, onFirstFrame } = useCalm(!viewsMission, idle);
  useKeysWithoutMission(current.id === null);
  const { ref: viewRef, onOpen } = useMissionFocus(current.id, table.element);

  const onListed = useCallback(
    (rows: readonly Mission[], total: number | null) => setListed({ missions: rows, total }),
    [],
  );
  const closeGone = (ids: readonly string[]) => {
    if (current.id !== null && ids.includes(current.id)) current.close();
  };
  // Removes the places of missions that are no longer accessible from the map before the table is reloaded.
  useLostMissions({ openId: current.id, onAll: () => setListed(null), onGone: closeGone });
  const { open } = current;
  const openRow = useCallback(
    (mission: Mission, sensor: Sensor | null) => {
      onOpen(mission._id);
      open(mission, sensor);
    },
    [onOpen, open],
  );
  const openById = (id: string) => {
    const mission = missions.find(({ _id }) => _id === id);
    if (mission) openRow(mission, null);
  };

  const vod: ViewTab = {
    id: 'vod',
    label: missionTexts.tabs.vod,
    // The map of places shows the missions of this list, so the panel must remain mounted.
    stays: true,
    content: ({ strip, panel }) => (
      <MissionsPanel
        tabs={strip}
        panel={panel}
        filter={filter}
        onFilter={setFilter}
        sort={sort}
        onSort={setSort}
        open={{ mission: shown, sensorId: current.sensorId, link: current.link }}
        onOpen={openRow}
        onClosed={closeGone}
        onListed={onListed}
      />
    ),
  };

  const allTabs = [vod, ...viewTabs];
  const tabs = useOfferedTabs(allTabs);

  return (
    <Box
      sx={{
        ...{ height: '100%', minHeight: 0, p: { xs: 0, sm: 2 }, display: 'flex', flexDirection: 'column', gap: 2 },
        ...(viewsMission && { [`@media ${LOW_WINDOW}`]: { p: 0 } }),
      }}
    >
      <Box component="h1" sx={unseen}>
        {texts.titles.missions}
      </Box>
      <MovableContent movable={table}>
        {(calm || !viewsMission) && (
          <TabHost
            label={missionTexts.title}
            tabs={allTabs}
            storageKey={storageKeys.missionsTabValue}
            choice={choice}
            mission={shown}
          />
        )}
      </MovableContent>
      {shown && (
        <OpenedMission
          mission={shown}
          current={current}
          table={table}
          tabs={tabs.map(({ id, label }) => ({ id, label, count: id === vod.id ? (listed?.total ?? null) : null }))}
          onTab={(id) => choice[1](tabs.findIndex((tab) => tab.id === id))}
          regionRef={viewRef}
          neighbours={{ missions, open: (mission) => openRow(mission, null), close: current.close }}
          onFirstFrame={onFirstFrame}
          calm={calm}
        />
      )}
      {failed && <MissionNotShown error={current.error} onClose={current.close} />}
      {current.id === null && (listed === null || missions.length > 0 || activeFilters(filter).length > 0) && (
        <MissionsTop
          missions={missions}
          count={listed && (listed.total ?? missions.length)}
          idle={idle}
          onSelect={openById}
        />
      )}
      {!viewsMission && (
        <Box sx={{ flex: 1, minHeight: 200 }}>
          <MovablePlace movable={table} />
        </Box>
      )}
      {viewsMission && !phone && table.places === 0 && (
        // Shown while the view is still loading, or if it has no place for the table (a mission without video).
        <Box sx={{ flex: 2, minHeight: 200 }}>
          <MovablePlace movable={table} fallback />
        </Box>
      )}
    </Box>
  );
}
