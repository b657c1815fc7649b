import { mdiStar, mdiStarOutline } from '@mdi/js';
import { Box, Button, Rating, Typography } from '@mui/material';
import { DESCRIPTION_MAX, newMissionForm, RATING_MAX, REASON_MIN } from '@osprey/contract';
import { Controller, type UseFormReturn, useFormState, useWatch } from 'react-hook-form';
import { useTags } from '../../api/useTags.ts';
import { fill } from '../../base/format.ts';
import { CountryPicker } from '../../ui/fields/CountryPicker.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { inputOf } from '../../ui/fields/registered.ts';
import { TagsField } from '../../ui/fields/TagsField.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { texts as renaming } from '../rename/texts.ts';
import { typedSpaceAsDash } from '../typed-dash.ts';
import { useCountries } from '../useLookups.ts';
import { type MissionForm, nameRule } from './form.ts';
import { selectDefault } from './offers.ts';
import { SharingFields } from './SharingFields.tsx';
import { texts } from './texts.ts';
import type { Sharing } from './useSharing.ts';

type Props = {
  form: UseFormReturn<MissionForm>;
  editing: boolean;
  marked: boolean;
  /** Whether to show the rating; a running recording cannot be rated yet. */
  rated: boolean;
  nameTaken: boolean;
  sharing: Sharing;
  /** Null: the name is typed here. */
  onRename: (() => void) | null;
};

const words = texts.fields;

export function GeneralStep({ form, editing, marked, rated, nameTaken, sharing, onRename }: Props) {
  const existing = useTags();
  const { errors } = useFormState({ control: form.control });
  const name = useWatch({ control: form.control, name: 'name' });
  const nameInput = inputOf(form.register('name', { validate: (value) => editing || nameRule(value) }));

  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 4 }}>
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 2 }}>
        <Field
          label={words.name}
          required
          disabled={editing}
          problem={nameTaken ? fill(texts.nameTaken, { name }) : errors.name?.message}
          {...nameInput}
          {...(!editing && { onFocus: selectDefault })}
          onChange={(event) => {
            typedSpaceAsDash(event);
            return nameInput.onChange(event);
          }}
          sx={{ flex: 1 }}
        />
        {onRename && (
          <Button onClick={onRename} sx={{ mt: 5, flex: 'none' }}>
            {renaming.action}
          </Button>
        )}
      </Box>
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
        {...(!editing && { placeholder: newMissionForm.description })}
        slotProps={{ htmlInput: { maxLength: DESCRIPTION_MAX } }}
        {...inputOf(form.register('description'))}
      />
      <SharingFields form={form} sharing={sharing} marked={marked} isNew={!editing} />
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
            existing={existing}
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
