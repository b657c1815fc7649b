import { mdiClose } from '@mdi/js';
import { Box, DialogTitle } from '@mui/material';
import type { ReactNode } from 'react';
import { Action } from '../Action.tsx';
import { texts } from '../texts.ts';

type Props = {
  title: string;
  /** Id of the title, to be used as the dialog's `aria-labelledby`. */
  titleId: string;
  /** Content next to the title, such as a label mark. */
  mark?: ReactNode;
  /** If given, the head has a close button; omitted for a question, which is closed only by its answers. */
  onClose?: () => void;
};

/**
 * Title of a dialog, with its close button. The row around both has another id, so that only the title is the dialog's
 * name.
 */
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
