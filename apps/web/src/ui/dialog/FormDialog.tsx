import { Box, Dialog, DialogActions, DialogContent, useMediaQuery } from '@mui/material';
import { type ReactNode, useId, useState } from 'react';
import { texts } from '../texts.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { DialogHead } from './DialogHead.tsx';
import { type Submit, SubmitRow } from './SubmitRow.tsx';
import { useHoldTyped } from './typed.ts';
import { unlessDoubleClick } from './unless-double-click.ts';
import { useFocusBack } from './useFocusBack.ts';

type Props = {
  title: string;
  /** Next to the title: a label mark, for example. */
  mark?: ReactNode;
  width?: number;
  /** Something was typed: closing asks first. */
  dirty: boolean;
  onClose: () => void;
  onSubmit: () => void;
  /** The content reaches the edges, and is this high, px: as a map. */
  bleed?: number;
  children: ReactNode;
} & (
  | Submit
  /** A last row that is unlike the others; its last button is the primary. */
  | { actions: ReactNode }
);

/** A form in a dialog: fills the screen on a phone, keeps what was typed, and asks before it is lost. */
export function FormDialog(props: Props) {
  const { title, mark, width = 480, dirty, onClose, onSubmit, bleed, children } = props;
  const [asking, setAsking] = useState(false);
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const titleId = useId();
  const focusBack = useFocusBack();
  useHoldTyped(dirty);
  const close = () => (dirty ? setAsking(true) : onClose());

  return (
    <>
      <Dialog
        open
        {...focusBack}
        onClose={unlessDoubleClick(close)}
        aria-labelledby={titleId}
        fullScreen={narrow}
        maxWidth={false}
        slotProps={{
          paper: {
            sx: narrow ? {} : { width, maxHeight: 'min(900px, calc(100% - 32px))', m: 4 },
          },
        }}
      >
        <Box
          component="form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            // A dialog opened from this form is its child for React, not for the reader.
            event.stopPropagation();
            onSubmit();
          }}
          sx={{ display: 'flex', flexDirection: 'column', minHeight: 0, flex: 1 }}
        >
          <DialogHead title={title} titleId={titleId} mark={mark} onClose={close} />
          <DialogContent
            sx={
              bleed === undefined
                ? { '&&': { pt: 4 } }
                : { '&&': { p: 0 }, display: 'flex', flexDirection: 'column', height: narrow ? 'auto' : bleed }
            }
          >
            {children}
          </DialogContent>
          <DialogActions>{'submitLabel' in props ? <SubmitRow {...props} /> : props.actions}</DialogActions>
        </Box>
      </Dialog>
      {asking && (
        <ConfirmDialog
          title={texts.discard.title}
          confirmText={texts.discard.discard}
          cancelText={texts.discard.keep}
          danger
          onCancel={() => setAsking(false)}
          onConfirm={onClose}
        >
          {texts.discard.text}
        </ConfirmDialog>
      )}
    </>
  );
}
