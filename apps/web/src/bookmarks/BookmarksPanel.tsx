import { mdiBookmarkOutline } from '@mdi/js';
import { Box } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { useEvents } from '../events/events.ts';
import { later } from '../ui/later.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import type { TabPanelProps } from '../ui/TabStrip.tsx';
import { TablePanel } from '../ui/table/TablePanel.tsx';
import { useMarkedView } from './marked-view.ts';
import { tabTexts as texts } from './tab-texts.ts';

const ListedBookmarks = later(async () => (await import('./ListedBookmarks.tsx')).ListedBookmarks);

type Props = { tabs: ReactNode; panel: TabPanelProps };

/**
 * Panel below the stage with the bookmarks of the open mission as a table. Its frame is shown before the code of the
 * list has been loaded.
 */
export function BookmarksPanel({ tabs, panel }: Props) {
  const view = useMarkedView();
  const { offlineSince } = useEvents();
  const [tools, setTools] = useState<HTMLElement | null>(null);
  return (
    <TablePanel
      label={texts.title}
      tabs={tabs}
      tools={<Box ref={setTools} sx={{ display: 'contents' }} />}
      faded={offlineSince !== null}
    >
      <Box {...panel} sx={{ height: '100%', overflowY: 'auto' }}>
        {view === null && <Notice icon={mdiBookmarkOutline} title={texts.closed.title} text={texts.closed.text} />}
        {view !== null && tools !== null && <ListedBookmarks key={view.mission._id} view={view} tools={tools} />}
      </Box>
    </TablePanel>
  );
}
