import { Checkbox, FormControlLabel, MenuItem, Stack } from '@mui/material';
import {
  type Classification,
  createWatchFolder,
  isAdmin,
  NAME_MAX,
  NO_PLATFORM_NAME,
  platform as platformSchema,
  platformTypes,
  updateWatchFolder,
  type WatchFolder,
} from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { useActor } from '../api/session.ts';
import { useUsergroups } from '../api/useUsergroups.ts';
import { errorText } from '../base/transport-error.ts';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { ColourField } from '../ui/fields/ColourField.tsx';
import { Field } from '../ui/fields/Field.tsx';
import { GroupPicker } from '../ui/fields/GroupPicker.tsx';
import { LabelField } from '../ui/fields/LabelField.tsx';
import { audienceOf, HIGHEST_LABEL, labelsFor, type ShareFields, shareText } from '../ui/fields/sharing.ts';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

const words = texts.folders;

type Form = Omit<ShareFields, 'label'> &
  Pick<WatchFolder, 'path' | 'moveFiles' | 'enabled'> & {
    /** Label of the missions; empty: they are unmarked. */
    label: Classification | '';
    platform: string;
    platformType: string;
    color: string;
  };

function formOf(folder: WatchFolder | null, root: string): Form {
  const { name, type, presentation } = folder?.platform ?? platformSchema.parse({});
  return {
    path: folder?.path ?? `${root}/`,
    label: folder === null ? 'UNCLASSIFIED' : (folder.securityClassification ?? ''),
    everyone: folder?.audience === 'everyone',
    usergroups: folder?.usergroups ?? [],
    platform: folder === null ? '' : name,
    platformType: type,
    color: presentation.color,
    moveFiles: folder?.moveFiles ?? false,
    enabled: folder?.enabled ?? true,
  };
}

const sharingOf = ({ label, everyone, usergroups }: Form) => JSON.stringify([label, everyone, usergroups]);

type Props = { folder: WatchFolder | null; root: string; onClose: () => void };

/** Dialog with the settings of a watched folder. */
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
  // Unmarked missions count as having the highest label, so sharing is not checked for them; the list of groups may not
  // have been loaded yet.
  const sharing = { ...form, label: form.label || HIGHEST_LABEL };
  const isShared = folder === null || sharingOf(form) !== sharingOf(first);
  const problem = form.label === '' || !isShared ? null : shareText(actor, sharing, groups);
  const dirty = form !== first;
  const types = [...new Set([...platformTypes, form.platformType])];

  async function save() {
    if (problem !== null) return;
    setBusy(true);
    const body = {
      path: form.path,
      securityClassification: form.label === '' ? null : form.label,
      ...audienceOf(sharing, groups),
      platform: {
        name: form.platform || NO_PLATFORM_NAME,
        type: form.platformType,
        presentation: { color: form.color },
      },
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
      mark={<LabelMark label={sharing.label} marked={form.label !== ''} />}
      dirty={dirty}
      onClose={onClose}
      onSubmit={() => void save()}
      submitLabel={words.save}
      canSubmit={!busy && problem === null}
    >
      <Stack spacing={4}>
        <Field label={words.path} value={form.path} onChange={(event) => set({ path: event.target.value })} autoFocus />
        <LabelField
          label={words.labelField}
          value={form.label}
          labels={labelsFor(actor)}
          none={words.noLabel}
          onChange={(label) => set({ label })}
        />
        <GroupPicker
          groups={groups}
          label={sharing.label}
          value={form}
          onChange={set}
          mayEveryone={isAdmin(actor)}
          demoFixed={false}
          problem={dirty ? (problem ?? undefined) : undefined}
        />
        <Field
          label={words.platformField}
          value={form.platform}
          onChange={(event) => set({ platform: event.target.value })}
          slotProps={{ htmlInput: { maxLength: NAME_MAX } }}
        />
        <Field
          select
          label={words.typeField}
          value={form.platformType}
          onChange={(event) => set({ platformType: event.target.value })}
        >
          {types.map((type) => (
            <MenuItem key={type} value={type}>
              {type}
            </MenuItem>
          ))}
        </Field>
        <ColourField
          label={words.colorField}
          help={words.colorHelp}
          value={form.color}
          onChange={(color) => set({ color })}
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
