import { Box, FormControlLabel, MenuItem, Switch, Typography } from '@mui/material';
import { DESCRIPTION_MAX, isAdmin, NAME_MAX, platformTypes, type Usergroup } from '@osprey/contract';
import type { ReactNode } from 'react';
import { useActor } from '../../api/session.ts';
import { useReaders } from '../../api/useReaders.ts';
import { ColourField } from '../../ui/fields/ColourField.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { GroupPicker } from '../../ui/fields/GroupPicker.tsx';
import { LabelField } from '../../ui/fields/LabelField.tsx';
import { labelsFor } from '../../ui/fields/sharing.ts';
import { TagsField } from '../../ui/fields/TagsField.tsx';
import { VisibleTo } from '../../ui/fields/VisibleTo.tsx';
import { type PlatformForm, recordWith } from './platform-form.ts';
import { texts } from './texts.ts';

type Props = {
  form: PlatformForm;
  onChange: (change: Partial<PlatformForm>) => void;
  groups: readonly Usergroup[];
  problemOf: (path: string) => string | undefined;
  sharingProblem: string | undefined;
  needsReason: boolean;
};

const { fields, help, sections } = texts;
const windows = ['Mon-Fri 06:00-18:00', 'Mon-Sun 00:00-24:00'];
const priorities = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const pair = {
  display: 'grid',
  gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' },
  gap: 4,
  alignItems: 'start',
} as const;

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="section" aria-label={title} sx={{ display: 'grid', gap: 3 }}>
      <Typography variant="h3">{title}</Typography>
      {children}
    </Box>
  );
}

/** Fields for everything of a platform except its sensors. */
export function PlatformFields(props: Props) {
  return (
    <>
      <General {...props} />
      <Audience {...props} />
      <Recording {...props} />
    </>
  );
}

function General({ form, onChange, problemOf }: Props) {
  return (
    <Section title={sections.general}>
      <Box sx={pair}>
        <Field
          required
          label={fields.name}
          value={form.name}
          problem={problemOf('name')}
          onChange={(event) => onChange({ name: event.target.value })}
          slotProps={{ htmlInput: { maxLength: NAME_MAX } }}
        />
        <Field
          select
          label={fields.type}
          value={form.type}
          onChange={(event) => onChange({ type: event.target.value as PlatformForm['type'] })}
        >
          {platformTypes.map((type) => (
            <MenuItem key={type} value={type}>
              {type}
            </MenuItem>
          ))}
        </Field>
        <Field
          label={fields.description}
          value={form.description}
          multiline
          minRows={2}
          maxRows={6}
          onChange={(event) => onChange({ description: event.target.value })}
          slotProps={{ htmlInput: { maxLength: DESCRIPTION_MAX } }}
        />
        <ColourField
          label={fields.color}
          help={help.color}
          value={form.color}
          onChange={(color) => onChange({ color })}
        />
        <Field
          select
          label={fields.priority}
          help={help.priority}
          value={form.priority}
          onChange={(event) => onChange({ priority: Number(event.target.value) })}
        >
          {priorities.map((priority) => (
            <MenuItem key={priority} value={priority}>
              {priority}
            </MenuItem>
          ))}
        </Field>
        <Toggle
          label={fields.autostart}
          help={help.autostart}
          on={form.autostart}
          onChange={(autostart) => onChange({ autostart })}
        />
      </Box>
    </Section>
  );
}

function Audience({ form, onChange, groups, sharingProblem, needsReason, problemOf }: Props) {
  const actor = useActor();
  const readers = useReaders('platform', form);
  return (
    <Section title={sections.audience}>
      <Box sx={pair}>
        <LabelField
          label={fields.label}
          value={form.label}
          labels={labelsFor(actor)}
          onChange={(label) => onChange({ label })}
        />
        <VisibleTo {...readers}>
          <GroupPicker
            groups={groups}
            label={form.label}
            value={form}
            onChange={onChange}
            mayEveryone={isAdmin(actor)}
            demoFixed={false}
            problem={sharingProblem}
          />
        </VisibleTo>
      </Box>
      {needsReason && (
        <Field
          required
          multiline
          label={fields.reason}
          help={help.reason}
          value={form.reason}
          problem={problemOf('reason')}
          onChange={(event) => onChange({ reason: event.target.value })}
          slotProps={{ htmlInput: { maxLength: 500 } }}
        />
      )}
    </Section>
  );
}

function Recording({ form, onChange, problemOf }: Props) {
  const { record } = form;
  const change = (part: Partial<PlatformForm['record']>) => onChange({ record: recordWith(record, part) });
  return (
    <Section title={sections.record}>
      <Box sx={pair}>
        <Toggle
          label={fields.onPresence}
          help={help.onPresence}
          on={record.onPresence}
          onChange={(onPresence) => change({ onPresence })}
        />
        <Field
          type="number"
          label={fields.preRoll}
          help={help.preRoll}
          value={record.preRollSeconds}
          problem={problemOf('record.preRollSeconds')}
          onChange={(event) => change({ preRollSeconds: Math.trunc(Number(event.target.value)) || 0 })}
          slotProps={{ htmlInput: { min: 0, max: 300 } }}
        />
      </Box>
      <TagsField
        label={fields.schedule}
        help={help.schedule}
        existing={windows}
        value={record.schedule}
        problem={problemOf('record.schedule')}
        onChange={(schedule) => change({ schedule })}
      />
    </Section>
  );
}

type ToggleProps = { label: string; help: string; on: boolean; onChange: (on: boolean) => void };

function Toggle({ label, help: text, on, onChange }: ToggleProps) {
  return (
    <Box sx={{ pt: { xs: 0, sm: 5 } }}>
      <FormControlLabel
        control={<Switch checked={on} onChange={(event) => onChange(event.target.checked)} />}
        label={label}
        slotProps={{ typography: { variant: 'body2' } }}
      />
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mt: 0.5 }}>
        {text}
      </Typography>
    </Box>
  );
}
