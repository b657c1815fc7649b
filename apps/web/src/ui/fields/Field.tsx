import { TextField, type TextFieldProps } from '@mui/material';
import type { Ref } from 'react';

export type FieldProps = Omit<TextFieldProps, 'error' | 'helperText' | 'variant'> & {
  /** Error message, shown below instead of `help`; the field is marked as invalid. */
  problem?: string | undefined;
  help?: string | undefined;
  inputRef?: Ref<HTMLInputElement>;
};

/** Text field with its label above, and help or an error message below. */
export function Field({ problem, help, ...rest }: FieldProps) {
  return <TextField fullWidth error={problem !== undefined} helperText={problem ?? help} {...rest} />;
}
