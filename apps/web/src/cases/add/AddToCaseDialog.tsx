import { Box, Button, Typography } from '@mui/material';
import { CASE_TEXT_MAX, type CaseRow } from '@osprey/contract';
import { useState } from 'react';
import { namesText, plainText } from '../../base/format.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { CaseDialog } from '../CaseDialog.tsx';
import { CaseField } from './CaseField.tsx';
import type { Collected, NewPart } from './collected.ts';
import { LockOutQuestion } from './LockOutQuestion.tsx';
import { texts } from './texts.ts';
import { type LockOut, useAddParts } from './useAddParts.ts';

type Props = { collected: Collected; onClose: () => void; onAdded?: () => void };

/** Dialog to choose the case to which the collected parts are added, or to create a new case. */
export function AddToCaseDialog({ collected, onClose, onAdded }: Props) {
  const [chosen, setChosen] = useState<CaseRow | null>(null);
  const [remark, setRemark] = useState('');
  const [making, setMaking] = useState(false);
  const [saving, setSaving] = useState(false);
  const [lockOut, setLockOut] = useState<LockOut | null>(null);
  const { add } = useAddParts();
  const parts = withRemark(collected.parts, remark.trim());

  function end() {
    onAdded?.();
    onClose();
  }

  async function submit(agreed = false) {
    if (chosen === null || saving) return;
    setSaving(true);
    const outcome = await add(chosen, parts, agreed);
    setSaving(false);
    setLockOut(null);
    if (outcome === 'done') end();
    else if (outcome !== 'failed') setLockOut(outcome.lockOut);
  }

  if (making) return <CaseDialog row={null} collected={{ ...collected, parts }} onClose={onClose} onSaved={end} />;
  return (
    <>
      <FormDialog
        title={texts.title}
        mark={<ShownMark label={collected.securityClassification} marked={collected.marked} />}
        width={520}
        dirty={remark.trim() !== ''}
        onClose={onClose}
        onSubmit={() => void submit()}
        aside={<Button onClick={() => setMaking(true)}>{texts.create}</Button>}
        submitLabel={texts.submit}
        canSubmit={chosen !== null && !saving}
      >
        <Box sx={{ display: 'grid', gap: 4 }}>
          <Typography variant="body2" sx={{ overflowWrap: 'anywhere', fontWeight: 600 }}>
            {namesText(collected.titles.map((title) => ({ name: plainText(title) })))}
          </Typography>
          <CaseField value={chosen} onChange={setChosen} />
          <Field
            label={texts.remark}
            help={texts.remarkHelp}
            multiline
            minRows={2}
            maxRows={6}
            value={remark}
            onChange={(event) => setRemark(event.target.value)}
            slotProps={{ htmlInput: { maxLength: CASE_TEXT_MAX } }}
          />
        </Box>
      </FormDialog>
      {lockOut && chosen && (
        <LockOutQuestion
          number={chosen.number}
          lockOut={lockOut}
          busy={saving}
          onCancel={() => setLockOut(null)}
          onConfirm={() => void submit(true)}
        />
      )}
    </>
  );
}

/** Adds a remark to each part, except to notes, which have a text instead. */
const withRemark = (parts: readonly NewPart[], remark: string): NewPart[] =>
  parts.map((part) => (part.kind === 'note' || remark === '' ? part : { ...part, remark }));
