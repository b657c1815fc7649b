import { Box, MenuItem } from '@mui/material';
import { NAME_MAX, platformTypes, SORT_ORDER_MAX } from '@osprey/contract';
import { useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { ColourField } from '../../ui/fields/ColourField.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { usePlatformTypes } from '../useLookups.ts';
import type { MissionForm } from './form.ts';
import { selectDefault } from './offers.ts';
import { texts } from './texts.ts';

const words = texts.fields;

/** Form step for the appearance of the platform on the map. */
export function PresentationStep({ form }: { form: UseFormReturn<MissionForm> }) {
  const existing = usePlatformTypes();
  const [platformName, platformType, color, sortOrder] = useWatch({
    control: form.control,
    name: ['platformName', 'platformType', 'color', 'sortOrder'],
  });
  const types = [...new Set([...(existing.length > 0 ? existing : platformTypes), platformType])];
  const set = <Key extends keyof MissionForm>(key: Key, value: MissionForm[Key]) =>
    form.setValue(key, value as never, { shouldDirty: true });

  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 4 }}>
      <Field
        label={words.platformName}
        value={platformName}
        onFocus={selectDefault}
        onChange={(event) => set('platformName', event.target.value)}
        slotProps={{ htmlInput: { maxLength: NAME_MAX } }}
      />
      <Field
        select
        label={words.platformType}
        value={platformType}
        onChange={(event) => set('platformType', event.target.value)}
      >
        {types.map((type) => (
          <MenuItem key={type} value={type}>
            {type}
          </MenuItem>
        ))}
      </Field>
      <ColourField
        label={words.color}
        help={texts.colourHelp}
        value={color}
        onChange={(value) => set('color', value)}
      />
      <SortOrder value={sortOrder} onChange={(value) => set('sortOrder', value)} />
    </Box>
  );
}

/**
 * Number field that keeps the typed text while it is edited, since incomplete input, such as a lone minus sign or an
 * empty field, would otherwise be replaced by a number.
 */
function SortOrder({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field
      label={words.sortOrder}
      type="number"
      value={typed ?? value}
      onChange={({ target }) => {
        setTyped(target.value);
        const whole = Math.trunc(Number(target.value)) || 0;
        onChange(Math.max(-SORT_ORDER_MAX, Math.min(SORT_ORDER_MAX, whole)));
      }}
      onBlur={() => setTyped(null)}
      help={texts.help.sortOrder}
      slotProps={{ htmlInput: { step: 1, min: -SORT_ORDER_MAX, max: SORT_ORDER_MAX } }}
    />
  );
}
