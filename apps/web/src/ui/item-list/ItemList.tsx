import { mdiDeleteClockOutline, mdiPlus } from '@mdi/js';
import { Box, Button, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { type Counted, formatCount } from '../../base/format.ts';
import { size } from '../../base/sizes.ts';
import { Action } from '../Action.tsx';
import { SearchField } from '../filter/SearchField.tsx';
import { Icon } from '../Icon.tsx';
import { Notice } from '../notice/Notice.tsx';
import type { TabPanelProps } from '../TabStrip.tsx';
import { BulkBar } from '../table/BulkBar.tsx';
import { ColumnsMenu } from '../table/ColumnsMenu.tsx';
import { DataTable } from '../table/DataTable.tsx';
import { type Hidden, InPlaceOfRows } from '../table/InPlaceOfRows.tsx';
import { allOrSome, nextSort, PHONE_ROW, sortingOf } from '../table/listing.ts';
import { TablePanel } from '../table/TablePanel.tsx';
import type { ItemListState, ListedItem } from './useItemList.ts';

type Props<Row extends ListedItem, Key extends string> = {
  texts: {
    title: string;
    search: string;
    toolbar: { add: string; addLabel: string; bin: string };
    /** `guest`: for those who add none. */
    empty: { title: string; text: string; guest: string };
    /** With {message} in it, the reason is a part of it. */
    failed: string;
  };
  /** Icon of the empty list. */
  icon: string;
  list: ItemListState<Row>;
  listed: {
    total: number | null;
    loading: boolean;
    stale: boolean;
    error: Error | null;
    refetch: () => unknown;
    onVisible?: (lastIndex: number) => void;
  };
  isOffline: boolean;
  /** In place of the title: tabs to the neighbouring lists, and what connects this one with its tab. */
  tabs?: { strip: ReactNode; panel: TabPanelProps };
  nameOf: (row: Row) => string;
  /** Undefined: rows do not stay open. */
  openId?: string | null;
  onOpen: (row: Row) => void;
  /** Which rows may be chosen; null: none. */
  mayChoose: ((row: Row) => boolean) | null;
  actions: { width: number; of: (row: Row) => ReactNode } | null;
  sort: Key;
  onSort: (sort: Key) => void;
  /** Columns by which one sorts downwards first. */
  startsDown: readonly string[];
  search: string;
  onSearch: (search: string) => void;
  /** Set if a search or filter hides rows. */
  hidden: Hidden | null;
  /** Null: this account adds none, or has no bin. */
  onCreate: (() => void) | null;
  onBin: (() => void) | null;
  /** Number of rows in words, if it is in the toolbar. */
  count?: Counted;
  /** After the search: what narrows the list too. */
  modes?: ReactNode;
  /** Further buttons of the toolbar. */
  tools?: ReactNode;
  /** Buttons for the chosen rows. */
  bulk: ReactNode;
  filters?: ReactNode;
  below?: ReactNode;
  /** Dialogs and menus. */
  children: ReactNode;
};

/** The page of a kind of item: toolbar, table, and what can be done with the chosen rows. */
export function ItemList<Row extends ListedItem, Key extends string>(props: Props<Row, Key>) {
  const { texts, list, listed, tabs, mayChoose, openId, actions, sort, count, onCreate } = props;
  const { rows, selection, choice, isPhone } = list;
  const { total, onVisible } = listed;
  const choosable = mayChoose === null ? [] : rows.filter(mayChoose);
  const hasChosen = selection.chosen.length > 0;

  return (
    <TablePanel
      label={texts.title}
      tabs={
        tabs?.strip ?? (
          <Typography variant="h3" component="h1" sx={{ px: 1 }}>
            {texts.title}
          </Typography>
        )
      }
      faded={listed.stale || props.isOffline}
      filters={props.filters}
      below={props.below}
      tools={
        <>
          <SearchField label={texts.search} value={props.search} onChange={props.onSearch} />
          {props.modes}
          {count && (
            <Box
              component="span"
              role="status"
              // Other buttons need the room first.
              sx={{
                color: 'text.secondary',
                fontSize: 12,
                display: { xs: 'none', [props.tools ? 'md' : 'sm']: 'inline' },
              }}
            >
              {total === null ? '' : formatCount(total, count)}
            </Box>
          )}
          <Box sx={{ display: { xs: 'none', sm: 'block' } }}>
            <ColumnsMenu
              columns={list.offered}
              hidden={choice.choice.hidden}
              onToggle={choice.toggle}
              onReset={choice.reset}
            />
          </Box>
          {props.tools}
          {props.onBin && <Action label={texts.toolbar.bin} icon={mdiDeleteClockOutline} onClick={props.onBin} />}
          {onCreate && (
            <Button
              variant="contained"
              color="primary"
              startIcon={<Icon path={mdiPlus} />}
              aria-label={texts.toolbar.addLabel}
              onClick={onCreate}
            >
              {texts.toolbar.add}
            </Button>
          )}
        </>
      }
    >
      <Box {...tabs?.panel} sx={{ height: '100%' }}>
        <DataTable
          label={texts.title}
          columns={list.shown}
          rows={rows}
          traits={(row) => ({
            id: row._id,
            name: props.nameOf(row),
            level: 1,
            ...(openId !== undefined && { open: row._id === openId }),
            ...(mayChoose?.(row) && { checked: selection.chosenIds.has(row._id) }),
          })}
          sorting={sortingOf(sort)}
          onSort={(column) => props.onSort(nextSort(sort, column, props.startsDown))}
          choice={list.widths}
          onWidth={choice.setWidth}
          onOpen={props.onOpen}
          onToggle={() => undefined}
          {...(mayChoose !== null && {
            onCheck: (row: Row, extend: boolean) => mayChoose(row) && selection.toggle(row._id, extend),
            onCheckAll: (checked: boolean) => selection.choose(checked ? choosable.map(({ _id }) => _id) : []),
            checkedAll: allOrSome(selection.chosen.length, choosable.length),
          })}
          {...(actions && { actions })}
          total={total}
          loading={listed.loading}
          {...(onVisible && { onVisible })}
          rowHeight={isPhone ? PHONE_ROW : size.row}
          roomBelow={hasChosen ? 64 : 0}
        >
          <InPlaceOfRows listed={listed} shown={rows.length} failed={texts.failed} filtered={props.hidden}>
            <Notice icon={props.icon} title={texts.empty.title} text={onCreate ? texts.empty.text : texts.empty.guest}>
              {onCreate && (
                <Button startIcon={<Icon path={mdiPlus} />} onClick={onCreate}>
                  {texts.toolbar.addLabel}
                </Button>
              )}
            </Notice>
          </InPlaceOfRows>
        </DataTable>
      </Box>
      {hasChosen && (
        <BulkBar count={selection.chosen.length} onClear={selection.clear}>
          {props.bulk}
        </BulkBar>
      )}
      {props.children}
    </TablePanel>
  );
}
