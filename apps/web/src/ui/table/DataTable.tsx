import { Box, Chip, Skeleton, useMediaQuery } from '@mui/material';
import { observeElementRect, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { formatCount } from '../../base/format.ts';
import { size } from '../../base/sizes.ts';
import { texts } from '../texts.ts';
import {
  type Column,
  type ColumnChoice,
  gridTemplate,
  leastWidth,
  type RowTraits,
  type Sorting,
} from './data-table.ts';
import { useFrozenRows } from './frozen-rows.ts';
import { TableHeader } from './TableHeader.tsx';
import { TableRowView } from './TableRowView.tsx';

type Props<Row> = {
  /** Names the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  traits: (row: Row) => RowTraits;
  sorting: Sorting;
  onSort: (column: string) => void;
  choice: ColumnChoice;
  onWidth: (column: string, width: number | null) => void;
  /** `extend`: the row comes to those that are open; see `multiple`. */
  onOpen: (row: Row, extend: boolean) => void;
  /** An arrow key, Home, End or a page key came to this row. */
  onWalk?: (row: Row) => void;
  /** Several rows may be open: Ctrl or Shift with a click, a finger, or Space asks for one more. */
  multiple?: boolean;
  onToggle: (row: Row) => void;
  /** Rows may have children: the arrow has its column from the start, so that no head moves when rows come. */
  tree?: boolean;
  /** Row that comes into sight when it is opened elsewhere, and when the table gets another height. */
  followId?: string | null;
  /** Left out: rows have no checkboxes. */
  onCheck?: ((row: Row, extend: boolean) => void) | undefined;
  onCheckAll?: ((checked: boolean) => void) | undefined;
  checkedAll?: boolean | 'some';
  actions?: { width: number; of: (row: Row) => ReactNode };
  /** Number of all rows; `rows` are those that were read. */
  total: number | null;
  /**
   * Given: order and members of the rows hold still while the pointer or the focus is in the table, and a chip applies what
   * came since. It names what is listed: other rows that were asked for are shown at once.
   */
  holdKey?: string;
  /** Called with the index of the last row on screen. */
  onVisible?: (lastIndex: number) => void;
  loading?: boolean;
  rowHeight?: number;
  /** Room below the last row for what floats over the table, px. */
  roomBelow?: number;
  /** Shown in place of rows. */
  children?: ReactNode;
};

const OVERSCAN = 16;
/** Buttons of a row are as high as a finger needs: those of two rows would overlap. */
const TOUCH_ROW_PX = size.touch + 4;

/** On its way to another place of the page a table has no height for a moment: its rows stay, and the focus on one of them. */
const observeShownRect: typeof observeElementRect = (instance, onRect) =>
  observeElementRect(instance, (rect) => {
    if (instance.scrollElement?.isConnected) onRect(rect);
  });

const LOADING_ROWS = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * The one table of the product: a tree of two levels, virtualised, sorted and paged by the server.
 * Arrow keys move between rows, right and left open and close, Enter opens, Space chooses; Tab goes on to the controls of
 * the row.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, traits, choice, onVisible, total, actions, holdKey } = props;
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

  // A new row height makes earlier measurements invalid.
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
  const template = gridTemplate(columns, choice.widths, { checks, actions: actions?.width ?? 0, tree });
  const minWidth = leastWidth(columns, choice.widths, (checks ? 40 : 0) + (tree ? 36 : 0) + (actions?.width ?? 0));
  const current = Math.min(focused, Math.max(0, rows.length - 1));

  function moveTo(index: number) {
    const target = Math.max(0, Math.min(rows.length - 1, index));
    setFocused(target);
    const row = rows[target];
    if (row !== undefined) props.onWalk?.(row);
    virtual.scrollToIndex(target);
    // The row may have to be drawn first.
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${target}"]`)?.focus());
  }

  function spaceOf(row: Row, extend: boolean): (() => void) | undefined {
    const { onCheck } = props;
    if (onCheck) return () => onCheck(row, extend);
    return multiple ? () => props.onOpen(row, true) : undefined;
  }

  function onKeyDown(event: KeyboardEvent, index: number) {
    // Keys of a control inside the row are its own.
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

/** Over the first row, in view for any scroll position, so that no row moves when it comes. */
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
  /** Tracks before the first column. */
  lead: number;
  height: number;
  count: number;
};

/** Bars below their heads, of the final height, so that nothing jumps when the rows come. */
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
