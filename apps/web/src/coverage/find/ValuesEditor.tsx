import { Box, Button, Stack } from '@mui/material';
import { useState } from 'react';
import { Field } from '../../ui/fields/Field.tsx';
import { texts as ui } from '../../ui/texts.ts';

type ValueField<Value> = {
  label: string;
  /** Initial text of the field. */
  value: string;
  /** Parses the typed text; null if it is not valid. */
  read: (typed: string) => Value | null;
  wrong: string;
  isNumber?: boolean;
};

type Props<Value> = {
  fields: readonly ValueField<Value>[];
  help?: string;
  /** Returns an error that concerns all values together; null: none. */
  check?: (values: readonly Value[]) => string | null;
  onApply: (values: readonly Value[]) => void;
};

/** Editor for the one or two values of a filter, which are typed. */
export function ValuesEditor<Value>({ fields, help, check, onApply }: Props<Value>) {
  const [typed, setTyped] = useState(() => fields.map(({ value }) => value));
  const read = fields.map((field, at) => field.read(typed[at]!));
  const isComplete = read.every((value) => value !== null);
  const problem = isComplete ? (check?.(read as Value[]) ?? null) : null;
  const isGood = isComplete && problem === null;
  return (
    <Stack
      component="form"
      noValidate
      spacing={3}
      onSubmit={(event) => {
        event.preventDefault();
        if (isGood) onApply(read as Value[]);
      }}
      sx={{ width: 240 }}
    >
      {fields.map(({ label, wrong, isNumber }, at) => (
        <Field
          key={label}
          label={label}
          value={typed[at]!}
          autoFocus={at === 0}
          problem={typed[at] !== '' && read[at] === null ? wrong : undefined}
          onChange={(event) => setTyped(typed.with(at, event.target.value))}
          {...(isNumber && { slotProps: { htmlInput: { inputMode: 'decimal' } } })}
        />
      ))}
      <Box role="status" sx={{ fontSize: 12, color: 'text.secondary', '&:empty': { display: 'none' } }}>
        {problem ?? help}
      </Box>
      <Button type="submit" variant="contained" color="primary" disabled={!isGood} sx={{ alignSelf: 'flex-end' }}>
        {ui.filters.apply}
      </Button>
    </Stack>
  );
}
