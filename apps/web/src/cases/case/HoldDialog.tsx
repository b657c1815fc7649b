import { Box, Typography } from '@mui/material';
import { type CaseRow, holdCase, REASON_MIN } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api.ts';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

const words = texts.holdDialog;

/** Dialog that puts a case on hold or releases it, for which a reason is required. */
export function HoldDialog({ row, onClose }: { row: CaseRow; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  // State when the dialog was opened; another user may release the case in the meantime.
  const [held] = useState(row.held);
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const { _id: id, number } = row;
  const help = fill(words.releaseHelp, { minimum: REASON_MIN });
  const tooShort = held && reason.trim().length < REASON_MIN;

  async function save() {
    setTried(true);
    if (tooShort || busy) return;
    setBusy(true);
    try {
      const body = { held: !held, ...(reason.trim() !== '' && { reason: reason.trim() }) };
      queries.setQueryData(['cases', 'one', id], await api.call(holdCase, { params: { id }, body }));
      show(fill(held ? words.released : words.held, { number }));
      onClose();
    } catch (error) {
      show(fill(words.failed, { text: errorText(error) }), 'error');
      setBusy(false);
    }
    await queries.invalidateQueries({ queryKey: ['cases'] });
  }

  return (
    <FormDialog
      title={fill(held ? words.release : words.hold, { number })}
      mark={<ShownMark label={row.securityClassification} marked={row.marked} />}
      dirty={reason !== ''}
      onClose={onClose}
      onSubmit={() => void save()}
      submitLabel={held ? words.submitRelease : words.submitHold}
      canSubmit={!busy}
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Typography variant="body2">{held ? words.releaseLead : words.holdLead}</Typography>
        <Field
          label={words.reason}
          required={held}
          autoFocus
          multiline
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          help={held ? help : words.holdHelp}
          problem={tried && tooShort ? help : undefined}
          slotProps={{ htmlInput: { maxLength: 500 } }}
        />
      </Box>
    </FormDialog>
  );
}
