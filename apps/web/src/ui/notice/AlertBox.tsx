import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { type ReactNode, useId } from 'react';
import { useFocusBack } from '../dialog/useFocusBack.ts';
import { texts } from '../texts.ts';

type Props = {
  title: string;
  /** Content next to the title, such as a label mark. */
  mark?: ReactNode;
  text: string;
  /** Buttons before OK. */
  actions?: ReactNode;
  onAnswer: () => void;
};

/** Message that remains until the user closes it. */
export function AlertBox({ title, mark, text, actions, onAnswer }: Props) {
  const titleId = useId();
  const textId = useId();
  return (
    <Dialog
      open
      {...useFocusBack()}
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      maxWidth="xs"
      fullWidth
    >
      <DialogTitle sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        <span id={titleId}>{title}</span>
        {mark}
      </DialogTitle>
      <DialogContent id={textId} sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        {text}
      </DialogContent>
      <DialogActions>
        {actions}
        <Button autoFocus variant="contained" color="primary" onClick={onAnswer}>
          {texts.ok}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
