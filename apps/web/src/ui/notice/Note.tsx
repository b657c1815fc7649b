import { Alert, Button, Snackbar } from '@mui/material';
import { SNACKBAR_MS } from '@osprey/contract';
import { texts } from '../texts.ts';

export type Severity = 'success' | 'info' | 'warning' | 'error';
export type NoteAction = { label: string; onClick: () => void };

type Props = { text: string; severity: Severity; action: NoteAction | null; onGone: () => void };

/** With something to click a note stays a little longer. */
const ACTION_MS = 10_000;

/** One sentence at the foot of the page that disappears by itself. */
export function Note({ text, severity, action, onGone }: Props) {
  return (
    <Snackbar
      open
      autoHideDuration={action ? ACTION_MS : SNACKBAR_MS}
      onClose={(_event, reason) => {
        if (reason !== 'clickaway') onGone();
      }}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      sx={{ bottom: { xs: 84, sm: 32 } }}
    >
      <Alert
        severity={severity}
        variant="standard"
        onClose={onGone}
        closeText={texts.close}
        sx={{ border: 1, borderColor: 'surface.lineStrong', bgcolor: 'surface.raised', color: 'text.primary' }}
        {...(action && {
          action: (
            <Button
              variant="text"
              color="primary"
              onClick={() => {
                action.onClick();
                onGone();
              }}
            >
              {action.label}
            </Button>
          ),
        })}
      >
        {text}
      </Alert>
    </Snackbar>
  );
}
