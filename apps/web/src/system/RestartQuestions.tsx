import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import { useId } from 'react';
import { fill } from '../base/format.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { unlessDoubleClick } from '../ui/dialog/unless-double-click.ts';
import { ShownMark } from '../ui/label/ShownMark.tsx';
import { texts as ui } from '../ui/texts.ts';
import { texts } from './texts.ts';
import type { Recorded, useRestart } from './useRestart.ts';

const words = texts.restart;

type Props = { asked: ReturnType<typeof useRestart> };

/** Dialogs before a restart: whether to restart, and whether recordings must be restarted too. */
export function RestartQuestions({ asked }: Props) {
  const { question, busy, cancel, confirm, restart } = asked;
  if (question === null) return null;
  if (question.kind === 'recorder') {
    return <RecorderQuestion recorded={question.recorded} busy={busy} onCancel={cancel} onAnswer={restart} />;
  }
  return (
    <ConfirmDialog
      title={words.title}
      confirmText={words.confirm}
      busy={busy}
      onCancel={cancel}
      onConfirm={() => void confirm()}
    >
      <Typography>{words.question}</Typography>
      <Typography variant="body2" sx={{ mt: 2, color: 'text.secondary' }}>
        {words.text}
      </Typography>
    </ConfirmDialog>
  );
}

type RecorderProps = {
  recorded: readonly Recorded[];
  busy: boolean;
  onCancel: () => void;
  onAnswer: (withRecorder: boolean) => Promise<void>;
};

function RecorderQuestion({ recorded, busy, onCancel, onAnswer }: RecorderProps) {
  const titleId = useId();
  const textId = useId();
  return (
    <Dialog
      open
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      maxWidth="sm"
      onClose={unlessDoubleClick(onCancel)}
    >
      <DialogTitle id={titleId}>{words.recorder.title}</DialogTitle>
      <DialogContent id={textId} sx={{ overflowWrap: 'anywhere' }}>
        <Typography>{words.recorder.recorded}</Typography>
        <Box component="ul" sx={{ my: 2, pl: 0, listStyle: 'none', maxHeight: 160, overflowY: 'auto' }}>
          {recorded.map(({ _id, name, platform, securityClassification, marked }) => (
            <Box component="li" key={_id} sx={{ display: 'flex', alignItems: 'center', gap: 2, py: 0.5 }}>
              <ShownMark label={securityClassification} marked={marked} />
              <span>{fill(words.recorder.platform, { name: platform, mission: name })}</span>
            </Box>
          ))}
        </Box>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {words.recorder.text}
        </Typography>
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap', rowGap: 2 }}>
        <Button autoFocus onClick={onCancel}>
          {ui.cancel}
        </Button>
        <Button color="error" disabled={busy} onClick={() => void onAnswer(true)}>
          {words.recorder.both}
        </Button>
        <Button variant="contained" color="primary" disabled={busy} onClick={() => void onAnswer(false)}>
          {words.recorder.serverOnly}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
