import { Box } from '@mui/material';
import { type FocusEvent, type ReactNode, useLayoutEffect, useRef } from 'react';

type Props = {
  label: string;
  width: number;
  head: ReactNode;
  /** Buttons below the fields; null if nothing can be changed. */
  foot: ReactNode;
  onEscape: () => void;
  children: ReactNode;
};

/** Panel with the details of a row next to its table; on a phone it replaces the table. */
export function DetailPanel({ label, width, head, foot, onEscape, children }: Props) {
  /**
   * Whether the panel has the focus. A dialog over it takes the focus only temporarily, such as the one that asks
   * before unsaved input is discarded.
   */
  const hasFocus = useRef(false);
  useLayoutEffect(
    () => () => {
      if (hasFocus.current) requestAnimationFrame(focusOnRow);
    },
    [],
  );

  return (
    <Box
      component="aside"
      aria-label={label}
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={({ relatedTarget }: FocusEvent) => {
        hasFocus.current = relatedTarget?.closest('[role$="dialog"]') != null;
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onEscape();
      }}
      sx={{ ...frameSx, width: { xs: '100%', md: width } }}
    >
      <Box sx={{ display: 'grid', gap: 3, p: 4, borderBottom: 1, borderColor: 'divider' }}>{head}</Box>
      <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto', p: 4, display: 'grid', gap: 5, alignContent: 'start' }}>
        {children}
      </Box>
      {foot !== null && <Box sx={footSx}>{foot}</Box>}
    </Box>
  );
}

/** If the focus is lost with the panel, it moves to the table, which on a phone replaces the panel. */
function focusOnRow(): void {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>('[data-part="table"] [role="row"][tabindex="0"]')?.focus();
}

const frameSx = {
  flex: 'none',
  display: 'flex',
  flexDirection: 'column',
  minHeight: 0,
  border: { xs: 0, sm: 1 },
  borderColor: { sm: 'divider' },
  borderRadius: { sm: 2 },
  bgcolor: 'surface.panel',
} as const;

const footSx = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  // On a phone the last buttons are in a line of their own.
  justifyContent: 'flex-end',
  gap: 2,
  px: 4,
  py: 2,
  borderTop: 1,
  borderColor: 'divider',
} as const;
