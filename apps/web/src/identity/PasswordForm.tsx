import { Button, Divider, FormHelperText, Stack } from '@mui/material';
import type { Classification } from '@osprey/contract';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useSession } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { errorText, isCode } from '../base/transport-error.ts';
import { Field } from '../ui/fields/Field.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { CeilingChoice } from './CeilingChoice.tsx';
import { field, filled } from './form-fields.ts';
import { PasswordField } from './PasswordField.tsx';
import { texts } from './texts.ts';

type Props = {
  /** Initial username, set after registering. */
  username: string;
  /** Logs in with the password. Rejects with the server's refusal. */
  onPassword: (given: Given) => Promise<void>;
  onGuest: () => Promise<void>;
  /** Opens the page of the identity provider. */
  onSingleSignOn: () => void;
  /** Reason why the user has returned to the page without being logged in; null: none. */
  failedBefore: string | null;
  onRegister?: () => void;
  ceiling?: Classification | null;
  /** Called when the user chooses a ceiling. Left out: no ceiling is offered. */
  onCeiling?: (ceiling: Classification | null) => void;
};

export type Given = { username: string; password: string };

/** Form for name and password, with the other ways to log in: as guest, by registering, or by single sign-on. */
export function PasswordForm(props: Props) {
  const { username, onPassword, onGuest, onRegister, onSingleSignOn, failedBefore, ceiling = null, onCeiling } = props;
  const { info } = useSession();
  const { show } = useSnackbar();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<Given>({ defaultValues: { username, password: '' } });
  const { errors, isSubmitting } = form.formState;
  const mayRegister = onRegister !== undefined && info !== null && info.registration !== 'off';

  useEffect(() => form.setFocus(username === '' ? 'username' : 'password'), [form, username]);

  const submit = form.handleSubmit(async ({ username: name, password }) => {
    setFailure(null);
    try {
      await onPassword({ username: name.trim(), password: password.trim() });
    } catch (error) {
      const text = isCode(error, 'unauthorized') ? texts.login.failed : errorText(error);
      setFailure(text);
      show(text, 'error');
      form.setFocus('password');
    }
  });

  return (
    <Stack component="form" noValidate spacing={4} onSubmit={submit}>
      <Field
        label={texts.username}
        autoComplete="username"
        problem={errors.username?.message}
        {...field(form.register('username', { validate: filled(texts.required.username) }))}
      />
      <PasswordField
        label={texts.password}
        autoComplete="current-password"
        problem={errors.password?.message ?? failure ?? undefined}
        {...field(form.register('password', { validate: filled(texts.required.password) }))}
      />
      {onCeiling && <CeilingChoice value={ceiling} onChange={onCeiling} />}
      <Stack spacing={2}>
        <Button type="submit" variant="contained" color="primary" disabled={isSubmitting} sx={{ height: 40 }}>
          {texts.login.submit}
        </Button>
        {info?.singleSignOn && (
          <Button onClick={onSingleSignOn} sx={{ height: 40 }}>
            {fill(texts.login.singleSignOn, { name: info.singleSignOnName ?? '' })}
          </Button>
        )}
        {failedBefore !== null && (
          <FormHelperText error role="alert">
            {failedBefore}
          </FormHelperText>
        )}
        {mayRegister && (
          <Button onClick={onRegister} sx={{ height: 40 }}>
            {texts.login.register}
          </Button>
        )}
      </Stack>
      {info?.guest && (
        <>
          <Divider sx={{ color: 'text.secondary', fontSize: 12 }}>{texts.login.or}</Divider>
          <Button variant="text" onClick={() => void onGuest()}>
            {texts.login.guest}
          </Button>
        </>
      )}
    </Stack>
  );
}
