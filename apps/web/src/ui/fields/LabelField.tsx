import { MenuItem } from '@mui/material';
import type { Classification } from '@osprey/contract';
import { Field } from './Field.tsx';

type Props<Value> = {
  label: string;
  value: Value;
  /** Labels offered. */
  labels: readonly Classification[];
  onChange: (label: Value) => void;
  help?: string | undefined;
  /** Text of the empty value, if it is offered. */
  none?: string;
};

/** Field for the label of an item. */
export function LabelField<Value extends Classification | ''>(props: Props<Value>) {
  const { label, value, labels, onChange, help, none } = props;
  return (
    <Field
      select
      label={label}
      value={value}
      help={help}
      onChange={(event) => onChange(event.target.value as Value)}
      slotProps={{ select: { displayEmpty: none !== undefined } }}
    >
      {labels.map((one) => (
        <MenuItem key={one} value={one}>
          {one}
        </MenuItem>
      ))}
      {none !== undefined && <MenuItem value="">{none}</MenuItem>}
    </Field>
  );
}
