import { mdiContentCopy, mdiEmailOutline } from '@mdi/js';
import { Box, Button, TextField } from '@mui/material';
import { useRef } from 'react';
import { Icon } from '../Icon.tsx';
import { useSnackbar } from '../notice/Snackbar.tsx';

const words = {
  title: 'Share',
  link: 'Link to this view',
  lead: 'It opens only for people who may see it.',
  copy: 'Copy link',
  mail: 'Send by e-mail',
  copied: 'Link copied.',
  notCopied: 'The browser did not allow copying. Select the link and copy it.',
};

/** Returns a mail link. The mail leaves our control, so it contains only the address; no name, label or place. */
function mailTo(link: string): string {
  return `mailto:?body=${encodeURIComponent(link)}`;
}

type Props = { link: string; onClose: () => void };

/** Panel with a link, and buttons to copy it or send it by the mail program of this computer. */
export function SharePanel({ link, onClose }: Props) {
  const { show } = useSnackbar();
  const field = useRef<HTMLInputElement>(null);

  function copy() {
    // The clipboard is unavailable without https.
    const copied = navigator.clipboard?.writeText(link) ?? Promise.reject(new Error('no clipboard'));
    copied.then(
      () => {
        show(words.copied);
        onClose();
      },
      () => {
        field.current?.select();
        show(words.notCopied, 'warning');
      },
    );
  }

  return (
    <Box
      role="dialog"
      aria-label={words.title}
      sx={{ width: 'min(420px, calc(100vw - 32px))', p: 4, display: 'grid', gap: 3 }}
    >
      <TextField
        size="small"
        label={words.link}
        value={link}
        helperText={words.lead}
        inputRef={field}
        slotProps={{ htmlInput: { readOnly: true } }}
        onFocus={() => field.current?.select()}
      />
      <Box sx={{ display: 'flex', gap: 2, justifyContent: 'flex-end', flexWrap: 'wrap' }}>
        <Button href={mailTo(link)} startIcon={<Icon path={mdiEmailOutline} />} onClick={onClose}>
          {words.mail}
        </Button>
        <Button variant="contained" color="primary" autoFocus startIcon={<Icon path={mdiContentCopy} />} onClick={copy}>
          {words.copy}
        </Button>
      </Box>
    </Box>
  );
}
