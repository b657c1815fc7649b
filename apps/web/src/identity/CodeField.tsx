import { Field, type FieldProps } from '../ui/fields/Field.tsx';
import { texts } from './second-factor-texts.ts';

/** Field for a code of the authenticator; browsers and phones can fill it in automatically. */
export function CodeField(props: FieldProps) {
  return (
    <Field
      label={texts.code}
      autoComplete="one-time-code"
      slotProps={{ htmlInput: { maxLength: 32, autoCapitalize: 'characters', spellCheck: false } }}
      {...props}
    />
  );
}
