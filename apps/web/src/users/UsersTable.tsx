import { mdiAccountOutline } from '@mdi/js';
import { useMediaQuery } from '@mui/material';
import type { User } from '@osprey/contract';
import { useMemo } from 'react';
import type { Pages } from '../api/usePages.ts';
import { size } from '../base/sizes.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import { InPlaceOfRows } from '../ui/table/InPlaceOfRows.tsx';
import { allOrSome, nextSort, noChoice, sortingOf } from '../ui/table/listing.ts';
import type { Columns } from '../ui/table/useColumnChoice.ts';
import type { Selection } from '../ui/table/useSelection.ts';
import { narrowColumns, userColumns } from './columns.tsx';
import { texts } from './texts.ts';
import { isFiltered, noFilter, type UserFilter, type UserSort } from './useUserFilter.ts';

type Props = {
  listed: Pages<User>;
  filter: UserFilter;
  onFilter: (filter: UserFilter) => void;
  sort: UserSort;
  onSort: (sort: UserSort) => void;
  columns: Columns;
  selection: Selection<User>;
  mayChoose: (user: User) => boolean;
  openId: string | null;
  onOpen: (user: User) => void;
};

export function UsersTable(props: Props) {
  const { listed, filter, onFilter, sort, onSort, columns, selection, mayChoose, openId, onOpen } = props;
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const { hidden } = columns.choice;
  const shown = useMemo(
    () => (narrow ? narrowColumns : userColumns.filter(({ id }) => !hidden.includes(id))),
    [narrow, hidden],
  );
  const choosable = listed.rows.filter(mayChoose);
  const chosen = selection.chosen.length;

  const sortBy = (column: string) => onSort(nextSort(sort, column, ['registered', 'lastAccess', 'clearance']));

  return (
    <DataTable
      label={texts.title}
      columns={shown}
      rows={listed.rows}
      traits={(user) => ({
        id: user._id,
        name: user.username,
        level: 1,
        open: user._id === openId,
        ...(mayChoose(user) && { checked: selection.chosenIds.has(user._id) }),
      })}
      sorting={sortingOf(sort)}
      onSort={sortBy}
      choice={narrow ? noChoice : columns.choice}
      onWidth={columns.setWidth}
      onOpen={onOpen}
      onToggle={onOpen}
      onCheck={(user, extend) => mayChoose(user) && selection.toggle(user._id, extend)}
      onCheckAll={(checked) => selection.choose(checked ? choosable.map(({ _id }) => _id) : [])}
      checkedAll={allOrSome(chosen, choosable.length)}
      total={listed.total}
      onVisible={listed.onVisible}
      loading={listed.loading}
      rowHeight={size.row}
      roomBelow={chosen > 0 ? 64 : 0}
    >
      <InPlaceOfRows
        listed={listed}
        shown={listed.rows.length}
        failed={texts.failed.title}
        staleHint={listed.rows.length > 0 ? texts.failed.staleHint : null}
        filtered={isFiltered(filter) ? { texts: texts.filteredEmpty, onClear: () => onFilter(noFilter) } : null}
      >
        <Notice icon={mdiAccountOutline} title={texts.empty.title} text={texts.empty.text} />
      </InPlaceOfRows>
    </DataTable>
  );
}
