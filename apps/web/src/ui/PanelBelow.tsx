import type { SxProps } from '@mui/material';
import type { ReactNode } from 'react';
import { Popover } from './Floating.tsx';

type Props = {
  /** Accessible name for screen readers. */
  label: string;
  /** The button that opened the panel; null if it is closed. */
  anchor: HTMLElement | null;
  onClose: () => void;
  /** Style with size and padding. */
  sx: SxProps;
  children: ReactNode;
};

/** Panel below a button, aligned with its right edge. */
export const PanelBelow = ({ label, anchor, onClose, sx, children }: Props) => (
  <Popover
    open={anchor !== null}
    anchorEl={anchor}
    onClose={onClose}
    anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
    transformOrigin={{ vertical: 'top', horizontal: 'right' }}
    slotProps={{
      paper: {
        role: 'dialog',
        'aria-label': label,
        sx: [{ border: 1, borderColor: 'divider', borderRadius: 2.5 }, ...(Array.isArray(sx) ? sx : [sx])],
      },
    }}
  >
    {children}
  </Popover>
);
