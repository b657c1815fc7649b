import type { DialogProps } from '@mui/material';

/**
 * Closes a dialog by Escape or a click outside of it, but not by the second click of a double click, whose first click
 * opened the dialog or moved the button away from under the pointer.
 */
export const unlessDoubleClick =
  (close: () => void): NonNullable<DialogProps['onClose']> =>
  (event, reason) => {
    const isSecond = reason === 'backdropClick' && 'detail' in event && Number(event.detail) > 1;
    if (!isSecond) close();
  };
