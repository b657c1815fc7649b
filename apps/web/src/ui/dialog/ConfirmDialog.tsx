import { Button, Dialog, DialogActions, DialogContent } from '@mui/material';
import { type ReactNode, useId } from 'react';
import { texts } from '../texts.ts';
import { DialogHead } from './DialogHead.tsx';
import { unlessDoubleClick } from './unless-double-click.ts';
import { useFocusBack } from './useFocusBack.ts';

type Props = {
  title: string;
  /** Content next to the title, such as a label mark. */
  mark?: ReactNode;
  children: ReactNode;
  /** Text of the confirming button: the name of the action. */
  confirmText: string;
  cancelText?: string;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/**
 * Dialog that asks for confirmation before something is lost. It names the things concerned, and the safe button has
 * the focus.
 */
export function ConfirmDialog(props: Props) {
  const { title, mark, children, confirmText, cancelText, danger, busy, onConfirm, onCancel } = props;
  const titleId = useId();
  const focusBack = useFocusBack();
  const textId = useId();
  return (
    <Dialog
      open
      {...focusBack}
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      maxWidth="xs"
      onClose={unlessDoubleClick(onCancel)}
    >
      <DialogHead title={title} titleId={titleId} mark={mark} />
      <DialogContent id={textId} sx={{ overflowWrap: 'anywhere' }}>
        {children}
      </DialogContent>
      <DialogActions>
        <Button autoFocus onClick={onCancel}>
          {cancelText ?? texts.cancel}
        </Button>
        <Button variant="contained" color={danger ? 'error' : 'primary'} disabled={busy ?? false} onClick={onConfirm}>
          {confirmText}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
