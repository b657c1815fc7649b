import { mdiContentCopy } from '@mdi/js';
import { Box, Button, Dialog, DialogActions, DialogContent, Typography } from '@mui/material';
import { type ReactNode, useId } from 'react';
import { Action } from '../ui/Action.tsx';
import { DialogHead } from '../ui/dialog/DialogHead.tsx';
import { unlessDoubleClick } from '../ui/dialog/unless-double-click.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';

type Props = {
  title: string;
  /** Shown next to the title, for example a label mark. */
  mark?: ReactNode;
  lead: string;
  /** Text to copy (`content`), its field label, and the text of the copy button. */
  content: string;
  label: string;
  copy: string;
  copied: string;
  done: string;
  /** True if the text is shown only this once; the dialog can then be closed only with the button. */
  once?: boolean;
  onClose: () => void;
};

/** Dialog with a text to be copied or written down, such as a key or a command. */
export function CopyDialog(props: Props) {
  const { title, mark, lead, content, label, copy, copied, done, once = false, onClose } = props;
  const { show } = useSnackbar();
  const titleId = useId();
  return (
    <Dialog
      open
      aria-labelledby={titleId}
      maxWidth="sm"
      fullWidth
      onClose={unlessDoubleClick(() => !once && onClose())}
    >
      <DialogHead title={title} titleId={titleId} mark={mark} />
      <DialogContent>
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 3 }}>
          {lead}
        </Typography>
        <Box sx={{ display: 'flex', alignItems: 'start', gap: 1, p: 3, borderRadius: 1.5, bgcolor: 'surface.base' }}>
          <Box
            component="code"
            aria-label={label}
            role="group"
            sx={{ flex: 1, minWidth: 0, fontSize: 12, lineHeight: '20px', overflowWrap: 'anywhere' }}
          >
            {content}
          </Box>
          <Action
            label={copy}
            icon={mdiContentCopy}
            onClick={() => void navigator.clipboard.writeText(content).then(() => show(copied))}
          />
        </Box>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" color="primary" onClick={onClose}>
          {done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
