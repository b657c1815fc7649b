import { Stack, Typography } from '@mui/material';
import { AppError, type Mission, missionName, renameMission } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api.ts';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { typedSpaceAsDash } from '../typed-dash.ts';
import { texts } from './texts.ts';

/** Dialog that renames a mission, by the same rules as for a new name. */
export function RenameDialog({ mission, onClose }: { mission: Mission; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const { _id, name: old, revision } = mission;
  const [name, setName] = useState(old);
  const [taken, setTaken] = useState<{ name: string; text: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const broken = missionName.safeParse(name).error?.issues[0]?.message;
  const problem = taken?.name === name ? taken.text : broken;

  async function save() {
    if (problem !== undefined || busy) return;
    if (name === old) return onClose();
    setBusy(true);
    try {
      await api.call(renameMission, { params: { mission: _id }, body: { name, revision } });
      show(fill(texts.done, { old, name }));
      void queries.invalidateQueries({ queryKey: ['missions'] });
      onClose();
    } catch (error) {
      if (error instanceof AppError && error.code === 'missionNameTaken') setTaken({ name, text: error.message });
      else show(fill(texts.failed, { name: old, text: errorText(error) }), 'error');
      // Another user renamed it first, so the row is loaded again.
      if (error instanceof AppError && error.code === 'revisionConflict') {
        void queries.invalidateQueries({ queryKey: ['missions'] });
      }
      setBusy(false);
    }
  }

  return (
    <FormDialog
      title={fill(texts.title, { name: old })}
      mark={<ShownMark label={mission.securityClassification} marked={mission.marked} />}
      dirty={name !== old}
      onClose={onClose}
      onSubmit={() => void save()}
      submitLabel={texts.submit}
      canSubmit={problem === undefined && !busy}
    >
      <Stack spacing={4}>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {texts.lead}
        </Typography>
        <Field
          autoFocus
          required
          label={texts.name}
          value={name}
          help={texts.help}
          problem={problem}
          onChange={(event) => {
            typedSpaceAsDash(event);
            setName(event.target.value);
          }}
          onFocus={(event) => event.target.select()}
          slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false } }}
        />
      </Stack>
    </FormDialog>
  );
}
