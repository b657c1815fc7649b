import { Box, Dialog, DialogActions, DialogContent, useMediaQuery } from '@mui/material';
import { type ReactNode, useId, useState } from 'react';
import { texts } from '../texts.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { DialogHead } from './DialogHead.tsx';
import { focusFirstField } from './focus-first-field.ts';
import { type Submit, SubmitRow } from './SubmitRow.tsx';
import { useHoldTyped } from './typed.ts';
import { unlessDoubleClick } from './unless-double-click.ts';
import { useFocusBack } from './useFocusBack.ts';

type Props = {
  title: string;
  /** Content next to the title, such as a label mark. */
  mark?: ReactNode;
  width?: number;
  /** The form has unsaved input, so closing asks for confirmation. */
  dirty: boolean;
  onClose: () => void;
  onSubmit: () => void;
  /** Height of content without padding, such as a map, in px. */
  bleed?: number;
  children: ReactNode;
} & (
  | Submit
  /** Custom last row of buttons; its last button is the primary one. */
  | { actions: ReactNode }
);

/**
 * Dialog with a form: fills the screen on a phone, protects unsaved input, and asks for confirmation before it is lost.
 */
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
          ref={focusFirstField}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            // A dialog opened from this form is a child in React, so its submit event would bubble up to this form.
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
