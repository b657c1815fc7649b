import { Box, Button, DialogActions, DialogContent } from '@mui/material';
import { useState } from 'react';
import { AddToCase } from '../cases/add/AddToCase.tsx';
import { PlainDialog } from '../ui/dialog/PlainDialog.tsx';
import { SearchField } from '../ui/filter/SearchField.tsx';
import { ShownMark } from '../ui/label/ShownMark.tsx';
import { noChoice } from '../ui/table/listing.ts';
import { useSelection } from '../ui/table/useSelection.ts';
import { texts as ui } from '../ui/texts.ts';
import { BookmarkTable, useBookmarkRows } from './BookmarkTable.tsx';
import { collectedBookmarks } from './collected.ts';
import { dialogColumns } from './columns.tsx';
import type { MarkedView } from './marked-view.ts';
import { texts } from './texts.ts';
import { useBookmarkActs } from './useBookmarkActs.ts';
import { useBookmarks } from './useBookmarks.ts';

type Props = { view: MarkedView; onClose: () => void };

/** Dialog with the list of bookmarks, in which several can be deleted at a time. */
export function BookmarksDialog({ view, onClose }: Props) {
  const listed = useBookmarks(view.mission._id);
  const { remove } = useBookmarkActs();
  const { rows, sorting, onSort, search, setSearch } = useBookmarkRows(listed.bookmarks);
  const selection = useSelection(rows);
  const [open, setOpen] = useState<string | null>(null);
  const { chosen } = selection;
  return (
    <PlainDialog
      title={texts.title}
      mark={<ShownMark label={view.mission.securityClassification} marked={view.mission.marked} />}
      onClose={onClose}
    >
      <DialogContent sx={{ p: 0, display: 'flex', flexDirection: 'column', minHeight: 0 }}>
        <Box sx={{ px: 4, pt: 4, pb: 2, display: 'flex', '& > *': { flex: 1 } }}>
          <SearchField label={texts.search} value={search} onChange={setSearch} />
        </Box>
        <Box
          sx={{
            height: { xs: 'auto', sm: 420 },
            flex: { xs: 1, sm: 'none' },
            minHeight: 0,
            borderTop: 1,
            borderColor: 'divider',
          }}
        >
          <BookmarkTable
            {...{ view, listed, rows, sorting, onSort, search, selection, open }}
            columns={dialogColumns}
            choice={noChoice}
            onWidth={() => undefined}
            onClear={() => setSearch('')}
            onOpen={setOpen}
          />
        </Box>
      </DialogContent>
      <DialogActions>
        <Box sx={{ display: 'flex', gap: 1, mr: 'auto' }}>
          {listed.bookmarks.some(({ editable }) => editable) && (
            <Button
              color="error"
              disabled={chosen.length === 0 || chosen.some(({ editable }) => !editable)}
              onClick={() => void remove(chosen)}
            >
              {texts.remove}
            </Button>
          )}
          {chosen.length > 0 && (
            <AddToCase look="button" of={() => collectedBookmarks(chosen, view.mission)} onAdded={selection.clear} />
          )}
        </Box>
        <Button onClick={onClose}>{ui.close}</Button>
      </DialogActions>
    </PlainDialog>
  );
}
