import { Stack, Typography } from '@mui/material';
import { holdMission, type Mission, releaseMission } from '@osprey/contract';
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

const REASON_LENGTH = 10;

/** Dialog that sets the hold of a mission with a reason, or ends it. */
export function HoldDialog({ mission, onClose }: { mission: Mission; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const { _id, name, hold } = mission;
  const tooShort = hold === null && reason.trim().length < REASON_LENGTH;

  async function save() {
    setTried(true);
    if (tooShort) return;
    setBusy(true);
    try {
      if (hold === null) await api.call(holdMission, { params: { mission: _id }, body: { reason } });
      else await api.call(releaseMission, { params: { mission: _id } });
      show(fill(hold === null ? texts.held : texts.released, { name }));
      await queries.invalidateQueries({ queryKey: ['missions'] });
      onClose();
    } catch (error) {
      show(errorText(error), 'error');
      setBusy(false);
    }
  }

  return (
    <FormDialog
      title={fill(hold === null ? texts.holdTitle : texts.releaseTitle, { name })}
      mark={<ShownMark label={mission.securityClassification} marked={mission.marked} />}
      dirty={reason !== ''}
      onClose={onClose}
      onSubmit={() => void save()}
      submitLabel={hold === null ? texts.hold : texts.release}
      canSubmit={!busy}
    >
      <Stack spacing={4}>
        <Typography variant="body2">
          {hold === null ? texts.holdLead : fill(texts.releaseLead, { reason: hold })}
        </Typography>
        {hold === null && (
          <Field
            label={texts.reason}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            problem={tried && tooShort ? texts.reasonShort : undefined}
            autoFocus
            multiline
            minRows={2}
          />
        )}
      </Stack>
    </FormDialog>
  );
}
