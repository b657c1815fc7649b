import { mdiBookmarkOutline, mdiTrashCanOutline } from '@mdi/js';
import { Box, Button, useMediaQuery } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { formatFound } from '../base/format.ts';
import { storageKeys } from '../base/keys.ts';
import { useEvents } from '../events/events.ts';
import { SearchField } from '../ui/filter/SearchField.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import type { TabPanelProps } from '../ui/TabStrip.tsx';
import { BulkBar } from '../ui/table/BulkBar.tsx';
import { ColumnsMenu } from '../ui/table/ColumnsMenu.tsx';
import { TablePanel } from '../ui/table/TablePanel.tsx';
import { useColumnChoice } from '../ui/table/useColumnChoice.ts';
import { useSelection } from '../ui/table/useSelection.ts';
import { BookmarkTable, useBookmarkRows } from './BookmarkTable.tsx';
import { bookmarkColumns, dialogColumns } from './columns.tsx';
import { type MarkedView, useMarkedView } from './marked-view.ts';
import { texts } from './texts.ts';
import { useBookmarkActs } from './useBookmarkActs.ts';
import { useBookmarks } from './useBookmarks.ts';

type Props = { tabs: ReactNode; panel: TabPanelProps };

/** Bookmarks of the mission that is open, as a table below the stage. */
export function BookmarksPanel({ tabs, panel }: Props) {
  const view = useMarkedView();
  if (view !== null) return <Listed key={view.mission._id} view={view} tabs={tabs} panel={panel} />;
  return (
    <TablePanel label={texts.title} tabs={tabs} tools={null}>
      <Box {...panel} sx={{ height: '100%', overflowY: 'auto' }}>
        <Notice icon={mdiBookmarkOutline} title={texts.closed.title} text={texts.closed.text} />
      </Box>
    </TablePanel>
  );
}

const counted = { ...texts.count, of: '{count} of {all} bookmarks' };
const hiddenAtFirst = ['created'];

function Listed({ view, tabs, panel }: Props & { view: MarkedView }) {
  const { offlineSince } = useEvents();
  const listed = useBookmarks(view.mission._id);
  const { remove } = useBookmarkActs();
  const { rows, sorting, onSort, search, setSearch } = useBookmarkRows(listed.bookmarks);
  const selection = useSelection(rows);
  const columns = useColumnChoice(storageKeys.bookmarkColumns, hiddenAtFirst);
  const [open, setOpen] = useState<string | null>(null);
  const narrow = useMediaQuery('(max-width: 959.95px)');
  const offered = narrow ? dialogColumns : bookmarkColumns;
  const shown = offered.filter(({ id }) => !columns.choice.hidden.includes(id));
  const { bookmarks } = listed;

  return (
    <TablePanel
      label={texts.title}
      tabs={tabs}
      tools={
        <>
          <Box component="span" aria-live="polite" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
            {!listed.loading && formatFound(rows.length, search === '' ? null : bookmarks.length, counted)}
          </Box>
          <SearchField label={texts.search} value={search} onChange={setSearch} />
          <ColumnsMenu
            columns={offered}
            hidden={columns.choice.hidden}
            onToggle={columns.toggle}
            onReset={columns.reset}
          />
        </>
      }
      faded={offlineSince !== null}
    >
      <Box {...panel} sx={{ height: '100%' }}>
        <BookmarkTable
          {...{ view, listed, rows, sorting, onSort, search, selection, open }}
          columns={shown}
          choice={columns.choice}
          onWidth={columns.setWidth}
          onClear={() => setSearch('')}
          onOpen={setOpen}
        />
        {selection.chosen.length > 0 && (
          <BulkBar count={selection.chosen.length} onClear={selection.clear}>
            <Button
              color="error"
              startIcon={<Icon path={mdiTrashCanOutline} />}
              onClick={() => void remove(selection.chosen)}
            >
              {texts.remove}
            </Button>
          </BulkBar>
        )}
      </Box>
    </TablePanel>
  );
}
