import { mdiTrashCanOutline } from '@mdi/js';
import { Box, Button, useMediaQuery } from '@mui/material';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { formatFound } from '../base/format.ts';
import { storageKeys } from '../base/keys.ts';
import { AddToCase } from '../cases/add/AddToCase.tsx';
import { SearchField } from '../ui/filter/SearchField.tsx';
import { Icon } from '../ui/Icon.tsx';
import { BulkBar } from '../ui/table/BulkBar.tsx';
import { ColumnsMenu } from '../ui/table/ColumnsMenu.tsx';
import { useColumnChoice } from '../ui/table/useColumnChoice.ts';
import { useSelection } from '../ui/table/useSelection.ts';
import { BookmarkTable, useBookmarkRows } from './BookmarkTable.tsx';
import { collectedBookmarks } from './collected.ts';
import { bookmarkColumns, dialogColumns } from './columns.tsx';
import type { MarkedView } from './marked-view.ts';
import { texts } from './texts.ts';
import { useBookmarkActs } from './useBookmarkActs.ts';
import { useBookmarks } from './useBookmarks.ts';

const counted = { ...texts.count, of: '{count} of {all} bookmarks' };
const hiddenAtFirst = ['created'];

type Props = {
  view: MarkedView;
  /** Element in which search and columns are rendered: the toolbar of the panel. */
  tools: HTMLElement;
};

/** Table of the panel, with its tools. */
export function ListedBookmarks({ view, tools }: Props) {
  const listed = useBookmarks(view.mission._id);
  const { remove } = useBookmarkActs();
  const { rows, sorting, onSort, search, setSearch } = useBookmarkRows(listed.bookmarks);
  const selection = useSelection(rows);
  const columns = useColumnChoice(storageKeys.bookmarkColumns, hiddenAtFirst);
  const [open, setOpen] = useState<string | null>(null);
  const narrow = useMediaQuery('(max-width: 959.95px)');
  const offered = narrow ? dialogColumns : bookmarkColumns;
  const shown = offered.filter(({ id }) => !columns.choice.hidden.includes(id));
  const all = search === '' ? null : listed.bookmarks.length;

  return (
    <>
      {createPortal(
        <>
          <Box component="span" aria-live="polite" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
            {!listed.loading && formatFound(rows.length, all, counted)}
          </Box>
          <SearchField label={texts.search} value={search} onChange={setSearch} />
          <ColumnsMenu
            columns={offered}
            hidden={columns.choice.hidden}
            onToggle={columns.toggle}
            onReset={columns.reset}
          />
        </>,
        tools,
      )}
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
          <AddToCase
            look="button"
            of={() => collectedBookmarks(selection.chosen, view.mission)}
            onAdded={selection.clear}
          />
          <Button
            color="error"
            disabled={selection.chosen.some(({ editable }) => !editable)}
            startIcon={<Icon path={mdiTrashCanOutline} />}
            onClick={() => void remove(selection.chosen)}
          >
            {texts.remove}
          </Button>
        </BulkBar>
      )}
    </>
  );
}
