import { mdiClose } from '@mdi/js';
import { Box, DialogTitle } from '@mui/material';
import type { ReactNode } from 'react';
import { Action } from '../Action.tsx';
import { texts } from '../texts.ts';

type Props = {
  title: string;
  /** Goes to the dialog's `aria-labelledby`. */
  titleId: string;
  /** Next to the title: a label mark, for example. */
  mark?: ReactNode;
  /** With a button to close it; a question is closed by its answers alone. */
  onClose?: () => void;
};

/** Title of a dialog, and its close button. The title alone is the dialog's name: the row around it has another id. */
export function DialogHead({ title, titleId, mark, onClose }: Props) {
  return (
    <DialogTitle
      component="div"
      id={`${titleId}-head`}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 3,
        ...(onClose && { borderBottom: 1, borderColor: 'divider' }),
      }}
    >
      <Box component="span" id={titleId} sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        {title}
      </Box>
      {mark}
      {onClose && (
        <Box sx={{ ml: 'auto', flex: 'none' }}>
          <Action label={texts.close} icon={mdiClose} onClick={onClose} edge="end" />
        </Box>
      )}
    </DialogTitle>
  );
}
