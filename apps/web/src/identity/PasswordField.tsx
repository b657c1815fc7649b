import { mdiEyeOffOutline, mdiEyeOutline } from '@mdi/js';
import { InputAdornment } from '@mui/material';
import { useState } from 'react';
import { Action } from '../ui/Action.tsx';
import { Field, type FieldProps } from '../ui/fields/Field.tsx';
import { texts } from './texts.ts';

/** Field for a password, with a button that shows the password. */
export function PasswordField(props: FieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      slotProps={{
        input: {
          endAdornment: (
            <InputAdornment position="end">
              <Action
                label={shown ? texts.hidePassword : texts.showPassword}
                icon={shown ? mdiEyeOffOutline : mdiEyeOutline}
                onClick={() => setShown(!shown)}
                edge="end"
              />
            </InputAdornment>
          ),
        },
      }}
    />
  );
}
