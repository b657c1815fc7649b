import { mdiChevronDown, mdiChevronRight } from '@mdi/js';
import { Box, ButtonBase, Checkbox } from '@mui/material';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { fill } from '../../base/format.ts';
import { size, TOUCH_SCREEN } from '../../base/sizes.ts';
import { ControlTab } from '../control-tab.ts';
import { Icon } from '../Icon.tsx';
import { texts } from '../texts.ts';
import type { Column, RowTraits } from './data-table.ts';

type Props<Row> = {
  columns: readonly Column<Row>[];
  template: string;
  checks: boolean;
  tree: boolean;
  actions?: (row: Row) => ReactNode;
  row: Row;
  traits: RowTraits;
  index: number;
  top: number;
  height: number;
  /** Whether this is the one row of the table that is in the tab order. */
  focusable: boolean;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent, index: number) => void;
  onOpen: (row: Row, extend: boolean) => void;
  onToggle: (row: Row) => void;
  onCheck: ((row: Row, extend: boolean) => void) | undefined;
};

const rowSx = ({ open, level, fresh }: { open: boolean; level: number; fresh: boolean }) => ({
  position: 'absolute',
  left: 0,
  right: 0,
  display: 'grid',
  alignItems: 'center',
  cursor: 'pointer',
  borderBottom: 1,
  borderColor: 'divider',
  bgcolor: level === 2 ? 'surface.base' : 'surface.panel',
  ...(open && { bgcolor: 'surface.selected', boxShadow: 'inset 2px 0 0 var(--mui-palette-primary-main)' }),
  '&:hover': { bgcolor: open ? 'surface.selected' : 'surface.hover' },
  // The actions cover the row, so they are clipped to leave its outline visible.
  '&:focus-visible': { outlineOffset: -2, '& .row-actions': { clipPath: 'inset(2px)' } },
  '& .row-actions': { opacity: 0 },
  '&:hover .row-actions, &:focus-within .row-actions': { opacity: 1 },
  '@media (hover: none)': { '& .row-actions': { opacity: 1 } },
  ...(fresh && {
    boxShadow: 'inset 2px 0 0 var(--mui-palette-primary-main)',
    '@keyframes osprey-pulse': { '50%': { backgroundColor: 'var(--mui-palette-surface-selected)' } },
    '@media (prefers-reduced-motion: no-preference)': { animation: 'osprey-pulse 1s ease-in-out 3' },
  }),
});

/**
 * Keeps the actions in view if the columns are wider than the window: above the cells, in the colour of the row. The cell
 * next to them fades, the actions do not.
 */
const actionsSx = {
  position: 'sticky',
  right: 0,
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'flex-end',
  height: '100%',
  pr: 1,
  bgcolor: 'inherit',
  '&::before': {
    content: '""',
    position: 'absolute',
    right: '100%',
    width: 12,
    height: '100%',
    bgcolor: 'inherit',
    maskImage: 'linear-gradient(to right, transparent, black)',
    pointerEvents: 'none',
  },
} as const;

export function TableRowView<Row>(props: Props<Row>) {
  const { columns, template, checks, tree, actions, row, traits, index, top, height } = props;
  const { level, expanded, checked, open = false, fresh = false, name } = traits;

  function onClick(event: MouseEvent) {
    // A click on a control in the row is left to that control.
    if ((event.target as Element).closest('button, a, input, label')) return;
    // A tap extends the selection, since touch screens have no Ctrl key.
    const touched = (event.nativeEvent as Partial<PointerEvent>).pointerType === 'touch';
    props.onOpen(row, touched || event.ctrlKey || event.metaKey || event.shiftKey);
  }

  return (
    // The virtual list positions the rows, so they are not HTML table rows.
    <Box
      role="row"
      aria-level={level}
      aria-rowindex={index + 2}
      {...(expanded !== undefined && { 'aria-expanded': expanded })}
      aria-selected={checked ?? open}
      data-index={index}
      tabIndex={props.focusable ? 0 : -1}
      onFocus={props.onFocus}
      onClick={onClick}
      onKeyDown={(event) => props.onKeyDown(event, index)}
      sx={rowSx({ open: open || checked === true, level, fresh })}
      style={{ transform: `translateY(${top}px)`, height, gridTemplateColumns: template }}
    >
      {checks && (
        <Box role="gridcell" sx={{ pl: 2 }}>
          {checked !== undefined && (
            <Checkbox
              checked={checked}
              onClick={(event) => props.onCheck?.(row, event.shiftKey)}
              onChange={() => undefined}
              slotProps={{ input: { 'aria-label': fill(texts.check, { name }), tabIndex: -1 } }}
            />
          )}
        </Box>
      )}
      {tree && (
        <Box role="gridcell">
          {expanded !== undefined && (
            <ButtonBase
              tabIndex={-1}
              aria-label={fill(expanded ? texts.collapse : texts.expand, { name })}
              onClick={() => props.onToggle(row)}
              sx={{
                width: 32,
                height: 32,
                borderRadius: 1.5,
                color: 'text.secondary',
                [TOUCH_SCREEN]: { width: size.touch, height: size.touch, ml: -1 },
              }}
            >
              <Icon path={expanded ? mdiChevronDown : mdiChevronRight} />
            </ButtonBase>
          )}
        </Box>
      )}
      <ControlTab value={props.focusable ? 0 : -1}>
        {columns.map(({ id, align, cell }) => (
          <Box
            key={id}
            role="gridcell"
            {...(align === 'right' && { 'data-figures': '' })}
            sx={{
              px: 2,
              minWidth: 0,
              overflow: 'hidden',
              textOverflow: 'ellipsis',
              whiteSpace: 'nowrap',
              textAlign: align === 'right' ? 'right' : 'left',
            }}
          >
            {cell(row)}
          </Box>
        ))}
        {actions && (
          <Box role="gridcell" className="row-actions" sx={actionsSx}>
            {actions(row)}
          </Box>
        )}
      </ControlTab>
    </Box>
  );
}
