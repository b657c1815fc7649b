import { mdiClose, mdiMapMarkerOutline } from '@mdi/js';
import { Box, Button, FormControlLabel, LinearProgress, MenuItem, Switch, Typography } from '@mui/material';
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
} from '@osprey/contract';
import { useState } from 'react';
import { Controller, type UseFormReturn, useForm, useFormState, useWatch } from 'react-hook-form';
import { useActor } from '../api/session.ts';
import { useReaders } from '../api/useReaders.ts';
import { useUsergroups } from '../api/useUsergroups.ts';
import { fill, formatSize } from '../base/format.ts';
import { Action } from '../ui/Action.tsx';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { Field } from '../ui/fields/Field.tsx';
import { FileDrop } from '../ui/fields/FileDrop.tsx';
import { GroupPicker } from '../ui/fields/GroupPicker.tsx';
import { LabelField } from '../ui/fields/LabelField.tsx';
import { inputOf, rule } from '../ui/fields/registered.ts';
import { isWidened, labelsFor, shareText } from '../ui/fields/sharing.ts';
import { TagsField } from '../ui/fields/TagsField.tsx';
import { VisibleTo } from '../ui/fields/VisibleTo.tsx';
import { Icon } from '../ui/Icon.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { texts as ui } from '../ui/texts.ts';
import { type DocumentForm, formOf, newForm, titleOfFile, typeOfFile } from './form.ts';
import { mayDo } from './rows.ts';
import { texts } from './texts.ts';
import { useDocumentTags } from './useDocuments.ts';
import { useSaveDocument } from './useSaveDocument.ts';

const AreaFilter = laterDialog(async () => (await import('./AreaFilter.tsx')).AreaFilter);

type Props = {
  /** Null: a new one. */
  document: DocumentRow | null;
  onClose: () => void;
};

const words = texts.dialog;

export function DocumentDialog(props: Props) {
  const groups = useUsergroups();
  // The defaults need the groups: Demo is ticked from the beginning.
  if (props.document === null && groups.length === 0) return null;
  return <Dialog {...props} />;
}

function Dialog({ document, onClose }: Props) {
  const known = useDocumentTags();
  const actor = useActor();
  const groups = useUsergroups();
  const form = useForm<DocumentForm>({
    defaultValues: document === null ? newForm(groups) : formOf(document),
    mode: 'onChange',
  });
  const [file, setFile] = useState<File | null>(null);
  const { save, percent, stop } = useSaveDocument(document, groups);
  const [saving, setSaving] = useState(false);
  const values = form.watch();
  const { errors, isDirty } = form.formState;
  const problem = document === null || isDirty ? shareText(actor, values, groups) : null;
  const needsReason = document !== null && isWidened(document, values, groups);
  const readers = useReaders('document', values);
  const needsFile = document === null && file === null;

  function take([first]: File[]) {
    if (first === undefined) return;
    setFile(first);
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
        {document === null && <FileField file={file} onFiles={take} onRemove={() => setFile(null)} />}
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
              known={known}
              value={field.value}
              onChange={field.onChange}
            />
          )}
        />
        <Lock form={form} document={document} />
        <Place form={form} document={document} />
      </Box>
    </FormDialog>
  );
}

type FileProps = { file: File | null; onFiles: (files: File[]) => void; onRemove: () => void };

function FileField({ file, onFiles, onRemove }: FileProps) {
  return (
    <Box sx={{ gridColumn: { sm: '1 / -1' }, display: 'grid', gap: 2 }}>
      {file === null ? (
        <FileDrop what={words.drop} name={texts.title} accept="" onFiles={onFiles} />
      ) : (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 }} data-part="file">
          <Box component="span" sx={{ fontWeight: 600, overflow: 'hidden', textOverflow: 'ellipsis' }}>
            {file.name}
          </Box>
          <Box component="span" sx={{ color: 'text.secondary', flex: 'none' }}>
            {formatSize(file.size)}
          </Box>
          <Action label={fill(words.removeFile, { name: file.name })} icon={mdiClose} onClick={onRemove} />
        </Box>
      )}
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        {words.dropHint} {words.searchHint}
      </Typography>
    </Box>
  );
}

type PartProps = { form: UseFormReturn<DocumentForm>; document: DocumentRow | null };

/** Only admin roles may set it on a new document, and accounts that administer all its groups on an existing one. */
function Lock({ form, document }: PartProps) {
  const actor = useActor();
  const [restricted, usergroups, everyone] = useWatch({
    control: form.control,
    name: ['restricted', 'usergroups', 'everyone'],
  });
  const isInside = !everyone && usergroups.length > 0 && usergroups.every((id) => actor.administered.includes(id));
  const mayNew = isAdmin(actor) || (actor.role === 'groupAdmin' && isInside);
  const may = document === null ? mayNew : mayDo(actor, 'document.lock', document);
  return (
    <Box>
      <FormControlLabel
        control={
          <Switch
            checked={restricted}
            disabled={!may}
            onChange={(event) => form.setValue('restricted', event.target.checked, { shouldDirty: true })}
          />
        }
        label={texts.locked}
      />
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        {may ? words.lockHint : words.lockForbidden}
      </Typography>
    </Box>
  );
}

function Place({ form, document }: PartProps) {
  const [drawing, setDrawing] = useState(false);
  const [geometry, label] = useWatch({ control: form.control, name: ['geometry', 'label'] });
  const { dirtyFields } = useFormState({ control: form.control });
  const isOfFile = document?.geometrySource === 'file' && !dirtyFields.geometry;
  const known = isOfFile ? words.placeFile : words.placeUser;
  return (
    <Box>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', fontWeight: 500, mb: 1 }}>
        {words.place}
      </Typography>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        <Button startIcon={<Icon path={mdiMapMarkerOutline} />} onClick={() => setDrawing(true)}>
          {words.placeShow}
        </Button>
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {geometry === null ? words.placeNone : `${known}: ${geometry.type}`}
        </Typography>
      </Box>
      {drawing && (
        <AreaFilter
          title={words.place}
          mark={<LabelMark label={label} marked={document?.marked ?? true} />}
          hint={words.placeHint}
          value={geometry?.type === 'Polygon' ? geometry : null}
          context={geometry?.type === 'Polygon' ? null : geometry}
          onApply={(area) => {
            form.setValue('geometry', area as DocumentForm['geometry'], { shouldDirty: true });
            setDrawing(false);
          }}
          onClose={() => setDrawing(false)}
        />
      )}
    </Box>
  );
}
