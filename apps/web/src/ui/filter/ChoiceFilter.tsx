import { Autocomplete, Box, Checkbox } from '@mui/material';
import { Flag } from '../Flag.tsx';
import { Field } from '../fields/Field.tsx';
import { texts } from '../texts.ts';

export type Choice = { id: string; name: string; flag?: string };

type Props = {
  label: string;
  choices: readonly Choice[];
  value: readonly string[];
  onChange: (ids: string[]) => void;
  /** Accepts typed text that is not in the list (tags). */
  free?: boolean;
  /** Called when Escape is pressed. */
  onDone: () => void;
};

/** Picker for several entries of a list. */
export function ChoiceFilter({ label, choices, value, onChange, free = false, onDone }: Props) {
  const existing = new Map(choices.map((choice) => [choice.id, choice]));
  const chosen = value.map((id) => existing.get(id) ?? { id, name: id });
  return (
    <Autocomplete
      multiple
      open
      freeSolo={free}
      disableCloseOnSelect
      disablePortal
      clearOnBlur={false}
      options={choices as Choice[]}
      value={chosen}
      getOptionLabel={(choice) => (typeof choice === 'string' ? choice : choice.name)}
      getOptionKey={(choice) => (typeof choice === 'string' ? choice : choice.id)}
      isOptionEqualToValue={(a, b) => typeof b !== 'string' && a.id === b.id}
      onClose={(_event, reason) => {
        if (reason === 'escape') onDone();
      }}
      noOptionsText={texts.filters.none}
      onChange={(_event, picked) =>
        onChange([...new Set(picked.map((one) => (typeof one === 'string' ? one.trim() : one.id)))].filter((id) => id))
      }
      renderOption={({ key, ...rest }, choice, { selected }) => (
        <Box component="li" key={key} {...rest} sx={{ '&&': { gap: 2, py: 0.5, px: 2 } }}>
          <Checkbox checked={selected} tabIndex={-1} aria-hidden="true" />
          {choice.flag !== undefined && <Flag code={choice.flag} />}
          {choice.name}
        </Box>
      )}
      renderInput={(params) => <Field {...params} label={label} autoFocus />}
      slotProps={{
        popper: { sx: { position: 'static !important', transform: 'none !important', width: '100% !important' } },
        paper: { sx: { bgcolor: 'transparent', mt: 2 } },
        listbox: { sx: { maxHeight: 260, p: 0 } },
      }}
      sx={{ width: 300 }}
    />
  );
}
