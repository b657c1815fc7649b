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
    /** Texts for an empty list. `guest`: text for users who cannot add items. */
    empty: { title: string; text: string; guest: string };
    /** Error message; if it contains {message}, that is replaced by the reason. */
    failed: string;
  };
  /** Icon shown if the list is empty. */
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
  /**
   * Shown instead of the title: tabs to the neighbouring lists, and the attributes that connect this list with its tab.
   */
  tabs?: { strip: ReactNode; panel: TabPanelProps };
  nameOf: (row: Row) => string;
  /** Id of the open row; undefined if rows cannot be open. */
  openId?: string | null;
  onOpen: (row: Row) => void;
  /** Returns whether a row may be selected; null if none may. */
  mayChoose: ((row: Row) => boolean) | null;
  actions: { width: number; of: (row: Row) => ReactNode } | null;
  /** All columns stay: the table scrolls if there is no room for them. */
  scrolls?: boolean;
  sort: Key;
  onSort: (sort: Key) => void;
  /** Columns that are first sorted in descending order. */
  startsDown: readonly string[];
  search: string;
  onSearch: (search: string) => void;
  /** Set if a search or filter hides rows. */
  hidden: Hidden | null;
  /** Adds an item, and opens the bin; null if this account may not add items, or has no bin. */
  onCreate: (() => void) | null;
  onBin: (() => void) | null;
  /** Number of rows as text, if it is shown in the toolbar. */
  count?: Counted;
  /** Further filters, shown after the search. */
  modes?: ReactNode;
  /** Further buttons of the toolbar. */
  tools?: ReactNode;
  /** Buttons for the selected rows. */
  bulk: ReactNode;
  filters?: ReactNode;
  below?: ReactNode;
  /** Dialogs and menus. */
  children: ReactNode;
};

/** Page of one kind of item: toolbar, table, and actions on the selected rows. */
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
              // Hidden on smaller screens, where the other buttons need the room.
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
          scrolls={props.scrolls ?? false}
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
