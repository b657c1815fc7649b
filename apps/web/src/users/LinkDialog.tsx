import { mdiContentCopy } from '@mdi/js';
import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import type { PasswordLink } from '@osprey/contract';
import { useId, useRef } from 'react';
import { fill, formatTime } from '../base/format.ts';
import { Field } from '../ui/fields/Field.tsx';
import { Icon } from '../ui/Icon.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

type Props = { link: PasswordLink; onClose: () => void };

const words = texts.link;

/**
 * Builds the address of a password link. The token is in the fragment, which browsers do not send to any server, so
 * that no log records it.
 */
const addressOf = ({ token }: PasswordLink): string => `${location.origin}/reset#${token}`;

/** Dialog that shows a password link, which is possible only once. */
export function LinkDialog({ link, onClose }: Props) {
  const { show } = useSnackbar();
  const input = useRef<HTMLInputElement>(null);
  const titleId = useId();
  const address = addressOf(link);

  async function copy() {
    try {
      await navigator.clipboard.writeText(address);
      show(words.copied);
    } catch {
      // The browser denied access to the clipboard, so the text is selected for copying by hand.
      input.current?.select();
    }
  }

  return (
    <Dialog open aria-labelledby={titleId} fullWidth maxWidth="sm">
      <DialogTitle id={titleId}>{fill(words.title, { name: link.username })}</DialogTitle>
      <DialogContent>
        <Typography variant="body2" sx={{ mb: 4 }}>
          {fill(words.text, { name: link.username, expires: formatTime(link.expires) })}
        </Typography>
        <Box sx={{ display: 'flex', alignItems: 'flex-end', gap: 2 }}>
          <Field
            label={words.field}
            value={address}
            inputRef={input}
            slotProps={{ htmlInput: { readOnly: true, onFocus: () => input.current?.select() } }}
          />
          <Button
            autoFocus
            startIcon={<Icon path={mdiContentCopy} />}
            onClick={() => void copy()}
            sx={{ flex: 'none' }}
          >
            {words.copy}
          </Button>
        </Box>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" color="primary" onClick={onClose}>
          {words.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
