import { Button, Checkbox, FormControlLabel, FormHelperText, Stack } from '@mui/material';
import { AppError, runSetup } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useForm } from 'react-hook-form';
import { useApi } from '../api/api.ts';
import { useSession } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { TOUCH_SCREEN } from '../base/sizes.ts';
import { makeTourDue } from '../base/tour.ts';
import { errorText, isCode } from '../base/transport-error.ts';
import { Field } from '../ui/fields/Field.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { field, filled } from './form-fields.ts';
import { PasswordField } from './PasswordField.tsx';
import { texts } from './texts.ts';

type Props = {
  /** Set-up code from the link that the console shows; empty if the address contains none. */
  code: string;
  guestFixed: boolean;
  samplesPossible: boolean;
  passwordMin: number;
  onDone: () => void;
};

const words = texts.setup;

/** Form field in which each refusal of the server is shown. */
const refusedIn: Partial<Record<AppError['code'], 'code' | 'username' | 'password'>> = {
  wrongSetupCode: 'code',
  userNameTaken: 'username',
  passwordTooShort: 'password',
  passwordTooCommon: 'password',
};

/** Style of checkboxes below each other, each aligned with the first line of its text. */
const choice = {
  slotProps: { typography: { variant: 'body2' } },
  sx: { ml: -1, mr: 0, gap: 1, minHeight: 0, alignItems: 'flex-start', '& .MuiFormControlLabel-label': { pt: 0.5 } },
} as const;

export function SetupForm({ code, guestFixed, samplesPossible, passwordMin, onDone }: Props) {
  const api = useApi();
  const { adopt } = useSession();
  const { show } = useSnackbar();
  const queries = useQueryClient();
  const form = useForm({
    defaultValues: { code, username: 'admin', password: '', repeat: '', guests: true, samples: samplesPossible },
  });
  const { errors, isSubmitting } = form.formState;
  const takeCode = useEffectEvent((next: string) => form.setValue('code', next));
  useEffect(() => {
    if (code !== '') takeCode(code);
  }, [code]);
  const passwordHelp = fill(words.passwordHelp, { minimum: passwordMin });

  const submit = form.handleSubmit(async ({ repeat: _repeat, guests, samples, ...rest }) => {
    try {
      const body = {
        code: rest.code.trim(),
        username: rest.username.trim(),
        password: rest.password.trim(),
        samples: samples && samplesPossible,
        ...(guestFixed ? {} : { guests }),
      };
      const account = await api.call(runSetup, { body });
      await adopt(account);
      if (body.samples) makeTourDue(account.username);
      show(words.done);
      onDone();
    } catch (error) {
      const text = errorText(error);
      const refused = error instanceof AppError ? refusedIn[error.code] : undefined;
      form.setError(refused ?? 'root', { message: text }, { shouldFocus: true });
      // Another user has completed the set-up first, so the page then offers the login.
      if (isCode(error, 'alreadySetUp')) void queries.invalidateQueries({ queryKey: ['setup'] });
      show(text, 'error');
    }
  });

  return (
    <Stack component="form" noValidate spacing={3} onSubmit={submit}>
      <Field
        label={words.code}
        autoComplete="one-time-code"
        help={code === '' ? words.codeHelp : words.codeFromLink}
        problem={errors.code?.message}
        {...field(form.register('code', { validate: filled(texts.required.code) }))}
      />
      <Field
        label={texts.username}
        autoComplete="username"
        problem={errors.username?.message}
        {...field(form.register('username', { validate: filled(texts.required.username) }))}
      />
      <PasswordField
        label={texts.password}
        autoComplete="new-password"
        help={passwordHelp}
        problem={errors.password?.message}
        {...field(
          form.register('password', { validate: (value) => value.trim().length >= passwordMin || passwordHelp }),
        )}
      />
      <PasswordField
        label={words.repeat}
        autoComplete="new-password"
        problem={errors.repeat?.message}
        {...field(form.register('repeat', { validate: (value, all) => value === all.password || words.repeatWrong }))}
      />
      <Stack spacing={1}>
        {!guestFixed && (
          <div>
            <FormControlLabel
              control={<Checkbox defaultChecked {...checkbox(form.register('guests'))} />}
              label={words.guests}
              {...choice}
            />
          </div>
        )}
        <div>
          <FormControlLabel
            disabled={!samplesPossible}
            control={<Checkbox defaultChecked={samplesPossible} {...checkbox(form.register('samples'))} />}
            label={words.samples}
            {...choice}
          />
          {/* On a touch screen the box is higher than its line of text. */}
          <FormHelperText sx={{ ml: 6, [TOUCH_SCREEN]: { mt: -4 } }}>
            {samplesPossible ? words.samplesHelp : words.noSamples}
          </FormHelperText>
        </div>
      </Stack>
      {errors.root && <FormHelperText error>{errors.root.message}</FormHelperText>}
      <Button type="submit" variant="contained" color="primary" disabled={isSubmitting} sx={{ height: 40 }}>
        {words.submit}
      </Button>
    </Stack>
  );
}

/** Passes the form's `ref` to the input element inside the checkbox. */
function checkbox<Props extends { ref: (element: HTMLInputElement | null) => void; disabled?: boolean }>({
  ref,
  disabled: _disabled,
  ...rest
}: Props) {
  return { ...rest, slotProps: { input: { ref } } };
}
