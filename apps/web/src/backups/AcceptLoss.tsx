import { Stack, Typography } from '@mui/material';
import { type DamagedItem, LOSS_REASON_MIN } from '@osprey/contract';
import { useState } from 'react';
import { fill } from '../base/format.ts';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { Field } from '../ui/fields/Field.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { texts } from './texts.ts';
import { useDamagedOrders } from './useDamaged.ts';

const words = texts.damaged;

/** Dialog for the reason why the loss of a file is accepted. */
export function AcceptLoss({ file, onClose }: { file: DamagedItem; onClose: () => void }) {
  const { accept } = useDamagedOrders();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const { name, text, restorable } = file;
  const tooShort = reason.trim().length < LOSS_REASON_MIN;

  async function save() {
    setTried(true);
    if (tooShort) return;
    setBusy(true);
    if (await accept(file, reason)) onClose();
    else setBusy(false);
  }

  return (
    <FormDialog
      title={fill(words.acceptTitle, { name })}
      mark={<LabelMark label={file.securityClassification} />}
      dirty={reason !== ''}
      onClose={onClose}
      onSubmit={() => void save()}
      submitLabel={words.accept}
      canSubmit={!busy}
      danger
    >
      <Stack spacing={4}>
        <Typography variant="body2">{fill(words.acceptLead, { text })}</Typography>
        {restorable && (
          <Typography variant="body2" sx={{ fontWeight: 600 }}>
            {words.acceptHeld}
          </Typography>
        )}
        <Field
          label={words.reason}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          problem={tried && tooShort ? fill(words.reasonShort, { count: LOSS_REASON_MIN }) : undefined}
          autoFocus
          multiline
          minRows={2}
        />
      </Stack>
    </FormDialog>
  );
}
