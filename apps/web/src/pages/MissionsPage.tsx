import { mdiArrowLeft, mdiClose, mdiEyeOffOutline, mdiShareVariantOutline } from '@mdi/js';
import { Box, Button, useMediaQuery } from '@mui/material';
import type { Mission, Sensor } from '@osprey/contract';
import { useCallback, useEffect, useState } from 'react';
import { ShipsOfPage } from '../ais/ShipsOfPage.tsx';
import { OpenMission } from '../annotations/open-mission.ts';
import { storageKeys } from '../base/keys.ts';
import { LOW_WINDOW, PHONE_VIEW, unseen } from '../base/sizes.ts';
import { errorText, isCode } from '../base/transport-error.ts';
import { activeFilters, filterRules } from '../missions/filter.ts';
import { MissionsPanel } from '../missions/MissionsPanel.tsx';
import { texts as missionTexts } from '../missions/texts.ts';
import { useLiveMissions } from '../missions/useLiveMissions.ts';
import { useKeysWithoutMission } from '../missionview/useKeysWithoutMission.ts';
import { leaveFirstSight } from '../player/first/first-sight.ts';
import { ErrorBoundary } from '../shell/ErrorBoundary.tsx';
import { Action } from '../ui/Action.tsx';
import { useQueryFilter } from '../ui/filter/useQueryFilter.ts';
import { later } from '../ui/later.tsx';
import { MovableContent, MovablePlace, useMovable } from '../ui/Movable.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { useShare } from '../ui/share/useShare.tsx';
import { useIdle } from '../ui/useIdle.ts';
import { MissionView } from './ahead.ts';
import { type HostedTab, TabHost } from './TabHost.tsx';
import { TopSection } from './TopSection.tsx';
import { texts } from './texts.ts';
import { useCalm } from './useCalm.ts';
import { useMissionFocus } from './useMissionFocus.ts';
import { useOfferedTabs } from './useOfferedTabs.ts';
import { useOpenMission } from './useOpenMission.ts';
import { usePageTitle } from './usePageTitle.ts';
import { viewTabs } from './view-tabs.tsx';

const MissionsMap = later(async () => (await import('./MissionsMap.tsx')).MissionsMap);

const noMissions: readonly Mission[] = [];

/** The VOD page: the places of all missions, or the one that is open, above the table. */
export const MissionsPage = () => (
  <ShipsOfPage mode="clock">
    <Page />
  </ShipsOfPage>
);

function Page() {
  usePageTitle(texts.titles.missions);
  const hosted = useOfferedTabs(viewTabs);
  const { filter, setFilter, sort, setSort } = useQueryFilter(filterRules, 'mission');
  const current = useOpenMission();
  const { show } = useSnackbar();
  const { share, popover } = useShare();
  const phone = useMediaQuery(PHONE_VIEW);
  const [listed, setListed] = useState<{ missions: readonly Mission[]; total: number | null } | null>(null);
  const missions = listed?.missions ?? noMissions;
  const table = useMovable();
  const idle = useIdle(listed !== null);
  const shown = current.mission;
  const failed = current.id !== null && shown === null && current.error !== null;
  const viewsMission = current.id !== null && !failed;
  const { calm, onFirstFrame } = useCalm(!viewsMission, idle);
  useKeysWithoutMission(current.id === null);
  const { ref: viewRef, onOpen } = useMissionFocus(current.id, table.element);
  useEffect(() => {
    if (!viewsMission) leaveFirstSight();
  }, [viewsMission]);

  const onListed = useCallback(
    (rows: readonly Mission[], total: number | null) => setListed({ missions: rows, total }),
    [],
  );
  const closeGone = (ids: readonly string[]) => {
    if (current.id !== null && ids.includes(current.id)) current.close();
  };
  useLiveMissions((ids, all) => {
    // Takes the places of lost missions off the map before the table is read again.
    if (all) setListed(null);
    if (current.id !== null && ids.includes(current.id)) show(missionTexts.revoked, 'warning');
    closeGone(ids);
  });
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

  const vod: HostedTab = {
    id: 'vod',
    label: missionTexts.tabs.vod,
    // The map of places shows what it lists.
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
      {popover}
      <MovableContent movable={table}>
        {(calm || !viewsMission) && (
          <OpenMission value={shown}>
            <TabHost label={missionTexts.title} tabs={[vod, ...hosted]} storageKey={storageKeys.missionsTabValue} />
          </OpenMission>
        )}
      </MovableContent>
      {shown && (
        <Box sx={{ flex: 1, minHeight: 0 }}>
          <ErrorBoundary key={shown._id}>
            <MissionView
              regionRef={viewRef}
              neighbours={{ missions, open: (mission) => openRow(mission, null), close: current.close }}
              mission={shown}
              sensors={current.sensors}
              address={current.address}
              onFirstFrame={onFirstFrame}
              calm={calm}
              actions={
                <>
                  <Action
                    label={missionTexts.toolbar.share}
                    icon={mdiShareVariantOutline}
                    onClick={() => share(current.link())}
                  />
                  <Action
                    label={missionTexts.view.close}
                    icon={phone ? mdiArrowLeft : mdiClose}
                    onClick={current.close}
                  />
                </>
              }
              below={phone ? null : <MovablePlace movable={table} />}
            />
          </ErrorBoundary>
        </Box>
      )}
      {failed && (
        <Notice
          failed
          icon={mdiEyeOffOutline}
          title={isCode(current.error, 'notFound') ? missionTexts.notFound.title : missionTexts.view.failed}
          text={isCode(current.error, 'notFound') ? missionTexts.notFound.text : errorText(current.error)}
        >
          <Button onClick={current.close}>{missionTexts.notFound.back}</Button>
        </Notice>
      )}
      {current.id === null && (listed === null || missions.length > 0 || activeFilters(filter).length > 0) && (
        <TopSection count={listed && (listed.total ?? missions.length)}>
          {idle && (
            // A map that cannot be loaded does not take the table with it.
            <ErrorBoundary>
              <MissionsMap missions={missions} onSelect={openById} />
            </ErrorBoundary>
          )}
        </TopSection>
      )}
      {!viewsMission && (
        <Box sx={{ flex: 1, minHeight: 200 }}>
          <MovablePlace movable={table} />
        </Box>
      )}
      {viewsMission && !phone && table.places === 0 && (
        // The view is not there yet, or has no place for the table (a mission without video).
        <Box sx={{ flex: 2, minHeight: 200 }}>
          <MovablePlace movable={table} fallback />
        </Box>
      )}
    </Box>
  );
}
