import { Box, Button } from '@mui/material';
import type { ReactNode } from 'react';
import { texts } from '../texts.ts';

export type Submit = {
  /** Text of the submit button; null if nothing can be sent, in which case the row has only a close button. */
  submitLabel: string | null;
  canSubmit?: boolean;
  /** Set if the change cannot be undone. */
  danger?: boolean;
  /** Content at the left: a note, or another button. */
  aside?: ReactNode;
};

/** Last row of a form in a dialog. Cancel closes without confirmation, since its effect is clear. */
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
