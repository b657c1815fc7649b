import { Box, Button, LinearProgress, MenuItem, Typography } from '@mui/material';
import {
  DEMO_GROUP,
  DOCUMENT_DESCRIPTION_MAX,
  DOCUMENT_TITLE_MAX,
  type DocumentRow,
  documentDescription,
  documentTitle,
  documentTypes,
  isAdmin,
  NAME_MAX,
  REASON_MIN,
  type Usergroup,
} from '@osprey/contract';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useActor } from '../api/session.ts';
import { useReaders } from '../api/useReaders.ts';
import { useUsergroups } from '../api/useUsergroups.ts';
import { fill } from '../base/format.ts';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { Field } from '../ui/fields/Field.tsx';
import { GroupPicker } from '../ui/fields/GroupPicker.tsx';
import { LabelField } from '../ui/fields/LabelField.tsx';
import { inputOf, rule } from '../ui/fields/registered.ts';
import { isWidened, labelsFor, shareText } from '../ui/fields/sharing.ts';
import { TagsField } from '../ui/fields/TagsField.tsx';
import { VisibleTo } from '../ui/fields/VisibleTo.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts as ui } from '../ui/texts.ts';
import { FileField } from './FileField.tsx';
import { type DocumentForm, formOf, newForm, titleOfFile, typeOfFile } from './form.ts';
import { LockField } from './LockField.tsx';
import { PlaceField } from './PlaceField.tsx';
import { texts } from './texts.ts';
import { useDocumentTags } from './useDocuments.ts';
import { useSaveDocument } from './useSaveDocument.ts';

type Props = {
  /** The document to edit; null: a new one. */
  document: DocumentRow | null;
  /** File for a new document that was dropped on the page. */
  dropped?: File;
  onClose: () => void;
};

const words = texts.dialog;

function newFormOf(groups: readonly Usergroup[], file: File | undefined): DocumentForm {
  const form = newForm(groups);
  if (file === undefined) return form;
  const documentType = typeOfFile(file, form.documentType);
  return { ...form, documentType, title: titleOfFile(file.name, DOCUMENT_TITLE_MAX) };
}

export function DocumentDialog(props: Props) {
  const groups = useUsergroups();
  // The initial values depend on the groups: the group Demo is ticked by default.
  if (props.document === null && groups.length === 0) return null;
  return <Dialog {...props} />;
}

