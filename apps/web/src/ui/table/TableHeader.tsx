import { mdiArrowDown, mdiArrowUp } from '@mdi/js';
import { Box, ButtonBase, Checkbox } from '@mui/material';
import { fill } from '../../base/format.ts';
import { size, TOUCH_SCREEN, unseen } from '../../base/sizes.ts';
import { Icon } from '../Icon.tsx';
import { texts } from '../texts.ts';
import { useDrag } from '../useDrag.ts';
import { type Column, NARROWEST_PX, type Sorting } from './data-table.ts';

type Props<Row> = {
  columns: readonly Column<Row>[];
  template: string;
  checks: boolean;
  tree: boolean;
  hasActions: boolean;
  sorting: Sorting;
  onSort: (column: string) => void;
  onWidth: (column: string, width: number | null) => void;
  onCheckAll: ((checked: boolean) => void) | undefined;
  checkedAll: boolean | 'some';
};

/** Sticky head of the table. Clicking a column sorts by it; dragging its edge changes its width. */
export function TableHeader<Row>(props: Props<Row>) {
  const { columns, template, checks, tree, hasActions, sorting, onSort, onWidth, onCheckAll, checkedAll } = props;
  return (
    <Box role="rowgroup" sx={{ position: 'sticky', top: 0, zIndex: 2, flex: 'none' }}>
      <Box
        role="row"
        aria-rowindex={1}
        sx={{
          display: 'grid',
          gridTemplateColumns: template,
          alignItems: 'center',
          // The handle of the last column would make the table a few pixels wider than its frame.
          overflowX: 'clip',
          height: size.tableHead,
          [TOUCH_SCREEN]: { height: size.touch },
          bgcolor: 'surface.panel',
          borderBottom: 1,
          borderColor: 'divider',
          color: 'text.secondary',
          fontSize: 12,
          fontWeight: 500,
        }}
      >
        {checks && (
          <Box role="columnheader" sx={{ pl: 2 }}>
            <Checkbox
              checked={checkedAll === true}
              indeterminate={checkedAll === 'some'}
              onChange={(event) => onCheckAll?.(event.target.checked)}
              slotProps={{ input: { 'aria-label': texts.checkAll } }}
            />
          </Box>
        )}
        {tree && (
          <Box role="columnheader">
            <Box component="span" sx={unseen}>
              {texts.children}
            </Box>
          </Box>
        )}
        {columns.map((column) => (
          <HeaderCell key={column.id} column={column} sorting={sorting} onSort={onSort} onWidth={onWidth} />
        ))}
        {hasActions && (
          <Box role="columnheader">
            <Box component="span" sx={unseen}>
              {texts.actions}
            </Box>
          </Box>
        )}
      </Box>
    </Box>
  );
}

type CellProps<Row> = { column: Column<Row> } & Pick<Props<Row>, 'sorting' | 'onSort' | 'onWidth'>;

const directionOf = (sorted: boolean, descending: boolean) => {
  if (!sorted) return 'none';
  return descending ? 'descending' : 'ascending';
};

function HeaderCell<Row>({ column, sorting, onSort, onWidth }: CellProps<Row>) {
  const { id, header, align, sortable } = column;
  const sorted = sorting.column === id;
  return (
    <Box
      role="columnheader"
      {...(sortable && { 'aria-sort': directionOf(sorted, sorting.descending) as 'none' })}
      sx={{
        position: 'relative',
        minWidth: 0,
        px: 1,
        display: 'flex',
        justifyContent: align === 'right' ? 'flex-end' : 'start',
      }}
    >
      {sortable ? (
        <ButtonBase
          onClick={() => onSort(id)}
          title={fill(texts.sortBy, { column: header })}
          sx={{
            gap: 1,
            px: 1,
            height: 24,
            [TOUCH_SCREEN]: { height: size.touch },
            borderRadius: 1,
            font: 'inherit',
            color: sorted ? 'text.primary' : 'inherit',
          }}
        >
          {header}
          {sorted && <Icon path={sorting.descending ? mdiArrowDown : mdiArrowUp} sx={{ fontSize: 14 }} />}
        </ButtonBase>
      ) : (
        <Box component="span" sx={{ px: 1 }}>
          {header}
        </Box>
      )}
      <Edge onWidth={(width) => onWidth(id, width)} />
    </Box>
  );
}

/** Right edge of a head. Dragging it sets the width; a double click resets it. */
function Edge({ onWidth }: { onWidth: (width: number | null) => void }) {
  const handlers = useDrag({
    press({ currentTarget, clientX }) {
      const width = currentTarget.parentElement?.getBoundingClientRect().width ?? 0;
      return { x: clientX, width };
    },
    drag: ({ clientX }, start) => onWidth(Math.max(NARROWEST_PX, Math.round(start.width + clientX - start.x))),
  });

  return (
    <Box
      aria-hidden="true"
      {...handlers}
      onDoubleClick={() => onWidth(null)}
      sx={{
        position: 'absolute',
        right: -4,
        top: -4,
        bottom: -4,
        width: 8,
        cursor: 'col-resize',
        touchAction: 'none',
        '&:hover::after': {
          content: '""',
          position: 'absolute',
          left: 3,
          top: 4,
          bottom: 4,
          width: 2,
          bgcolor: 'primary.main',
        },
      }}
    />
  );
}
