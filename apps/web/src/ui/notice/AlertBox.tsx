import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId } from 'react';
import { texts } from '../texts.ts';

type Props = { title: string; text: string; onAnswer: () => void };

/** A message that stays until it is answered. */
export function AlertBox({ title, text, onAnswer }: Props) {
  const titleId = useId();
  const textId = useId();
  return (
    <Dialog open role="alertdialog" aria-labelledby={titleId} aria-describedby={textId} maxWidth="xs" fullWidth>
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent id={textId} sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        {text}
      </DialogContent>
      <DialogActions>
        <Button autoFocus variant="contained" color="primary" onClick={onAnswer}>
          {texts.ok}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
