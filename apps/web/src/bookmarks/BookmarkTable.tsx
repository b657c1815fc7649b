import { mdiBookmarkOffOutline, mdiBookmarkOutline, mdiLinkVariant, mdiPencilOutline } from '@mdi/js';
import { Button } from '@mui/material';
import type { Bookmark } from '@osprey/contract';
import { useMemo, useState } from 'react';
import { fill } from '../base/format.ts';
import { AddToCase } from '../cases/add/AddToCase.tsx';
import { Action } from '../ui/Action.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import { type Column, type ColumnChoice, type Sorting, sortedBy } from '../ui/table/data-table.ts';
import { allOrSome } from '../ui/table/listing.ts';
import type { Selection } from '../ui/table/useSelection.ts';
import { collectedBookmarks } from './collected.ts';
import { matches, orderOf, ROW_PX } from './columns.tsx';
import type { MarkedView } from './marked-view.ts';
import { texts } from './texts.ts';
import { useBookmarkActs } from './useBookmarkActs.ts';
import type { useBookmarks } from './useBookmarks.ts';

type Listed = ReturnType<typeof useBookmarks>;

type Props = {
  view: MarkedView;
  listed: Listed;
  /** The bookmarks to show, in this order. */
  rows: readonly Bookmark[];
  columns: readonly Column<Bookmark>[];
  choice: ColumnChoice;
  onWidth: (column: string, width: number | null) => void;
  selection: Selection<Bookmark>;
  sorting: Sorting;
  onSort: (column: string) => void;
  search: string;
  onClear: () => void;
  /** Id of the bookmark that was opened last; null: none. */
  open: string | null;
  onOpen: (id: string) => void;
};

/** Sorts and searches bookmarks, all of which have been loaded. */
export function useBookmarkRows(bookmarks: readonly Bookmark[]) {
  const [sorting, setSorting] = useState<Sorting>({ column: 'time', descending: false });
  const [search, setSearch] = useState('');
  const rows = useMemo(() => {
    const found = search === '' ? bookmarks : bookmarks.filter((row) => matches(row, search));
    return sortedBy(found, orderOf(sorting.column), sorting.descending);
  }, [bookmarks, search, sorting]);
  const onSort = (column: string) =>
    setSorting((before) => ({ column, descending: before.column === column && !before.descending }));
  return { rows, sorting, onSort, search, setSearch };
}

/** Table of bookmarks. A click, Enter or an arrow key moves every player to the frame of a bookmark. */
export function BookmarkTable(props: Props) {
  const { view, listed, rows, columns, choice, onWidth, selection, sorting, onSort, search, onClear, open } = props;
  const { copyLink } = useBookmarkActs();
  const { bookmarks, loading, error, refetch } = listed;
  // Users can delete only their own bookmarks; those who may create bookmarks can also select those of others, to add
  // them to a case.
  const choosable = view.mayMark ? rows : rows.filter(({ editable }) => editable);
  const isChoosable = (row: Bookmark) => view.mayMark || row.editable;
  const go = (row: Bookmark) => {
    props.onOpen(row._id);
    view.go(row);
  };
  return (
    <DataTable
      label={texts.title}
      columns={columns}
      rows={rows}
      traits={(row) => ({
        id: row._id,
        name: row.title,
        level: 1,
        open: row._id === open,
        ...(isChoosable(row) && { checked: selection.chosenIds.has(row._id) }),
      })}
      sorting={sorting}
      onSort={onSort}
      choice={choice}
      onWidth={onWidth}
      onOpen={go}
      onWalk={go}
      onToggle={() => undefined}
      onCheck={
        choosable.length > 0 ? (row, extend) => isChoosable(row) && selection.toggle(row._id, extend) : undefined
      }
      onCheckAll={(checked) => selection.choose(checked ? choosable.map(({ _id }) => _id) : [])}
      checkedAll={allOrSome(selection.chosen.length, choosable.length)}
      actions={{
        width: 112,
        of: (row) => (
          <>
            <AddToCase title={row.title} of={() => collectedBookmarks([row], view.mission)} />
            <Action
              label={fill(texts.row.link, { title: row.title })}
              icon={mdiLinkVariant}
              onClick={() => void copyLink(row)}
            />
            {row.editable && (
              <Action
                label={fill(texts.row.edit, { title: row.title })}
                icon={mdiPencilOutline}
                onClick={() => view.edit(row)}
              />
            )}
          </>
        ),
      }}
      total={loading ? null : rows.length}
      loading={loading}
      rowHeight={ROW_PX}
      {...(selection.chosen.length > 0 && { roomBelow: 56 })}
    >
      {error !== null && bookmarks.length === 0 && (
        <FailedNotice title={texts.failed} error={error} onRetry={refetch} />
      )}
      {!loading && error === null && bookmarks.length === 0 && (
        <Notice
          icon={mdiBookmarkOutline}
          title={texts.empty.title}
          text={view.mayMark ? texts.empty.text : texts.empty.guest}
        />
      )}
      {bookmarks.length > 0 && rows.length === 0 && (
        <Notice icon={mdiBookmarkOffOutline} title={fill(texts.notFound.title, { search })} text={texts.notFound.text}>
          <Button onClick={onClear}>{texts.notFound.clear}</Button>
        </Notice>
      )}
    </DataTable>
  );
}
