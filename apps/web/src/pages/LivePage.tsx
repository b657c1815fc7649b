import { Box } from '@mui/material';
import { revokedEvent } from '@osprey/contract';
import { useCallback } from 'react';
import { ShipsOfPage } from '../ais/ShipsOfPage.tsx';
import { storageKeys } from '../base/keys.ts';
import { LOW_WINDOW, unseen } from '../base/sizes.ts';
import { useServerEvent } from '../events/events.ts';
import { LiveView } from '../live/LiveView.tsx';
import { texts } from '../live/texts.ts';
import type { ViewTab } from '../missionview/feature.ts';
import { ViewActions } from '../missionview/ViewActions.tsx';
import { useLivePlatforms } from '../platforms/useLivePlatforms.ts';
import { useLiveSelection } from '../platforms/useLiveSelection.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { LiveHost } from './LiveHost.tsx';
import { LiveTable } from './LiveTable.tsx';
import { TabHost } from './TabHost.tsx';
import { usePageTitle } from './usePageTitle.ts';
import { loadViewFeatures, viewTabs } from './view-features.ts';

/** Loads the page together with the features that it shows. */
export async function loadLivePage() {
  await loadViewFeatures();
  return LivePage;
}

/** The missions page in live mode: players and map of the current streams, above the table of platforms. */
export const LivePage = () => (
  <ShipsOfPage mode="live">
    <Page />
  </ShipsOfPage>
);

function Page() {
  usePageTitle(texts.title);
  const { show } = useSnackbar();
  const live = useLivePlatforms();
  const selection = useLiveSelection(live.platforms);
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

  const own: ViewTab = {
    id: 'live',
    label: texts.title,
    content: (parts) => <LiveTable {...parts} live={live} selection={selection} />,
  };

  return (
    <Box sx={{ height: '100%', minHeight: 0, p: { xs: 0, sm: 2 }, [`@media ${LOW_WINDOW}`]: { p: 0 } }}>
      <Box component="h1" sx={unseen}>
        {texts.title}
      </Box>
      <LiveView
        platforms={platforms}
        loading={live.loading}
        chosen={selection.sensorIds}
        onSelect={select}
        actions={(phone) => <ViewActions phone={phone} />}
        around={(drawn) => (
          <LiveHost platforms={platforms} selection={selection}>
            {drawn}
          </LiveHost>
        )}
        below={
          // On a phone the page scrolls, so the table has a minimum height.
          <Box sx={{ height: '100%', minHeight: { xs: 420, sm: 0 }, [`@media ${LOW_WINDOW}`]: { minHeight: 420 } }}>
            <TabHost label={texts.title} tabs={[own, ...viewTabs]} storageKey={storageKeys.missionsTabValue} />
          </Box>
        }
      />
    </Box>
  );
}
