import { Button, Checkbox, FormControlLabel, MenuItem, Stack } from '@mui/material';
import {
  type Classification,
  classificationOf,
  classificationRank,
  classifications,
  createWatchFolder,
  updateWatchFolder,
  type WatchFolder,
} from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { useActor } from '../api/session.ts';
import { errorText } from '../api/transport-error.ts';
import { useUsergroups } from '../api/useUsergroups.ts';
import { Field } from '../ui/Field.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { LabelMark } from '../ui/LabelMark.tsx';
import { useSnackbar } from '../ui/Snackbar.tsx';
import { texts as ui } from '../ui/texts.ts';
import { texts } from './texts.ts';

const words = texts.folders;
type Form = Pick<WatchFolder, 'path' | 'usergroups' | 'moveFiles' | 'enabled'> & {
  label: Classification | '';
  platform: string;
};

const formOf = (folder: WatchFolder | null, root: string): Form => ({
  path: folder?.path ?? `${root}/`,
  label: folder === null ? 'UNCLASSIFIED' : (folder.securityClassification ?? ''),
  usergroups: folder?.usergroups ?? [],
  platform: folder?.platform.name ?? '',
  moveFiles: folder?.moveFiles ?? false,
  enabled: folder?.enabled ?? true,
});

type Props = { folder: WatchFolder | null; root: string; onClose: () => void };

/** How one folder is watched. */
export function FolderDialog({ folder, root, onClose }: Props) {
  const api = useApi();
  const actor = useActor();
  const queries = useQueryClient();
  const groups = useUsergroups();
  const { show } = useSnackbar();
  const [first] = useState(() => formOf(folder, root));
  const [form, setForm] = useState(first);
  const [busy, setBusy] = useState(false);
  const set = (fields: Partial<Form>) => setForm((before) => ({ ...before, ...fields }));
  const clearance = classificationRank(actor.clearance);
  const rank = form.label === '' ? classifications.length : classificationRank(form.label);

  async function save() {
    setBusy(true);
    const body = {
      path: form.path,
      securityClassification: form.label === '' ? null : form.label,
      audience: folder?.audience ?? ('groups' as const),
      usergroups: form.usergroups,
      platform: { ...folder?.platform, name: form.platform || '-' },
      moveFiles: form.moveFiles,
      enabled: form.enabled,
    };
    try {
      if (folder === null) await api.call(createWatchFolder, { body });
      else await api.call(updateWatchFolder, { params: { id: folder._id }, body });
      show(words.saved);
      await queries.invalidateQueries({ queryKey: ['intake'] });
      onClose();
    } catch (error) {
      show(errorText(error), 'error');
      setBusy(false);
    }
  }

  return (
    <FormDialog
      title={folder === null ? words.newTitle : words.editTitle}
      mark={<LabelMark label={form.label || classificationOf(classifications.length)} marked={form.label !== ''} />}
      dirty={form !== first}
      onClose={onClose}
      onSubmit={() => void save()}
      actions={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button type="submit" variant="contained" color="primary" disabled={busy}>
            {words.save}
          </Button>
        </>
      }
    >
      <Stack spacing={4}>
        <Field label={words.path} value={form.path} onChange={(event) => set({ path: event.target.value })} autoFocus />
        <Field
          select
          label={words.labelField}
          value={form.label}
          onChange={(event) => set({ label: event.target.value as Form['label'] })}
          slotProps={{ select: { displayEmpty: true } }}
        >
          {classifications.map((label) => (
            <MenuItem key={label} value={label} disabled={classificationRank(label) > clearance}>
              {label}
            </MenuItem>
          ))}
          <MenuItem value="">{words.noLabel}</MenuItem>
        </Field>
        <Field
          select
          label={words.groupsField}
          value={form.usergroups}
          onChange={(event) => set({ usergroups: event.target.value as unknown as string[] })}
          slotProps={{ select: { multiple: true } }}
        >
          {groups.map(({ _id, name, securityClassification }) => (
            <MenuItem key={_id} value={_id} disabled={classificationRank(securityClassification) < rank}>
              {name}
            </MenuItem>
          ))}
        </Field>
        <Field
          label={words.platformField}
          value={form.platform}
          onChange={(event) => set({ platform: event.target.value })}
        />
        <Stack>
          {(
            [
              ['moveFiles', words.move],
              ['enabled', words.enabled],
            ] as const
          ).map(([field, label]) => (
            <FormControlLabel
              key={field}
              control={<Checkbox checked={form[field]} onChange={(event) => set({ [field]: event.target.checked })} />}
              label={label}
              slotProps={{ typography: { variant: 'body2' } }}
            />
          ))}
        </Stack>
      </Stack>
    </FormDialog>
  );
}
