import { Box, Button, FormControlLabel, MenuItem, Switch, Typography } from '@mui/material';
import {
  type Annotation,
  type AnnotationFrame,
  classificationRank,
  DEMO_GROUP,
  DOCUMENT_DESCRIPTION_MAX,
  getMission,
  isAdmin,
  type Mission,
  REASON_MIN,
} from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api.ts';
import { useActor } from '../../api/session.ts';
import { useReaders } from '../../api/useReaders.ts';
import { useUsergroups } from '../../api/useUsergroups.ts';
import { fill, formatClockMs, formatDate, plainText } from '../../base/format.ts';
import { timeText } from '../../base/time-of.ts';
import { Field } from '../../ui/fields/Field.tsx';
import { GroupPicker } from '../../ui/fields/GroupPicker.tsx';
import { LabelField } from '../../ui/fields/LabelField.tsx';
import { labelsFor } from '../../ui/fields/sharing.ts';
import { TagsField } from '../../ui/fields/TagsField.tsx';
import { VisibleTo } from '../../ui/fields/VisibleTo.tsx';
import { type AnnotationForm, problemsOf } from '../form.ts';
import { missionTime, useOpenMission } from '../open-mission.ts';
import { mayDo } from '../rows.ts';
import { texts } from '../texts.ts';
import { useAnnotationTags } from '../useAnnotations.ts';

type Props = {
  form: AnnotationForm;
  /** The annotation to edit; null: a new one. */
  row: Annotation | null;
  readOnly: boolean;
  /** Reason why the annotation cannot be shared in this way; null if it can. */
  problem: string | null;
  needsReason: boolean;
  onChange: (change: Partial<AnnotationForm>) => void;
};

const words = texts.dialog;
const wide = { gridColumn: { sm: '1 / -1' } } as const;
/** Initial time span, in microseconds. */
const SPAN_US = 60_000_000;

/** Tab with title, label, audience and mission. */
export function GeneralTab({ form, row, readOnly, problem, needsReason, onChange }: Props) {
  const actor = useActor();
  const groups = useUsergroups();
  const existing = useAnnotationTags();
  const readers = useReaders('annotation', form);
  const problems = problemsOf(form);
  // Errors of a new annotation are not shown until something has been typed.
  const untouched = row === null && form.title === '';
  const mission = useFloor(form.missionId);
  const labels = labelsFor(actor).filter(
    (label) => mission === null || classificationRank(label) >= classificationRank(mission.securityClassification),
  );
  const shownGroups =
    mission === null || mission.audience === 'everyone'
      ? groups
      : groups.filter(({ _id }) => mission.usergroups.includes(_id));

  return (
    <Box
      component="fieldset"
      disabled={readOnly}
      sx={{
        border: 0,
        m: 0,
        p: 0,
        minWidth: 0,
        maxWidth: 860,
        display: 'grid',
        gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' },
        gap: 4,
      }}
    >
      <Field
        label={words.fields.title}
        required
        disabled={readOnly}
        value={form.title}
        problem={untouched ? undefined : problems.title}
        onChange={(event) => onChange({ title: event.target.value })}
      />
      <Field select required label={words.fields.annotationType} value="GeoJson" disabled={readOnly}>
        <MenuItem value="GeoJson">{words.type}</MenuItem>
      </Field>
      <Field
        label={words.fields.description}
        disabled={readOnly}
        value={form.description}
        problem={problems.description}
        help={`${form.description.length} / ${DOCUMENT_DESCRIPTION_MAX}`}
        onChange={(event) => onChange({ description: event.target.value })}
        sx={wide}
      />
      <LabelField
        label={words.fields.label}
        value={form.label}
        labels={labels}
        onChange={(label) => onChange({ label })}
      />
      <VisibleTo {...readers} partial={row !== null && !isAdmin(actor)}>
        <GroupPicker
          groups={shownGroups}
          label={form.label}
          value={{ everyone: form.everyone, usergroups: form.usergroups }}
          onChange={({ everyone, usergroups }) => onChange({ everyone, usergroups })}
          mayEveryone={isAdmin(actor) && (mission === null || mission.audience === 'everyone')}
          demoFixed={row === null && mission === null && groups.some(({ name }) => name === DEMO_GROUP)}
          problem={problem ?? undefined}
        />
      </VisibleTo>
      {needsReason && (
        <Field
          label={words.fields.reason}
          required
          multiline
          value={form.reason}
          help={fill(words.reasonHelp, { minimum: REASON_MIN })}
          onChange={(event) => onChange({ reason: event.target.value })}
          slotProps={{ htmlInput: { maxLength: 500 } }}
          sx={wide}
        />
      )}
      <TagsField
        label={words.fields.tags}
        help={words.tagsHelp}
        existing={existing}
        value={form.tags}
        onChange={(tags) => onChange({ tags })}
      />
      <Lock form={form} row={row} readOnly={readOnly} onChange={onChange} />
      <MissionFields form={form} row={row} readOnly={readOnly} floor={mission} onChange={onChange} />
    </Box>
  );
}

