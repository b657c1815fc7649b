import { Autocomplete, Box } from '@mui/material';
import { Flag } from '../Flag.tsx';
import type { Country } from './countries.ts';
import { Field } from './Field.tsx';

type Props = {
  label: string;
  countries: readonly Country[];
  value: Country | null;
  onChange: (country: Country | null) => void;
  problem?: string | undefined;
  onBlur?: () => void;
};

/** Picker for one country, by typing its name or code. */
export function CountryPicker({ label, countries, value, onChange, problem, onBlur }: Props) {
  return (
    <Autocomplete
      options={countries as Country[]}
      value={value}
      onChange={(_event, country) => onChange(country)}
      {...(onBlur && { onBlur })}
      getOptionLabel={({ name }) => name}
      getOptionKey={({ code }) => code}
      isOptionEqualToValue={(a, b) => a.code === b.code}
      autoHighlight
      renderOption={({ key, ...rest }, { code, name }) => (
        <Box component="li" key={key} {...rest} sx={{ display: 'flex', gap: 2 }}>
          <Flag code={code} /> {name}
        </Box>
      )}
      renderInput={(params) => <Field {...params} label={label} problem={problem} />}
    />
  );
}
