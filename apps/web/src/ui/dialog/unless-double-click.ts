import type { DialogProps } from '@mui/material';

/**
 * Closes a dialog by Escape or a click outside it, but not by the second half of a double click: its first half opened
 * the dialog, or moved the button away below the pointer.
 */
export const unlessDoubleClick =
  (close: () => void): NonNullable<DialogProps['onClose']> =>
  (event, reason) => {
    const isSecond = reason === 'backdropClick' && 'detail' in event && Number(event.detail) > 1;
    if (!isSecond) close();
  };
