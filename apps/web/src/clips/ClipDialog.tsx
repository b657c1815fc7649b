import { Box, Button } from '@mui/material';
import type { Clip, Mission } from '@osprey/contract';
import { useState } from 'react';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { ShownMark } from '../ui/label/ShownMark.tsx';
import { texts as ui } from '../ui/texts.ts';
import { ClipFields } from './ClipFields.tsx';
import { texts } from './texts.ts';
import { useClipActs } from './useClipActs.ts';

type Props = { mission: Mission; clip: Clip; onClose: () => void };

/** Title, note and tags of a clip. */
export function ClipDialog({ mission, clip, onClose }: Props) {
  const { update } = useClipActs();
  const [first] = useState(() => ({ title: clip.title, note: clip.note, tags: clip.tags }));
  const [form, setForm] = useState(first);
  const [asked, setAsked] = useState(false);
  const [saving, setSaving] = useState(false);

  async function submit() {
    setAsked(true);
    if (form.title.trim() === '' || saving) return;
    setSaving(true);
    const isDone = await update(clip, form);
    setSaving(false);
    if (isDone) onClose();
  }

  return (
    <FormDialog
      title={texts.edit}
      mark={<ShownMark label={mission.securityClassification} marked={mission.marked} />}
      width={520}
      dirty={JSON.stringify(form) !== JSON.stringify(first)}
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Box sx={{ flex: 1 }} />
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button type="submit" variant="contained" color="primary" disabled={saving}>
            {texts.save}
          </Button>
        </>
      }
    >
      <ClipFields form={form} onChange={setForm} asked={asked} focused />
    </FormDialog>
  );
}
