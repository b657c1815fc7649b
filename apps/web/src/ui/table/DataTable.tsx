import { Box, Chip, Skeleton, useMediaQuery } from '@mui/material';
import { observeElementRect, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { formatCount } from '../../base/format.ts';
import { size } from '../../base/sizes.ts';
import { texts } from '../texts.ts';
import {
  type Column,
  type ColumnChoice,
  columnsInRoom,
  gridTemplate,
  leastWidth,
  type RowTraits,
  type Sorting,
} from './data-table.ts';
import { useFrozenRows } from './frozen-rows.ts';
import { TableHeader } from './TableHeader.tsx';
import { TableRowView } from './TableRowView.tsx';

type Props<Row> = {
  /** Accessible name of the table. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  traits: (row: Row) => RowTraits;
  sorting: Sorting;
  onSort: (column: string) => void;
  choice: ColumnChoice;
  onWidth: (column: string, width: number | null) => void;
  /** Called to open a row. `extend`: add the row to the open ones; see `multiple`. */
  onOpen: (row: Row, extend: boolean) => void;
  /** Called when an arrow key, Home, End, Page Up or Page Down moved to this row. */
  onWalk?: (row: Row) => void;
  /** Several rows may be open: a click with Ctrl or Shift, a tap, or Space adds one more. */
  multiple?: boolean;
  onToggle: (row: Row) => void;
  /**
   * Rows may have children. The column of the arrow is always there, so that the heads do not move when rows are
   * loaded.
   */
  tree?: boolean;
  /** Id of the row that is scrolled into view when it is opened elsewhere, and when the height of the table changes. */
  followId?: string | null;
  /** Omitted if rows have no checkboxes. */
  onCheck?: ((row: Row, extend: boolean) => void) | undefined;
  onCheckAll?: ((checked: boolean) => void) | undefined;
  checkedAll?: boolean | 'some';
  actions?: { width: number; of: (row: Row) => ReactNode };
  /** All columns stay: the table scrolls if there is no room for them. */
  scrolls?: boolean;
  /** Number of all rows; `rows` contains only those that were loaded. */
  total: number | null;
  /**
   * If given, order and members of the rows do not change while the pointer or the focus is in the table, and a chip
   * applies the changes made since. The key identifies the list, so that rows of another list are shown immediately.
   */
  holdKey?: string;
  /** Called with the index of the last row on screen. */
  onVisible?: (lastIndex: number) => void;
  loading?: boolean;
  rowHeight?: number;
  /** Space below the last row for elements that float over the table, in px. */
  roomBelow?: number;
  /** Shown instead of rows. */
  children?: ReactNode;
};

const OVERSCAN = 16;
/** Minimum height of a row on a touch screen, in px, so that the buttons of two rows do not overlap. */
const TOUCH_ROW_PX = size.touch + 4;

/**
 * Ignores the size while the table is detached, since it has no height while it is moved to another place of the page.
 * Its rows, and the focus on one of them, are thus kept.
 */
const observeShownRect: typeof observeElementRect = (instance, onRect) =>
  observeElementRect(instance, (rect) => {
    if (instance.scrollElement?.isConnected) onRect(rect);
  });

const LOADING_ROWS = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * The product's only table: a tree of two levels, virtualised, sorted and paged by the server. Arrow keys move between
 * rows, right and left expand and collapse, Enter opens, Space selects; Tab moves on to the controls of the row.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { label, columns: wanted, traits, choice, onVisible, total, actions, holdKey } = props;
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocusedIn] = useState(false);
  const frozen = useFrozenRows({
    rows: props.rows,
    idOf: (row) => traits(row).id,
    isInUse: holdKey !== undefined && (isPointed || isFocused),
    key: holdKey ?? '',
  });
  const { rows } = frozen;
  const isTouched = useMediaQuery('(pointer: coarse)');
  const rowHeight = Math.max(props.rowHeight ?? size.row, isTouched ? TOUCH_ROW_PX : 0);
  const { multiple = false, tree = false } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState(0);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    observeElementRect: observeShownRect,
    getItemKey: (index) => traits(rows[index]!).id,
    scrollPaddingStart: size.tableHead,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => onVisible?.(last), [last, onVisible]);

  // Measurements made with the previous row height are invalid.
  useEffect(() => virtual.measure(), [rowHeight]);

  const { followId = null } = props;
  const heightPx = virtual.scrollRect?.height;
  const follow = useEffectEvent(() => {
    const at = rows.findIndex((row) => traits(row).id === followId);
    if (at >= 0) virtual.scrollToIndex(at);
  });
  useEffect(() => {
    if (followId !== null) follow();
  }, [followId, heightPx]);

  const checks = props.onCheck !== undefined;
  const beside = (checks ? 40 : 0) + (tree ? 36 : 0) + (actions?.width ?? 0);
  const columns = columnsInRoom(wanted, {
    widths: choice.widths,
    sorted: props.sorting?.column ?? null,
    room: props.scrolls === true ? 0 : Math.max(0, (virtual.scrollRect?.width ?? 0) - beside),
  });
  const template = gridTemplate(columns, choice.widths, { checks, actions: actions?.width ?? 0, tree });
  const minWidth = leastWidth(columns, choice.widths, beside);
  const current = Math.min(focused, Math.max(0, rows.length - 1));

  function moveTo(index: number) {
    const target = Math.max(0, Math.min(rows.length - 1, index));
    setFocused(target);
    const row = rows[target];
    if (row !== undefined) props.onWalk?.(row);
    virtual.scrollToIndex(target);
    // The row may have to be rendered first.
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${target}"]`)?.focus());
  }

  function spaceOf(row: Row, extend: boolean): (() => void) | undefined {
    const { onCheck } = props;
    if (onCheck) return () => onCheck(row, extend);
    return multiple ? () => props.onOpen(row, true) : undefined;
  }

  function onKeyDown(event: KeyboardEvent, index: number) {
    // Keys in a control inside the row are left to that control.
    if (event.target !== event.currentTarget) return;
    const row = rows[index]!;
    const { expanded } = traits(row);
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    const actionsByKey: Record<string, (() => void) | undefined> = {
      ArrowDown: () => moveTo(index + 1),
      ArrowUp: () => moveTo(index - 1),
      PageDown: () => moveTo(index + page),
      PageUp: () => moveTo(index - page),
      Home: () => moveTo(0),
      End: () => moveTo(rows.length - 1),
      Enter: () => props.onOpen(row, false),
      ArrowRight: expanded === false ? () => props.onToggle(row) : undefined,
      ArrowLeft: expanded === true ? () => props.onToggle(row) : undefined,
      ' ': spaceOf(row, event.shiftKey),
    };
    const act = actionsByKey[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  const shared = { columns, template, checks, tree, ...(actions && { actions: actions.of }) };
  return (
    <Box
      ref={scroller}
      data-part="table"
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={() => setFocusedIn(true)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setFocusedIn(false);
      }}
      sx={{ overflow: 'auto', height: '100%', overflowAnchor: 'none', containerType: 'inline-size' }}
    >
      <Box sx={{ minWidth, minHeight: '100%', display: 'flex', flexDirection: 'column' }}>
        {frozen.isChanged && <FrozenChip fresh={frozen.fresh} onApply={frozen.apply} />}
        {/* A treegrid may hold rows alone, so notices are outside of it. */}
        <Box
          role="treegrid"
          aria-label={label}
          aria-rowcount={total === null ? -1 : total + 1}
          aria-multiselectable={checks || multiple || undefined}
          aria-busy={props.loading ?? false}
          sx={{ flex: 'none' }}
        >
          <TableHeader
            {...shared}
            hasActions={actions !== undefined}
            sorting={props.sorting}
            onSort={props.onSort}
            onWidth={props.onWidth}
            onCheckAll={props.onCheckAll}
            checkedAll={props.checkedAll ?? false}
          />
          {rows.length > 0 && (
            <Box role="rowgroup" sx={{ position: 'relative', height: virtual.getTotalSize(), flex: 'none' }}>
              {items.map(({ index, key, start }) => (
                <TableRowView
                  key={key}
                  {...shared}
                  row={rows[index]!}
                  traits={traits(rows[index]!)}
                  index={index}
                  top={start}
                  height={rowHeight}
                  focusable={index === current}
                  onFocus={() => setFocused(index)}
                  onKeyDown={onKeyDown}
                  onOpen={props.onOpen}
                  onToggle={props.onToggle}
                  onCheck={props.onCheck}
                />
              ))}
            </Box>
          )}
        </Box>
        {props.loading && (
          <LoadingRows
            {...{ columns, template }}
            lead={Number(checks) + Number(tree)}
            height={rowHeight}
            count={rows.length === 0 ? LOADING_ROWS.length : 3}
          />
        )}
        {/* As wide as the visible part of the table, and in view for any scroll position. */}
        <Box sx={{ position: 'sticky', left: 0, width: '100cqw', flex: 'none' }}>{props.children}</Box>
        {props.roomBelow !== undefined && <Box sx={{ flex: 'none', height: props.roomBelow }} />}
      </Box>
    </Box>
  );
}

