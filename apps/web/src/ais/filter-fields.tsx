import { FormControlLabel, InputAdornment, MenuItem, TextField } from '@mui/material';
import { type AisSources, aisTypes } from '@osprey/contract';
import { useId, useState } from 'react';
import { type AisFilter, minutesOf } from './ais-filter.ts';
import { texts } from './texts.ts';

const words = texts.filters;

type FieldProps = { filter: AisFilter; onChange: (part: Partial<AisFilter>) => void };

export const TypeChoice = ({ filter, onChange }: FieldProps) => (
  <Choice
    label={words.type}
    value={filter.aisType}
    choices={aisTypes.map((id) => ({ id, name: words.types[id] }))}
    onChange={(type) => onChange({ aisType: aisTypes.find((one) => one === type) ?? 'vessels' })}
  />
);

/** Field to choose between the ships of one mission and those that are received now. */
export function MissionChoice({ filter, missions, onChange }: FieldProps & Pick<AisSources, 'missions'>) {
  // The chosen mission remains in the list even when it has no ships any more.
  const offered =
    filter.mission === null || missions.some(({ _id }) => _id === filter.mission?.id)
      ? missions
      : [...missions, { _id: filter.mission.id, name: filter.mission.name }];
  return (
    <Choice
      label={words.mission}
      value={filter.mission?.id ?? ''}
      choices={[{ id: '', name: words.noMission }, ...offered.map(({ _id, name }) => ({ id: _id, name }))]}
      onChange={(id) => {
        const chosen = offered.find(({ _id }) => _id === id);
        onChange({ mission: chosen ? { id: chosen._id, name: chosen.name } : null });
      }}
    />
  );
}

type ChoiceProps = {
  label: string;
  value: string;
  choices: readonly { id: string; name: string }[];
  onChange: (id: string) => void;
};

/** A label with a menu to choose one of several values. */
export function Choice({ label, value, choices, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <FormControlLabel
      label={label}
      labelPlacement="start"
      sx={{ m: 0, gap: 1.5, color: 'text.secondary' }}
      control={
        <TextField
          select
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          slotProps={{ select: { displayEmpty: true, SelectDisplayProps: { 'aria-label': label } } }}
          sx={{ minWidth: 90, maxWidth: 220 }}
        >
          {choices.map((choice) => (
            <MenuItem key={choice.id} value={choice.id}>
              {choice.name}
            </MenuItem>
          ))}
        </TextField>
      }
    />
  );
}

/** Field for a number of minutes. A typed text takes effect as soon as it is a number of at least 1. */
export function Minutes({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number;
  onChange: (value: number) => void;
}) {
  const [text, setText] = useState(String(value));
  const [existing, setExisting] = useState(value);
  if (existing !== value) {
    setExisting(value);
    if (minutesOf(text) !== value) setText(String(value));
  }
  const isWrong = minutesOf(text) === null;
  return (
    <FormControlLabel
      label={label}
      labelPlacement="start"
      sx={{ m: 0, gap: 1.5, color: 'text.secondary' }}
      control={
        <TextField
          value={text}
          sx={{ width: 104 }}
          error={isWrong}
          title={isWrong ? words.atLeast : ''}
          onChange={(event) => {
            setText(event.target.value);
            const typed = minutesOf(event.target.value);
            if (typed !== null) onChange(typed);
          }}
          onBlur={() => setText(String(value))}
          slotProps={{
            htmlInput: { inputMode: 'numeric', maxLength: 7, 'aria-label': label, 'aria-invalid': isWrong },
            input: { endAdornment: <InputAdornment position="end">{words.minutes}</InputAdornment> },
          }}
        />
      }
    />
  );
}
