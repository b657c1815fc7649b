import { Button, DialogActions, DialogContent, LinearProgress, Typography } from '@mui/material';
import { fill, formatNumber } from '../../base/format.ts';
import { PlainDialog } from '../../ui/dialog/PlainDialog.tsx';
import { texts as ui } from '../../ui/texts.ts';
import { texts } from './texts.ts';

type Props = { all: number; done: number; onClose: () => void };

/** Dialog that shows how many of the dropped files have been inspected. */
export const InspectingDialog = ({ all, done, onClose }: Props) => (
  <PlainDialog title={texts.title} onClose={onClose}>
    <DialogContent>
      <Typography>{fill(texts.looking, { done: formatNumber(done), all: formatNumber(all) })}</Typography>
      <LinearProgress
        variant="determinate"
        value={(done / Math.max(1, all)) * 100}
        aria-label={texts.title}
        sx={{ mt: 2 }}
      />
    </DialogContent>
    <DialogActions>
      <Button onClick={onClose}>{ui.cancel}</Button>
    </DialogActions>
  </PlainDialog>
);
