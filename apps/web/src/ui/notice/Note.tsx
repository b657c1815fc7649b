import { Alert, Button, Snackbar } from '@mui/material';
import { SNACKBAR_MS } from '@osprey/contract';
import { size } from '../../base/sizes.ts';
import { texts } from '../texts.ts';

export type Severity = 'success' | 'info' | 'warning' | 'error';
export type NoteAction = { label: string; onClick: () => void };

type Props = { text: string; severity: Severity; action: NoteAction | null; onGone: () => void };

/** Duration for which a note with an action is shown, in milliseconds. */
const ACTION_MS = 10_000;

/** Position right of the menu and above the buttons for selected rows, where the note covers no control. */
const placed = {
  bottom: { xs: 84, sm: 32 },
  left: { sm: size.rail + 8 },
  'body:has([data-part="rail-open"]) &': { left: { sm: size.railOpen + 8 } },
  'body:has([data-part="bulk-bar"]) &': { bottom: { xs: 176, sm: 120 } },
};

/** Note at the bottom of the page that disappears by itself. */
export function Note({ text, severity, action, onGone }: Props) {
  return (
    <Snackbar
      open
      autoHideDuration={action ? ACTION_MS : SNACKBAR_MS}
      onClose={(_event, reason) => {
        if (reason !== 'clickaway') onGone();
      }}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      sx={placed}
    >
      <Alert
        severity={severity}
        variant="standard"
        onClose={onGone}
        closeText={texts.close}
        sx={{
          border: 1,
          borderColor: 'surface.lineStrong',
          bgcolor: 'surface.raised',
          color: 'text.primary',
          alignItems: 'center',
          '& .MuiAlert-icon, & .MuiAlert-message': { py: 0 },
          '& .MuiAlert-action': { pt: 0, alignItems: 'center' },
        }}
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
