import { mdiQuadcopter } from '@mdi/js';
import { Box, Button } from '@mui/material';
import { can, revokedEvent } from '@osprey/contract';
import { useCallback, useContext, useMemo } from 'react';
import { Link } from 'react-router';
import { ShipsOfPage } from '../ais/ShipsOfPage.tsx';
import { useAnnotationsOverlay } from '../annotations/useAnnotationsOverlay.ts';
import { useActor } from '../api/session.ts';
import { storageKeys } from '../base/keys.ts';
import { LOW_WINDOW, unseen } from '../base/sizes.ts';
import { togetherOverlay } from '../conference/together/useTogetherView.ts';
import { useLastSeenOverlay } from '../coverage/useLastSeenOverlay.ts';
import { useEvents, useServerEvent } from '../events/events.ts';
import { LivePreview } from '../live/LivePreview.tsx';
import { LiveView } from '../live/LiveView.tsx';
import { texts } from '../live/texts.ts';
import { PageOverlays } from '../map/page-overlays.ts';
import { LivePlatformsTable } from '../platforms/LivePlatformsTable.tsx';
import { PlatformFilterBar } from '../platforms/PlatformFilterBar.tsx';
import { PlatformsTools } from '../platforms/PlatformsTools.tsx';
import { useLivePlatforms } from '../platforms/useLivePlatforms.ts';
import { useLiveSelection } from '../platforms/useLiveSelection.ts';
import { usePlatformsView } from '../platforms/usePlatformsView.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { TablePanel } from '../ui/table/TablePanel.tsx';
import { LiveMarkActions, LiveMarks, LiveShipsAction } from './LiveMarks.tsx';
import { type HostedTab, TabHost } from './TabHost.tsx';
import { useOfferedTabs } from './useOfferedTabs.ts';
import { usePageTitle } from './usePageTitle.ts';
import { viewTabs } from './view-tabs.tsx';

/** The missions page in live mode: players and map of what flies now, above the table of the platforms. */
export const LivePage = () => (
  <ShipsOfPage mode="live">
    <Page />
  </ShipsOfPage>
);

function Page() {
  usePageTitle(texts.title);
  const hosted = useOfferedTabs(viewTabs);
  const { offlineSince } = useEvents();
  const { show } = useSnackbar();
  const live = useLivePlatforms();
  const selection = useLiveSelection(live.platforms);
  const view = usePlatformsView();
  const annotations = useAnnotationsOverlay(null);
  const others = useContext(PageOverlays);
  const lastSeen = useLastSeenOverlay('now');
  const overlays = useMemo(() => [lastSeen, ...others, annotations, togetherOverlay], [lastSeen, others, annotations]);
  const maySetUp = can(useActor(), 'platformConfig.manage').allowed;
  const { platforms, readAtMs } = live;

  useServerEvent(revokedEvent, ({ noun, ids }) => {
    if (noun === 'platforms' && platforms.some(({ _id }) => ids.includes(_id))) show(texts.revoked, 'warning');
  });
  const { choose } = selection;
  const select = useCallback(
    (id: string) => {
      const platform = platforms.find(({ _id }) => _id === id);
      if (platform) choose({ kind: 'platform', platform, readAtMs }, false);
    },
    [platforms, readAtMs, choose],
  );

  const own: HostedTab = {
    id: 'live',
    label: texts.title,
    content: ({ strip, panel }) => (
      <TablePanel
        label={texts.table}
        tabs={strip}
        tools={<PlatformsTools live={live} view={view} />}
        filters={<PlatformFilterBar live={live} view={view} />}
        faded={offlineSince !== null}
      >
        <Box {...panel} sx={{ height: '100%' }}>
          <LivePlatformsTable live={live} selection={selection} view={view} preview={LivePreview}>
            {maySetUp && (
              <Notice icon={mdiQuadcopter} title={texts.setUp.title} text={texts.setUp.text}>
                <Button component={Link} to="/platforms">
                  {texts.setUp.way}
                </Button>
              </Notice>
            )}
          </LivePlatformsTable>
        </Box>
      </TablePanel>
    ),
  };

  return (
    <Box sx={{ height: '100%', minHeight: 0, p: { xs: 0, sm: 2 }, [`@media ${LOW_WINDOW}`]: { p: 0 } }}>
      <Box component="h1" sx={unseen}>
        {texts.title}
      </Box>
      <PageOverlays value={overlays}>
        <LiveView
          platforms={platforms}
          loading={live.loading}
          chosen={selection.sensorIds}
          onSelect={select}
          actions={
            <>
              <LiveMarkActions />
              <LiveShipsAction platforms={platforms} />
            </>
          }
          around={(drawn) => (
            <LiveMarks platforms={platforms} selection={selection}>
              {drawn}
            </LiveMarks>
          )}
          below={
            // On a phone the page scrolls: the table keeps a height of its own.
            <Box sx={{ height: '100%', minHeight: { xs: 420, sm: 0 }, [`@media ${LOW_WINDOW}`]: { minHeight: 420 } }}>
              <TabHost label={texts.title} tabs={[own, ...hosted]} storageKey={storageKeys.missionsTabValue} />
            </Box>
          }
        />
      </PageOverlays>
    </Box>
  );
}
