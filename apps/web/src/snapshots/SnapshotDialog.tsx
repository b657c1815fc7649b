import { Box, FormControlLabel, Switch, Typography } from '@mui/material';
import {
  classificationRank,
  DOCUMENT_DESCRIPTION_MAX,
  documentDescription,
  documentTitle,
  isAdmin,
} from '@osprey/contract';
import { type ReactNode, useEffect, useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useActor } from '../api/session.ts';
import { useReaders } from '../api/useReaders.ts';
import { useUsergroups } from '../api/useUsergroups.ts';
import { fill, formatClockMs, formatDate, plainText } from '../base/format.ts';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { Field } from '../ui/fields/Field.tsx';
import { GroupPicker } from '../ui/fields/GroupPicker.tsx';
import { LabelField } from '../ui/fields/LabelField.tsx';
import { inputOf, rule } from '../ui/fields/registered.ts';
import { audienceOf, labelsFor, type ShareFields, shareText } from '../ui/fields/sharing.ts';
import { TagsField } from '../ui/fields/TagsField.tsx';
import { VisibleTo } from '../ui/fields/VisibleTo.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import type { DrawnOver } from './capture.ts';
import { groupsOf, type SnapshotOf, shareOf, sourceFields, titleOf } from './moment.ts';
import { texts } from './texts.ts';
import { useTakeSnapshot } from './useTakeSnapshot.ts';
import { withOverlays } from './with-overlays.ts';

type Props = {
  /** The snapshot's content, captured when the dialog was opened, since playback may continue meanwhile. */
  of: SnapshotOf;
  onClose: () => void;
};

type Form = ShareFields & {
  title: string;
  description: string;
  tags: string[];
  restricted: boolean;
  overlays: boolean;
};

/** Width of the media column, and of the picture in it, in px (specification 2, section 9). */
const MEDIA_WIDTH = 180;
const PICTURE_WIDTH = 160;

/** Dialog with title, description, tags and rights of a snapshot, and a preview of it. */
export function SnapshotDialog(props: Props) {
  const groups = useUsergroups();
  // Waits for the user groups, since the default values depend on them.
  return groups.length === 0 ? null : <Dialog {...props} />;
}

function Dialog({ of, onClose }: Props) {
  const actor = useActor();
  const groups = useUsergroups();
  const takeSnapshot = useTakeSnapshot();
  const [saving, setSaving] = useState(false);
  const form = useForm<Form>({
    defaultValues: {
      ...{ title: titleOf(of.timeUs), description: '', tags: [], restricted: false, overlays: false },
      ...shareOf(of, actor, groups),
    },
    mode: 'onChange',
  });
  const values = form.watch();
  const { errors, isDirty } = form.formState;
  const problem = shareText(actor, values, groups);
  const readers = useReaders('document', values);
  const mayLock = isAdmin(actor) || actor.role === 'groupAdmin';
  const drawn = useWithOverlays(values.overlays ? of.overlays : null);
  const isWrong =
    (values.overlays && drawn.url === null) ||
    problem !== null ||
    errors.title !== undefined ||
    errors.description !== undefined;
  const lowest = classificationRank(of.rights.securityClassification);

  async function submit() {
    if (!(await form.trigger(undefined, { shouldFocus: true })) || isWrong || saving) return;
    setSaving(true);
    const { title, description, tags, restricted, label } = form.getValues();
    const made = await takeSnapshot({
      ...sourceFields(of),
      ...(drawn.url !== null && { overlaysDataUrl: drawn.url }),
      ...{ title: title.trim(), description: description.trim(), tags, restricted },
      securityClassification: label,
      ...audienceOf(form.getValues(), groups),
    });
    setSaving(false);
    if (made) onClose();
  }

  return (
    <FormDialog
      title={texts.create}
      mark={<LabelMark label={values.label} marked />}
      width={720}
      dirty={isDirty}
      onClose={onClose}
      onSubmit={() => void submit()}
      submitLabel={texts.submit}
      canSubmit={!isWrong && !saving}
    >
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: `${MEDIA_WIDTH}px 1fr` }, gap: 4 }}>
        <Preview of={of} drawn={drawn.url}>
          <FormControlLabel
            control={
              <Switch
                checked={values.overlays}
                disabled={of.overlays === null}
                onChange={(event) => form.setValue('overlays', event.target.checked, { shouldDirty: true })}
              />
            }
            label={texts.withOverlays}
          />
          <Box role={drawn.failed ? 'alert' : undefined} sx={{ color: drawn.failed ? 'error.main' : undefined }}>
            {overlaysText(of, drawn)}
          </Box>
        </Preview>
        <Box sx={{ display: 'grid', gap: 4, minWidth: 0 }}>
          <Field
            label={texts.fields.title}
            required
            problem={errors.title?.message}
            {...inputOf(form.register('title', { validate: rule(documentTitle) }))}
          />
          <Field
            label={texts.fields.description}
            problem={errors.description?.message}
            help={`${values.description.length} / ${DOCUMENT_DESCRIPTION_MAX}`}
            {...inputOf(form.register('description', { validate: rule(documentDescription) }))}
          />
          <Controller
            control={form.control}
            name="tags"
            render={({ field }) => (
              <TagsField
                label={texts.fields.tags}
                help={texts.tagsHelp}
                existing={[]}
                value={field.value}
                onChange={field.onChange}
              />
            )}
          />
          <LabelField
            label={texts.fields.label}
            value={values.label}
            labels={labelsFor(actor).filter((label) => classificationRank(label) >= lowest)}
            onChange={(label) => form.setValue('label', label, { shouldDirty: true })}
          />
          <VisibleTo {...readers} partial={false}>
            <GroupPicker
              groups={groupsOf(of, groups)}
              label={values.label}
              value={{ everyone: values.everyone, usergroups: values.usergroups }}
              onChange={({ everyone, usergroups }) => {
                form.setValue('everyone', everyone, { shouldDirty: true });
                form.setValue('usergroups', usergroups, { shouldDirty: true });
              }}
              mayEveryone={isAdmin(actor) && of.rights.audience === 'everyone'}
              demoFixed={false}
              problem={problem ?? undefined}
            />
          </VisibleTo>
          <Box>
            <FormControlLabel
              control={
                <Switch
                  checked={values.restricted}
                  disabled={!mayLock}
                  onChange={(event) => form.setValue('restricted', event.target.checked, { shouldDirty: true })}
                />
              }
              label={texts.locked}
            />
            {!mayLock && (
              <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
                {texts.lockForbidden}
              </Typography>
            )}
          </Box>
        </Box>
      </Box>
    </FormDialog>
  );
}