/**
 * Returns the mission of an annotation, whose label and audience limit those of the annotation; null if it has no
 * mission.
 */
function useFloor(missionId: string | null) {
  const api = useApi();
  const open = useOpenMission();
  const read = useQuery({
    queryKey: ['annotations', 'mission', missionId],
    queryFn: ({ signal }) => api.call(getMission, { params: { mission: missionId! } }, { signal }),
    enabled: missionId !== null && missionId !== open?._id,
  });
  if (missionId === null) return null;
  return missionId === open?._id ? open : (read.data ?? null);
}

type PartProps = Pick<Props, 'form' | 'row' | 'readOnly' | 'onChange'>;

function Lock({ form, row, readOnly, onChange }: PartProps) {
  const actor = useActor();
  const { everyone, usergroups } = form;
  const isInside = !everyone && usergroups.length > 0 && usergroups.every((id) => actor.administered.includes(id));
  const mayNew = isAdmin(actor) || (actor.role === 'groupAdmin' && isInside);
  const may = !readOnly && (row === null ? mayNew : mayDo(actor, 'annotation.lock', row));
  return (
    <Box>
      <FormControlLabel
        control={
          <Switch
            checked={form.restricted}
            disabled={!may}
            onChange={(event) => onChange({ restricted: event.target.checked })}
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

type MissionProps = PartProps & { floor: ReturnType<typeof useFloor> };

/** Fields for the mission of an annotation, and for its time span. */
function MissionFields({ form, row, readOnly, floor, onChange }: MissionProps) {
  const open = useOpenMission();
  const problems = problemsOf(form);
  const choices = [open, floor].filter(
    (one, index, all) => one !== null && all.findIndex((other) => other?._id === one._id) === index,
  );

  function time(timed: boolean) {
    const now = missionTime.now() ?? floor?.startTime ?? null;
    const isFirst = timed && form.start === '' && form.end === '';
    onChange({ timed, ...(isFirst && now !== null && { start: timeText(now), end: timeText(now + SPAN_US) }) });
  }

  if (choices.length === 0 && form.missionId === null) return null;
  return (
    <Box sx={{ ...wide, display: 'grid', gridTemplateColumns: 'subgrid', gap: 4 }}>
      <Field
        select
        label={words.fields.mission}
        value={form.missionId ?? ''}
        disabled={readOnly || row !== null}
        sx={wide}
        onChange={(event) => {
          const chosen = choices.find((one) => one?._id === event.target.value) ?? null;
          onChange({
            missionId: chosen?._id ?? null,
            ...(chosen === null
              ? { timed: false }
              : {
                  label: chosen.securityClassification,
                  everyone: chosen.audience === 'everyone',
                  usergroups: chosen.usergroups,
                }),
          });
        }}
        help={
          form.missionId !== null && floor !== null
            ? fill(words.floor, { mission: plainText(floor.name), label: floor.securityClassification })
            : undefined
        }
      >
        <MenuItem value="">{words.noMission}</MenuItem>
        {choices.map((one) => (
          <MenuItem key={one!._id} value={one!._id}>
            {fill(words.missionOf, { name: plainText(one!.name) })}
          </MenuItem>
        ))}
      </Field>
      {form.missionId !== null && form.frame !== null && (
        <DrawnOn frame={form.frame} state={row?.frame?.state ?? 'shown'} mission={floor} />
      )}
      {form.missionId !== null && (
        <FormControlLabel
          sx={wide}
          control={<Switch checked={form.timed} disabled={readOnly} onChange={(event) => time(event.target.checked)} />}
          label={words.timed}
        />
      )}
      {form.missionId !== null &&
        form.timed &&
        (['start', 'end'] as const).map((end) => (
          <Box key={end}>
            <Field
              label={words.fields[end]}
              value={form[end]}
              disabled={readOnly}
              help={words.spanHelp}
              problem={problems[end]}
              onChange={(event) => onChange({ [end]: event.target.value })}
              slotProps={{ htmlInput: { maxLength: 30 } }}
            />
            {missionTime.now() !== null && !readOnly && (
              <Button variant="text" onClick={() => onChange({ [end]: timeText(missionTime.now()) })}>
                {words.takeStart}
              </Button>
            )}
          </Box>
        ))}
    </Box>
  );
}

type DrawnOnProps = {
  frame: NonNullable<AnnotationForm['frame']>;
  state: AnnotationFrame['state'];
  mission: Mission | null;
};

/** Shows on which picture the annotation was drawn. */
function DrawnOn({ frame: { sensorId, time }, state, mission }: DrawnOnProps) {
  const sensor = mission?.sensors.find(({ _id }) => _id === sensorId);
  const isGone = state === 'gone' || sensor === undefined;
  return (
    <Typography variant="body2" sx={wide}>
      {fill(isGone ? words.drawnOnGone : words.drawnOn, {
        sensor: plainText(sensor?.name ?? ''),
        time: `${formatDate(time)}, ${formatClockMs(time)}`,
      })}
    </Typography>
  );
}
