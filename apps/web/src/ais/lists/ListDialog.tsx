import { Box, Checkbox, FormControlLabel } from '@mui/material';
import {
  createShipList,
  getShipList,
  isAdmin,
  type ListedShip,
  REASON_MIN,
  SHIP_LIST_NAME_MAX,
  type ShipListRow,
  updateShipList,
} from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api.ts';
import { useActor } from '../../api/session.ts';
import { useReaders } from '../../api/useReaders.ts';
import { useUsergroups } from '../../api/useUsergroups.ts';
import { fill, formatCount } from '../../base/format.ts';
import { errorText, isCode } from '../../base/transport-error.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { ColourField } from '../../ui/fields/ColourField.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { GroupPicker } from '../../ui/fields/GroupPicker.tsx';
import { LabelField } from '../../ui/fields/LabelField.tsx';
import { isWidened, labelsFor } from '../../ui/fields/sharing.ts';
import { VisibleTo } from '../../ui/fields/VisibleTo.tsx';
import { Hint } from '../../ui/Hint.tsx';
import { LabelMark } from '../../ui/label/LabelMark.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { isOwnAlone, type ListForm, listBody, listFormOf, listShareText, newListBody, newListForm } from './form.ts';
import { listTexts as texts } from './texts.ts';

/** Initial content of a new list. */
export type ListStart = { name: string; ships: readonly ListedShip[]; skipped?: number };

type Props = {
  /** The list to change; null: a new list. */
  row: ShipListRow | null;
  start?: ListStart;
  onClose: () => void;
};

const words = texts.dialog;

/** Dialog to edit the name, colour, label and audience of a ship list. */
export function ListDialog({ row, start = { name: '', ships: [] }, onClose }: Props) {
  const actor = useActor();
  const groups = useUsergroups();
  const [first] = useState<ListForm>(() => (row === null ? newListForm(start.name, 'UNCLASSIFIED') : listFormOf(row)));
  const [form, setForm] = useState(first);
  const [tried, setTried] = useState(false);
  const [isConflict, setConflict] = useState(false);
  const { save, saving } = useSaveList(row);
  const readers = useReaders('shiplist', form);
  const change = (fields: Partial<ListForm>) => setForm((before) => ({ ...before, ...fields }));

  const isOwn = row?.own ?? true;
  const dirty = JSON.stringify(form) !== JSON.stringify(first);
  const sharing = listShareText(actor, form, { groups, isOwn });
  const needsReason = row !== null && isWidened(row, form, groups);
  const isEmpty = form.name.trim() === '';
  const tooShort = needsReason && form.reason.trim().length < REASON_MIN;

  async function submit() {
    setTried(true);
    if (isEmpty || sharing !== null || tooShort || saving) return;
    const outcome = await save(form, start.ships);
    if (outcome === 'done') onClose();
    else if (outcome === 'conflict') setConflict(true);
  }

  const picker = (
    <GroupPicker
      groups={groups}
      label={form.label}
      value={{ everyone: form.everyone, usergroups: form.usergroups }}
      onChange={change}
      mayEveryone={isAdmin(actor)}
      demoFixed={false}
      {...(isOwn && { nobody: words.onlyYou })}
      problem={sharing ?? undefined}
    />
  );
  return (
    <FormDialog
      title={row === null ? words.create : words.edit}
      mark={<LabelMark label={form.label} marked />}
      width={560}
      dirty={dirty || start.ships.length > 1}
      onClose={onClose}
      onSubmit={() => void submit()}
      submitLabel={row === null ? words.submitCreate : words.submitUpdate}
      canSubmit={!saving && sharing === null}
    >
      <Box sx={{ display: 'grid', gap: 4, '& > *': { minWidth: 0 } }}>
        {isConflict && <Hint>{words.changedMeanwhile}</Hint>}
        {start.ships.length > 0 && <Hint>{beginsText(start)}</Hint>}
        <Field
          label={words.name}
          required
          autoFocus
          value={form.name}
          onChange={(event) => change({ name: event.target.value })}
          problem={tried && isEmpty ? words.nameMissing : undefined}
          slotProps={{ htmlInput: { maxLength: SHIP_LIST_NAME_MAX } }}
        />
        <FormControlLabel
          label={words.coloured}
          control={
            <Checkbox
              checked={form.isColoured}
              onChange={(_event, isColoured) => change({ isColoured })}
              sx={{ mr: 1 }}
            />
          }
        />
        {form.isColoured && (
          <ColourField
            label={words.colour}
            help={words.colourHelp}
            value={form.colour}
            onChange={(colour) => change({ colour })}
          />
        )}
        <LabelField
          label={words.label}
          value={form.label}
          labels={labelsFor(actor)}
          onChange={(label) => change({ label })}
        />
        {isOwn && isOwnAlone(form) ? (
          <Box>
            {picker}
            <Hint>{words.onlyYouHelp}</Hint>
          </Box>
        ) : (
          <VisibleTo {...readers} label={form.label} partial={row !== null && !isAdmin(actor)}>
            {picker}
          </VisibleTo>
        )}
        {needsReason && (
          <Field
            label={words.reason}
            required
            multiline
            value={form.reason}
            onChange={(event) => change({ reason: event.target.value })}
            help={fill(words.reasonHelp, { minimum: REASON_MIN })}
            problem={tried && tooShort ? fill(words.reasonHelp, { minimum: REASON_MIN }) : undefined}
            slotProps={{ htmlInput: { maxLength: 500 } }}
          />
        )}
      </Box>
    </FormDialog>
  );
}

const beginsText = ({ ships, skipped = 0 }: ListStart): string =>
  [
    fill(words.begins, { count: formatCount(ships.length, texts.ships) }),
    ...(skipped > 0 ? [formatCount(skipped, words.skipped)] : []),
  ].join(' ');

/** Returns a function that creates or changes a list and reports the outcome to the user. */
function useSaveList(row: ShipListRow | null) {
  const api = useApi();
  const queries = useQueryClient();
  const groups = useUsergroups();
  const { show } = useSnackbar();
  const [saving, setSaving] = useState(false);
  /** Revision on which the next save is based; after a conflict it is the newer revision, which is then overwritten. */
  const [revision, setRevision] = useState(row?.revision ?? 0);

  async function save(form: ListForm, ships: readonly ListedShip[]): Promise<'done' | 'failed' | 'conflict'> {
    setSaving(true);
    try {
      if (row === null) show((await api.call(createShipList, { body: newListBody(form, groups, ships) })).message);
      else {
        const reason = form.reason.trim();
        const body = { ...listBody(form, groups), revision, ...(reason !== '' && { reason }) };
        const changed = await api.call(updateShipList, { params: { id: row._id }, body });
        show(fill(texts.updated, { name: changed.name }));
      }
      return 'done';
    } catch (error) {
      if (row !== null && isCode(error, 'revisionConflict')) {
        const newest = await api.call(getShipList, { params: { id: row._id } }).catch(() => null);
        if (newest !== null) setRevision(newest.revision);
        return 'conflict';
      }
      show(fill(row === null ? texts.creating : texts.updating, { text: errorText(error) }), 'error');
      return 'failed';
    } finally {
      setSaving(false);
      void queries.invalidateQueries({ queryKey: ['shiplists'] });
    }
  }

  return { save, saving };
}
