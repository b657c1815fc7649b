import { Box } from '@mui/material';
import type { Clip, Mission } from '@osprey/contract';
import { useState } from 'react';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { Hint } from '../ui/Hint.tsx';
import { ShownMark } from '../ui/label/ShownMark.tsx';
import { ClipFields } from './ClipFields.tsx';
import { texts } from './texts.ts';
import { useClipActs } from './useClipActs.ts';
import { useClips } from './useClips.ts';

type Props = { mission: Mission; clip: Clip; onClose: () => void };

/** Dialog for the title, note and tags of a clip. */
export function ClipDialog({ mission, clip, onClose }: Props) {
  const { update } = useClipActs();
  const { clips } = useClips(mission._id);
  const [first] = useState(() => ({ title: clip.title, note: clip.note, tags: clip.tags }));
  const [form, setForm] = useState(first);
  const [asked, setAsked] = useState(false);
  const [saving, setSaving] = useState(false);
  const [isConflict, setConflict] = useState(false);

  async function submit() {
    setAsked(true);
    if (form.title.trim() === '' || saving) return;
    setSaving(true);
    // After a conflict, the other user's version; saving again replaces it.
    const replaced = (isConflict && clips.find(({ _id }) => _id === clip._id)) || clip;
    const outcome = await update(replaced, form);
    setSaving(false);
    if (outcome === 'done') onClose();
    else if (outcome === 'conflict') setConflict(true);
  }

  return (
    <FormDialog
      title={texts.edit}
      mark={<ShownMark label={mission.securityClassification} marked={mission.marked} />}
      width={520}
      dirty={JSON.stringify(form) !== JSON.stringify(first)}
      onClose={onClose}
      onSubmit={() => void submit()}
      submitLabel={texts.save}
      canSubmit={!saving}
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        {isConflict && <Hint>{texts.changedMeanwhile}</Hint>}
        <ClipFields form={form} onChange={setForm} asked={asked} focused />
      </Box>
    </FormDialog>
  );
}