function Dialog({ document, dropped, onClose }: Props) {
  const existing = useDocumentTags();
  const { show } = useSnackbar();
  const actor = useActor();
  const groups = useUsergroups();
  const form = useForm<DocumentForm>({
    defaultValues: document === null ? newFormOf(groups, dropped) : formOf(document),
    mode: 'onChange',
  });
  const [file, setFile] = useState<File | null>(dropped ?? null);
  const { save, percent, stop } = useSaveDocument(document, groups);
  const [saving, setSaving] = useState(false);
  const values = form.watch();
  const { errors, isDirty } = form.formState;
  const problem = document === null || isDirty ? shareText(actor, values, groups) : null;
  const needsReason = document !== null && isWidened(document, values, groups);
  const readers = useReaders('document', values);
  const needsFile = document === null && file === null;

  function chooseFile([first, ...others]: File[]) {
    if (first === undefined) return;
    setFile(first);
    if (others.length > 0) show(fill(words.oneFile, { name: first.name }), 'warning');
    form.setValue('documentType', typeOfFile(first, form.getValues('documentType')), { shouldDirty: true });
    if (form.getValues('title') === '') {
      form.setValue('title', titleOfFile(first.name, DOCUMENT_TITLE_MAX), { shouldDirty: true, shouldValidate: true });
    }
  }

  async function submit() {
    const right = await form.trigger(undefined, { shouldFocus: true });
    if (!right || problem !== null || needsFile || saving) return;
    setSaving(true);
    const saved = await save(form.getValues(), file);
    setSaving(false);
    if (saved) onClose();
  }

  return (
    <FormDialog
      title={document === null ? words.create : words.edit}
      mark={<LabelMark label={values.label} marked={document?.marked ?? true} />}
      width={720}
      dirty={isDirty || file !== null}
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Typography variant="caption" sx={{ color: 'text.secondary', flex: 1 }} role="status">
            {percent !== null && fill(words.sending, { name: file?.name ?? '', percent: Math.floor(percent) })}
            {percent === null && needsFile && words.needsFile}
          </Typography>
          {percent === null ? (
            <Button onClick={onClose}>{ui.cancel}</Button>
          ) : (
            <Button onClick={stop}>{words.cancelSending}</Button>
          )}
          <Button
            type="submit"
            variant="contained"
            color="primary"
            disabled={needsFile || problem !== null || saving || errors.title !== undefined}
          >
            {document === null ? words.submitCreate : words.submitUpdate}
          </Button>
        </>
      }
    >
      {percent !== null && (
        <LinearProgress variant="determinate" value={percent} aria-label={words.fields.file} sx={{ mb: 3 }} />
      )}
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 4 }}>
        {document === null && <FileField file={file} onFiles={chooseFile} onRemove={() => setFile(null)} />}
        <Field
          label={words.fields.title}
          required
          problem={errors.title?.message}
          {...inputOf(form.register('title', { validate: rule(documentTitle) }))}
        />
        <Field
          select
          required
          label={words.fields.documentType}
          value={values.documentType}
          onChange={(event) =>
            form.setValue('documentType', event.target.value as DocumentForm['documentType'], { shouldDirty: true })
          }
        >
          {documentTypes.map((type) => (
            <MenuItem key={type} value={type}>
              {texts.types[type]}
            </MenuItem>
          ))}
        </Field>
        <Field
          label={words.fields.description}
          problem={errors.description?.message}
          help={`${values.description.length} / ${DOCUMENT_DESCRIPTION_MAX}`}
          sx={{ gridColumn: { sm: '1 / -1' } }}
          {...inputOf(form.register('description', { validate: rule(documentDescription) }))}
        />
        <LabelField
          label={words.fields.label}
          value={values.label}
          labels={labelsFor(actor)}
          onChange={(label) => form.setValue('label', label, { shouldDirty: true })}
        />
        <VisibleTo {...readers} partial={document !== null && !isAdmin(actor)}>
          <GroupPicker
            groups={groups}
            label={values.label}
            value={{ everyone: values.everyone, usergroups: values.usergroups }}
            onChange={({ everyone, usergroups }) => {
              form.setValue('everyone', everyone, { shouldDirty: true });
              form.setValue('usergroups', usergroups, { shouldDirty: true });
            }}
            mayEveryone={isAdmin(actor)}
            demoFixed={document === null && groups.some(({ name }) => name === DEMO_GROUP)}
            problem={problem ?? undefined}
          />
        </VisibleTo>
        {needsReason && (
          <Field
            label={words.fields.reason}
            required
            multiline
            help={fill(words.reasonHelp, { minimum: REASON_MIN })}
            problem={errors.reason?.message}
            sx={{ gridColumn: { sm: '1 / -1' } }}
            slotProps={{ htmlInput: { maxLength: 500 } }}
            {...inputOf(
              form.register('reason', {
                validate: (value) =>
                  value.trim().length >= REASON_MIN || fill(words.reasonHelp, { minimum: REASON_MIN }),
              }),
            )}
          />
        )}
        <Field
          label={words.fields.platformName}
          slotProps={{ htmlInput: { maxLength: NAME_MAX } }}
          {...inputOf(form.register('platformName'))}
        />
        <Controller
          control={form.control}
          name="tags"
          render={({ field }) => (
            <TagsField
              label={words.fields.tags}
              help={words.tagsHelp}
              existing={existing}
              value={field.value}
              onChange={field.onChange}
            />
          )}
        />
        <LockField form={form} document={document} />
        <PlaceField form={form} document={document} />
      </Box>
    </FormDialog>
  );
}