type Drawn = { url: string | null; failed: boolean };

const overlaysText = ({ overlays }: SnapshotOf, { failed }: Drawn): string => {
  if (failed) return texts.overlaysFailed;
  return overlays === null ? texts.noOverlays : texts.overlaysHelp;
};

/** Renders the picture with overlays once it is requested. */
function useWithOverlays(requested: DrawnOver | null): Drawn {
  const [drawn, setDrawn] = useState<Drawn>(nothingDrawn);
  useEffect(() => {
    if (requested === null) return;
    let ended = false;
    const done = (next: Drawn) => !ended && setDrawn(next);
    withOverlays(requested).then(
      (url) => done({ url, failed: false }),
      () => done({ url: null, failed: true }),
    );
    return () => {
      ended = true;
      setDrawn(nothingDrawn);
    };
  }, [requested]);
  return drawn;
}

const nothingDrawn: Drawn = { url: null, failed: false };

type PreviewProps = { of: SnapshotOf; drawn: string | null; children: ReactNode };

/** Preview of the picture on screen with its sensor and time, and of the picture with overlays below it. */
function Preview({ of: { picture, sensor, timeUs, missionId }, drawn, children }: PreviewProps) {
  return (
    <Box component="figure" sx={{ m: 0, width: { sm: MEDIA_WIDTH }, minWidth: 0 }}>
      {picture === null ? (
        <Box
          sx={{
            height: 90,
            width: PICTURE_WIDTH,
            display: 'grid',
            placeItems: 'center',
            border: 1,
            borderColor: 'divider',
          }}
        >
          <Typography variant="caption">{texts.noPicture}</Typography>
        </Box>
      ) : (
        <Box
          component="img"
          src={picture}
          alt={texts.preview}
          sx={{ width: { xs: '100%', sm: PICTURE_WIDTH }, height: 'auto', display: 'block', borderRadius: 1 }}
        />
      )}
      <Box component="figcaption" sx={{ mt: 2, fontSize: 12, color: 'text.secondary', overflowWrap: 'anywhere' }}>
        <Box sx={{ color: 'text.primary', fontWeight: 600 }}>{plainText(sensor.name)}</Box>
        <Box>{formatDate(timeUs)}</Box>
        <Box sx={{ fontVariantNumeric: 'tabular-nums' }}>{fill(texts.zulu, { clock: formatClockMs(timeUs) })}</Box>
        <Box sx={{ mt: 2 }}>{missionId === null ? texts.fromBrowser : texts.fromServer}</Box>
        {children}
      </Box>
      {drawn !== null && (
        <Box
          component="img"
          src={drawn}
          alt={texts.overlaysPreview}
          sx={{ width: { xs: '100%', sm: PICTURE_WIDTH }, height: 'auto', display: 'block', borderRadius: 1, mt: 2 }}
        />
      )}
    </Box>
  );
}
