import { mdiAccountOutline, mdiFilterOffOutline } from '@mdi/js';
import { Button, useMediaQuery } from '@mui/material';
import type { User } from '@osprey/contract';
import { useMemo } from 'react';
import type { Pages } from '../api/usePages.ts';
import { size } from '../base/sizes.ts';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import type { ColumnChoice } from '../ui/table/data-table.ts';
import { allOrSome } from '../ui/table/listing.ts';
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

const narrowChoice: ColumnChoice = { hidden: [], widths: {} };
/** Sorts that begin with what one looks for: newest and highest first. */
const startsDown = ['registered', 'lastAccess', 'clearance'];

export function UsersTable(props: Props) {
  const { listed, filter, onFilter, sort, onSort, columns, selection, mayChoose, openId, onOpen } = props;
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const { hidden } = columns.choice;
  const shown = useMemo(
    () => (narrow ? narrowColumns : userColumns.filter(({ id }) => !hidden.includes(id))),
    [narrow, hidden],
  );
  const sorting = { column: sort.replace(/^-/, ''), descending: sort.startsWith('-') };
  const choosable = listed.rows.filter(mayChoose);
  const chosen = selection.chosen.length;

  function sortBy(column: string) {
    const descending = sorting.column === column ? !sorting.descending : startsDown.includes(column);
    onSort(`${descending ? '-' : ''}${column}` as UserSort);
  }

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
      sorting={sorting}
      onSort={sortBy}
      choice={narrow ? narrowChoice : columns.choice}
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
      <InPlaceOfRows listed={listed} filtered={isFiltered(filter)} onClear={() => onFilter(noFilter)} />
    </DataTable>
  );
}

type InPlaceProps = { listed: Pages<User>; filtered: boolean; onClear: () => void };

function InPlaceOfRows({ listed, filtered, onClear }: InPlaceProps) {
  const { rows, error, loading, refetch } = listed;
  if (error !== null) {
    const kept = rows.length > 0 ? texts.failed.kept : null;
    return <FailedNotice title={texts.failed.title} error={error} kept={kept} onRetry={refetch} />;
  }
  if (loading || rows.length > 0) return null;
  if (!filtered) return <Notice icon={mdiAccountOutline} title={texts.empty.title} text={texts.empty.text} />;
  return (
    <Notice icon={mdiFilterOffOutline} title={texts.filteredEmpty.title} text={texts.filteredEmpty.text}>
      <Button onClick={onClear}>{texts.filteredEmpty.clear}</Button>
    </Notice>
  );
}
