import { Box } from '@mui/material';
import { CASE_NAME_MAX, CASE_TEXT_MAX, type CaseRow, classificationRank, isAdmin, REASON_MIN } from '@osprey/contract';
import { useState } from 'react';
import { useActor } from '../api/session.ts';
import { useReaders } from '../api/useReaders.ts';
import { useUsergroups } from '../api/useUsergroups.ts';
import { fill, namesText, plainText } from '../base/format.ts';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { Field } from '../ui/fields/Field.tsx';
import { GroupPicker } from '../ui/fields/GroupPicker.tsx';
import { LabelField } from '../ui/fields/LabelField.tsx';
import { isWidened, labelsFor, shareText } from '../ui/fields/sharing.ts';
import { VisibleTo } from '../ui/fields/VisibleTo.tsx';
import { Hint } from '../ui/Hint.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import type { Collected } from './add/collected.ts';
import { EditorsField } from './EditorsField.tsx';
import { type CaseForm, formOf, newForm } from './form.ts';
import { texts } from './texts.ts';
import { useCasePeople } from './useCasePeople.ts';
import { useCase } from './useCases.ts';
import { useSaveCase } from './useSaveCase.ts';

type Props = {
  /** The case to edit; null: a new case. */
  row: CaseRow | null;
  /** Initial parts of a new case. */
  collected?: Collected;
  onClose: () => void;
  /** Called after the case was created or changed. Left out: the dialog is closed. */
  onSaved?: () => void;
};

const words = texts.dialog;

/** Dialog for the name, label and audience of a case, and for the users who may edit it. */
export function CaseDialog(props: Props) {
  const groups = useUsergroups();
  // If only one group can be chosen, a new case starts shared with it, so the groups must be known first.
  if (props.row === null && groups.length === 0) return null;
  return <Dialog {...props} />;
}

function Dialog({ row, collected, onClose, onSaved = onClose }: Props) {
  const actor = useActor();
  const groups = useUsergroups();
  const [first] = useState<CaseForm>(() =>
    row === null ? newForm(collected?.securityClassification ?? 'UNCLASSIFIED', groups) : formOf(row),
  );
  const [form, setForm] = useState(first);
  const [tried, setTried] = useState(false);
  const [saving, setSaving] = useState(false);
  const [isConflict, setConflict] = useState(false);
  const { create, update } = useSaveCase();
  // Users who may delete the case own it; other editors may change only its texts.
  const isOwn = row === null || row.deletable;
  const people = useCasePeople(row !== null && isOwn ? row._id : null);
  const readers = useReaders('case', form);
  // Keeps the newest revision in the cache, on which saving after a conflict is based.
  useCase(row?._id ?? null);
  const change = (fields: Partial<CaseForm>) => setForm((before) => ({ ...before, ...fields }));

  const dirty = JSON.stringify(form) !== JSON.stringify(first);
  const sharing = isOwn && (row === null || dirty) ? shareText(actor, form, groups) : null;
  const before = row && { ...row, securityClassification: row.ownClassification };
  const needsReason = before !== null && isWidened(before, form, groups);
  const isEmpty = form.name.trim() === '';
  const tooShort = needsReason && form.reason.trim().length < REASON_MIN;
  const label = higherOf(form.label, row?.securityClassification ?? form.label);

  async function submit() {
    setTried(true);
    if (isEmpty || sharing !== null || tooShort || saving) return;
    setSaving(true);
    const known = { groups, people: people.byName };
    const outcome =
      row === null ? (await create(form, groups, collected?.parts ?? [])) && 'done' : await update(row, form, known);
    setSaving(false);
    if (outcome === 'done') onSaved();
    else if (outcome === 'conflict') setConflict(true);
  }

  return (
    <FormDialog
      title={row === null ? words.create : words.edit}
      mark={<LabelMark label={label} marked={row?.marked ?? true} />}
      width={640}
      dirty={dirty}
      onClose={onClose}
      onSubmit={() => void submit()}
      submitLabel={row === null ? words.submitCreate : words.submitUpdate}
      canSubmit={!saving && sharing === null}
    >
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' },
          gap: 4,
          '& > *': { minWidth: 0 },
          '& > .wide': { gridColumn: { sm: '1 / -1' } },
        }}
      >
        {isConflict && (
          <Box className="wide">
            <Hint>{words.changedMeanwhile}</Hint>
          </Box>
        )}
        {collected && (
          <Box className="wide">
            <Hint>
              {fill(words.adding, {
                what: namesText(collected.titles.map((title) => ({ name: plainText(title) }))),
              })}
            </Hint>
          </Box>
        )}
        <Field
          className="wide"
          label={words.name}
          required
          autoFocus
          value={form.name}
          onChange={(event) => change({ name: event.target.value })}
          problem={tried && isEmpty ? words.nameMissing : undefined}
          slotProps={{ htmlInput: { maxLength: CASE_NAME_MAX } }}
        />
        <Field
          className="wide"
          label={words.description}
          multiline
          minRows={2}
          maxRows={8}
          value={form.description}
          onChange={(event) => change({ description: event.target.value })}
          slotProps={{ htmlInput: { maxLength: CASE_TEXT_MAX } }}
        />
        {isOwn && (
          <>
            <LabelField
              label={words.label}
              value={form.label}
              labels={labelsFor(actor)}
              onChange={(next) => change({ label: next })}
              help={label === form.label ? words.labelHelp : fill(words.raised, { label })}
            />
            <VisibleTo {...readers} label={label} partial={row !== null && !isAdmin(actor)}>
              <GroupPicker
                groups={groups}
                label={label}
                value={{ everyone: form.everyone, usergroups: form.usergroups }}
                onChange={change}
                mayEveryone={isAdmin(actor)}
                demoFixed={false}
                problem={tried || dirty ? (sharing ?? undefined) : undefined}
              />
            </VisibleTo>
            {row !== null && (
              <Box className="wide">
                <EditorsField people={people} value={form.editors} onChange={(editors) => change({ editors })} />
              </Box>
            )}
            {needsReason && (
              <Field
                className="wide"
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
          </>
        )}
      </Box>
    </FormDialog>
  );
}

const higherOf = (one: CaseForm['label'], other: CaseForm['label']): CaseForm['label'] =>
  classificationRank(one) >= classificationRank(other) ? one : other;