/** Chip over the first row, visible at any scroll position. It takes no space, so that no row moves when it appears. */
function FrozenChip({ fresh, onApply }: { fresh: number; onApply: () => void }) {
  const text = fresh === 0 ? texts.held.order : formatCount(fresh, texts.held.fresh);
  return (
    <Box sx={{ position: 'sticky', left: 0, top: size.tableHead, width: '100cqw', height: 0, zIndex: 3, flex: 'none' }}>
      <Box sx={{ display: 'flex', justifyContent: 'center', pt: 1 }}>
        <Chip size="small" label={text} title={texts.held.apply} onClick={onApply} />
      </Box>
    </Box>
  );
}

type LoadingProps<Row> = {
  columns: readonly Column<Row>[];
  template: string;
  /** Number of grid tracks before the first column. */
  lead: number;
  height: number;
  count: number;
};

/** Placeholder bars of the final height, so that nothing moves when the rows are loaded. */
function LoadingRows<Row>({ columns, template, lead, height, count }: LoadingProps<Row>) {
  return (
    <Box aria-label={texts.loading} role="status">
      {LOADING_ROWS.slice(0, count).map((row) => (
        <Box
          key={row}
          sx={{ display: 'grid', alignItems: 'center', borderBottom: 1, borderColor: 'divider' }}
          style={{ height, gridTemplateColumns: template }}
        >
          {columns.map(({ id, width, align }, index) => (
            <Box key={id} sx={{ px: 2 }} style={{ gridColumn: lead + index + 1 }}>
              <Skeleton
                variant="rectangular"
                height={12}
                width={Math.round((width - 16) * (0.5 + ((row * 3 + index) % 5) / 10))}
                sx={{ maxWidth: '100%', ...(align === 'right' && { ml: 'auto' }) }}
              />
            </Box>
          ))}
        </Box>
      ))}
    </Box>
  );
}
