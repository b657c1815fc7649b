import { mdiChevronDown, mdiChevronUp } from '@mdi/js';
import { Box, Button, ButtonBase, useMediaQuery } from '@mui/material';
import { type PointerEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { fill, formatNumber } from '../base/format.ts';
import { motion, size } from '../base/sizes.ts';
import { Icon } from '../ui/Icon.tsx';
import { KeyCaps } from '../ui/KeyCaps.tsx';
import { useDrag } from '../ui/useDrag.ts';
import { belongsToFocus } from './keys.ts';
import { texts } from './texts.ts';

/** A table of the page, below a view. */
export type Below = {
  /** Renders the table; `shown`: it is in sight. */
  content: (shown: boolean) => ReactNode;
  tabs: readonly { id: string; label: string; count: number | null }[];
  onTab: (id: string) => void;
};

type Props = {
  below: Below;
  open: boolean;
  onOpen: (open: boolean) => void;
  /** The table stands in the view while it is open, so that the bar alone is shown here. */
  elsewhere: boolean;
};

/** Height of the bar, in px. */
const BAR_PX = 26;

/** Distance that the bar is dragged to open or close the table, in px. */
const DRAG_PX = 24;

/** Layers over the view: above floating panels, below what opens over the page. */
const LAYER = 6;

/**
 * The table of the page while a view is open: a bar at the lower edge, which opens as a drawer over the lower half of
 * the view by a click, by dragging or by Ctrl+Down.
 */
export function TableDock({ below, open, onOpen, elsewhere }: Props) {
  const isTouch = useMediaQuery('(pointer: coarse)');
  const roomy = useMediaQuery('(min-width: 1200px)');
  const barPx = isTouch ? size.touch + 2 : BAR_PX;
  const isDrawer = open && !elsewhere;
  const drawer = useRef<HTMLDivElement>(null);
  useTableKeys({ open, onOpen, elsewhere, drawer });
  const dragged = useRef(false);
  const handlers = useDrag({
    press({ clientY }: PointerEvent<HTMLElement>) {
      dragged.current = false;
      return clientY;
    },
    drag({ clientY }, fromY) {
      if (Math.abs(clientY - fromY) < DRAG_PX) return;
      dragged.current = true;
      onOpen(clientY < fromY);
    },
  });

  return (
    // The bar keeps its room while the drawer is over it.
    <Box sx={{ flex: 'none', height: barPx, mt: 2 }}>
      <Box
        ref={drawer}
        data-part="table-drawer"
        data-open={open}
        sx={{
          ...{ position: 'absolute', insetInline: 0, bottom: 0, height: isDrawer ? '50%' : barPx, zIndex: LAYER },
          ...{ display: 'flex', flexDirection: 'column', overflow: 'hidden' },
          ...{ border: 1, borderColor: 'surface.line', borderRadius: 2, bgcolor: 'surface.panel' },
          ...(isDrawer && { boxShadow: '0 -12px 32px rgb(0 0 0 / 0.36)' }),
          transition: `height ${motion.plainMs}ms ${motion.curve}`,
        }}
      >
        <Box
          role="toolbar"
          aria-label={texts.table.bar}
          sx={{ display: 'flex', alignItems: 'center', flex: 'none', height: barPx - 2, pl: 1, pr: 0.5, minWidth: 0 }}
        >
          <Box sx={{ display: 'flex', minWidth: 0, overflow: 'hidden' }}>
            {!isDrawer &&
              below.tabs.map(({ id, label, count }) => (
                <ButtonBase
                  key={id}
                  aria-label={fill(texts.table.openAt, {
                    tab: count === null ? label : `${label} ${formatNumber(count)}`,
                  })}
                  onClick={() => {
                    below.onTab(id);
                    onOpen(true);
                  }}
                  sx={{
                    ...{ px: 2, height: barPx - 2, borderRadius: 1, fontSize: 12, fontWeight: 500, flex: 'none' },
                    ...{ color: 'text.primary', '&:hover': { bgcolor: 'surface.hover' } },
                  }}
                >
                  {label}
                  {count !== null && (
                    <Box component="span" data-figures="" sx={{ whiteSpace: 'pre', color: 'text.secondary' }}>
                      {` ${formatNumber(count)}`}
                    </Box>
                  )}
                </ButtonBase>
              ))}
          </Box>
          {/* Buttons stay outside, since a captured pointer would press none of them. */}
          <Box
            data-part="table-grip"
            {...handlers}
            onClick={() => !dragged.current && onOpen(!open)}
            sx={{
              ...{ flex: 1, minWidth: 24, height: '100%', cursor: 'ns-resize', touchAction: 'none' },
              ...{ display: 'grid', placeItems: 'center' },
            }}
          >
            <Box sx={{ width: 36, height: 3, borderRadius: 2, bgcolor: 'surface.lineStrong' }} />
          </Box>
          {roomy && !isTouch && (
            <Box
              aria-hidden="true"
              sx={{ display: 'flex', alignItems: 'center', gap: 1, mr: 2, fontSize: 12, color: 'text.secondary' }}
            >
              {texts.table.neighbours} <KeyCaps keys={['Shift', 'PgUp', 'PgDn']} />
            </Box>
          )}
          <Button
            variant="text"
            size="small"
            aria-expanded={open}
            title="Ctrl ↓"
            onClick={() => onOpen(!open)}
            startIcon={<Icon path={open ? mdiChevronDown : mdiChevronUp} />}
            sx={{ height: barPx - 2, minHeight: 0, color: 'text.primary', flex: 'none' }}
          >
            {open ? texts.table.close : texts.table.open}
          </Button>
        </Box>
        {!elsewhere && (
          <Box sx={{ flex: 1, minHeight: 0, ...(!open && { display: 'none' }) }}>{below.content(open)}</Box>
        )}
      </Box>
    </Box>
  );
}

/** Number of frames within which an opened table draws its rows. */
const FRAMES_MAX = 60;

/** Gives the focus to the table's current row as soon as it is drawn: a table that was hidden draws its rows later. */
function focusFirstRow(view: Element, frames = FRAMES_MAX): void {
  requestAnimationFrame(() => {
    const row = view.querySelector<HTMLElement>('[role="row"][tabindex="0"]');
    if (row) row.focus();
    else if (frames > 0) focusFirstRow(view, frames - 1);
  });
}

type Keyed = Pick<Props, 'open' | 'onOpen' | 'elsewhere'> & { drawer: RefObject<HTMLElement | null> };

/** Elements that close by Escape before the table does. */
const ABOVE = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** Ctrl+Down opens the table and gives it the focus; the same key, or Escape, closes it and gives the focus back. */
function useTableKeys({ open, onOpen, elsewhere, drawer }: Keyed): void {
  const before = useRef<HTMLElement | null>(null);
  const act = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || belongsToFocus(event.target, event.key)) return;
    const isKey = event.key === 'ArrowDown' && event.ctrlKey && !event.altKey && !event.shiftKey && !event.metaKey;
    const closes = open && !elsewhere && event.key === 'Escape' && document.querySelector(ABOVE) === null;
    if (!isKey && !closes) return;
    event.preventDefault();
    const { current } = drawer;
    const { activeElement } = document;
    onOpen(!open);
    if (!open) {
      before.current = activeElement instanceof HTMLElement ? activeElement : null;
      const view = current?.closest('[data-part="mission-view"]');
      if (view) focusFirstRow(view);
    } else if (current?.contains(activeElement)) {
      // The focus would be lost with the row that has it.
      const known = before.current;
      if (known?.isConnected && known !== document.body) known.focus({ preventScroll: true });
      else current.querySelector<HTMLElement>('[aria-expanded]')?.focus();
    }
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => act(event);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
