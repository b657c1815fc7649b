import { TextField, type TextFieldProps } from '@mui/material';
import type { Ref } from 'react';

export type FieldProps = Omit<TextFieldProps, 'error' | 'helperText' | 'variant'> & {
  /** Shown below in place of `help`; the field is marked as wrong. */
  problem?: string | undefined;
  help?: string | undefined;
  inputRef?: Ref<HTMLInputElement>;
};

/** A labelled text field: label above, help or what is wrong below. */
export function Field({ problem, help, ...rest }: FieldProps) {
  return <TextField fullWidth error={problem !== undefined} helperText={problem ?? help} {...rest} />;
}
