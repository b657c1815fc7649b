import { mdiStar, mdiStarOutline } from '@mdi/js';
import { Box, Rating, Typography } from '@mui/material';
import { DEMO_GROUP, DESCRIPTION_MAX, isAdmin, RATING_MAX, REASON_MIN } from '@osprey/contract';
import { Controller, type UseFormReturn, useFormState, useWatch } from 'react-hook-form';
import { useActor } from '../../api/session.ts';
import { useReaders } from '../../api/useReaders.ts';
import { useTags } from '../../api/useTags.ts';
import { fill } from '../../base/format.ts';
import { CountryPicker } from '../../ui/fields/CountryPicker.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { GroupPicker } from '../../ui/fields/GroupPicker.tsx';
import { LabelField } from '../../ui/fields/LabelField.tsx';
import { inputOf } from '../../ui/fields/registered.ts';
import { groupsFor, labelsFor } from '../../ui/fields/sharing.ts';
import { TagsField } from '../../ui/fields/TagsField.tsx';
import { VisibleTo } from '../../ui/fields/VisibleTo.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { typedSpaceAsDash } from '../typed-dash.ts';
import { useCountries } from '../useLookups.ts';
import { type MissionForm, nameRule } from './form.ts';
import { texts } from './texts.ts';
import type { Sharing } from './useSharing.ts';

type Props = {
  form: UseFormReturn<MissionForm>;
  editing: boolean;
  marked: boolean;
  /** A running recording has no rating yet. */
  rated: boolean;
  nameTaken: boolean;
  sharing: Sharing;
};

const words = texts.fields;

export function GeneralStep({ form, editing, marked, rated, nameTaken, sharing }: Props) {
  const known = useTags();
  const actor = useActor();
  const { errors } = useFormState({ control: form.control });
  const [name, label, everyone, usergroups] = useWatch({
    control: form.control,
    name: ['name', 'label', 'everyone', 'usergroups'],
  });
  const groups = groupsFor(actor, sharing.groups);
  const nameInput = inputOf(form.register('name', { validate: (value) => editing || nameRule(value) }));
  const readers = useReaders('mission', { label, everyone, usergroups });

  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 4 }}>
      <Field
        label={words.name}
        required
        disabled={editing}
        help={editing ? texts.help.nameFixed : undefined}
        problem={nameTaken ? fill(texts.nameTaken, { name }) : errors.name?.message}
        {...nameInput}
        onChange={(event) => {
          typedSpaceAsDash(event);
          return nameInput.onChange(event);
        }}
      />
      <Controller
        control={form.control}
        name="country"
        render={({ field }) => <Country value={field.value} onChange={field.onChange} />}
      />
      <Field
        label={words.description}
        multiline
        minRows={2}
        maxRows={6}
        problem={errors.description?.message}
        sx={{ gridColumn: { sm: '1 / -1' } }}
        slotProps={{ htmlInput: { maxLength: DESCRIPTION_MAX } }}
        {...inputOf(form.register('description'))}
      />
      <LabelField
        label={words.label}
        value={label}
        labels={labelsFor(actor)}
        help={marked ? undefined : texts.help.unmarked}
        onChange={(next) => form.setValue('label', next, { shouldDirty: true })}
      />
      <VisibleTo {...readers}>
        <GroupPicker
          groups={groups}
          label={label}
          value={{ everyone, usergroups }}
          onChange={(chosen) => {
            form.setValue('everyone', chosen.everyone, { shouldDirty: true });
            form.setValue('usergroups', chosen.usergroups, { shouldDirty: true });
          }}
          mayEveryone={isAdmin(actor)}
          demoFixed={isAdmin(actor) && groups.some(({ name: group }) => group === DEMO_GROUP) && !editing}
          problem={sharing.problem ?? undefined}
        />
      </VisibleTo>
      {sharing.needsReason && (
        <Field
          label={words.reason}
          required
          multiline
          help={`${texts.help.reasonFor} ${fill(texts.help.reason, { minimum: REASON_MIN })}`}
          problem={errors.reason?.message}
          sx={{ gridColumn: { sm: '1 / -1' } }}
          slotProps={{ htmlInput: { maxLength: 500 } }}
          {...inputOf(
            form.register('reason', {
              validate: (value) =>
                !sharing.needsReason ||
                value.trim().length >= REASON_MIN ||
                fill(texts.help.reason, { minimum: REASON_MIN }),
            }),
          )}
        />
      )}
      <Controller
        control={form.control}
        name="tags"
        render={({ field }) => (
          <TagsField
            label={words.tags}
            help={texts.help.tags}
            known={known}
            value={field.value}
            onChange={field.onChange}
          />
        )}
      />
      {rated && <RatingField form={form} />}
    </Box>
  );
}

function RatingField({ form }: Pick<Props, 'form'>) {
  return (
    <Controller
      control={form.control}
      name="rating"
      render={({ field }) => (
        <Box component="fieldset" sx={{ border: 0, p: 0, m: 0, minWidth: 0 }}>
          <Typography
            component="legend"
            variant="caption"
            sx={{ color: 'text.secondary', fontWeight: 500, p: 0, mb: 1 }}
          >
            {words.rating}
          </Typography>
          <Rating
            name="rating"
            max={RATING_MAX}
            value={field.value}
            onChange={(_event, value) => field.onChange(value ?? 0)}
            icon={<Icon path={mdiStar} />}
            emptyIcon={<Icon path={mdiStarOutline} />}
            emptyLabelText={texts.rating.clear}
            sx={{ color: 'primary.main' }}
          />
        </Box>
      )}
    />
  );
}

function Country({
  value,
  onChange,
}: {
  value: MissionForm['country'];
  onChange: (value: MissionForm['country']) => void;
}) {
  const countries = useCountries('all');
  return <CountryPicker label={words.country} countries={countries} value={value} onChange={onChange} />;
}
