import { Box, Button } from '@mui/material';
import type { ReactNode } from 'react';
import { texts } from '../texts.ts';

export type Submit = {
  /** Null: nothing can be sent, so the row has a button that closes alone. */
  submitLabel: string | null;
  canSubmit?: boolean;
  /** Set where the change cannot be undone. */
  danger?: boolean;
  /** At the left: a note, or another button. */
  aside?: ReactNode;
};

/** Last row of a form in a dialog. Cancel closes without asking, as it says what will happen. */
export function SubmitRow({
  submitLabel,
  canSubmit = true,
  danger = false,
  aside,
  onClose,
}: Submit & { onClose: () => void }) {
  return (
    <>
      <Box sx={{ display: 'flex', flex: 1, minWidth: 0 }}>{aside}</Box>
      <Button onClick={onClose}>{submitLabel === null ? texts.close : texts.cancel}</Button>
      {submitLabel !== null && (
        <Button type="submit" variant="contained" color={danger ? 'error' : 'primary'} disabled={!canSubmit}>
          {submitLabel}
        </Button>
      )}
    </>
  );
}
