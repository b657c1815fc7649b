import { mdiQuadcopter } from '@mdi/js';
import { Box, Button } from '@mui/material';
import { can } from '@osprey/contract';
import { Link } from 'react-router';
import { useActor } from '../api/session.ts';
import { useEvents } from '../events/events.ts';
import { LivePreview } from '../live/LivePreview.tsx';
import { texts } from '../live/texts.ts';
import type { TabParts } from '../missionview/feature.ts';
import { LivePlatformsTable } from '../platforms/LivePlatformsTable.tsx';
import { PlatformFilterBar } from '../platforms/PlatformFilterBar.tsx';
import { PlatformsTools } from '../platforms/PlatformsTools.tsx';
import type { useLivePlatforms } from '../platforms/useLivePlatforms.ts';
import type { LiveSelection } from '../platforms/useLiveSelection.ts';
import { usePlatformsView } from '../platforms/usePlatformsView.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import { TablePanel } from '../ui/table/TablePanel.tsx';

type Props = TabParts & { live: ReturnType<typeof useLivePlatforms>; selection: LiveSelection };

/** The table of platforms below the live pictures. */
export function LiveTable({ strip, panel, live, selection }: Props) {
  const { offlineSince } = useEvents();
  const view = usePlatformsView();
  const maySetUp = can(useActor(), 'platformConfig.manage').allowed;
  return (
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
  );
}
