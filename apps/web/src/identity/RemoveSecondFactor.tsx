import { Button, Stack, Typography } from '@mui/material';
import { removeSecondFactor } from '@osprey/contract';
import { useForm } from 'react-hook-form';
import { useApi } from '../api/api.ts';
import { errorText, isCode } from '../base/transport-error.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { CodeField } from './CodeField.tsx';
import { field, filled } from './form-fields.ts';
import { PasswordField } from './PasswordField.tsx';
import { texts } from './second-factor-texts.ts';
import { texts as identity } from './texts.ts';

const words = texts.dialog;

type Props = { onRemoved: () => Promise<void>; onBack: () => void };

/** Form that removes the second factor, for which the password and a code are required. */
export function RemoveSecondFactor({ onRemoved, onBack }: Props) {
  const api = useApi();
  const { show } = useSnackbar();
  const form = useForm({ defaultValues: { password: '', code: '' } });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ password, code }) => {
    try {
      await api.call(removeSecondFactor, { body: { password: password.trim(), code: code.trim() } });
      show(words.removed);
      await onRemoved();
    } catch (error) {
      if (isCode(error, 'unauthorized')) {
        form.setError('password', { message: words.wrongPassword }, { shouldFocus: true });
      } else {
        form.setError('code', { message: errorText(error) }, { shouldFocus: true });
      }
    }
  });

  return (
    <Stack component="form" noValidate spacing={4} onSubmit={submit}>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {words.removeLead}
      </Typography>
      <PasswordField
        autoFocus
        label={identity.changePassword.old}
        autoComplete="current-password"
        problem={errors.password?.message}
        {...field(form.register('password', { validate: filled(identity.required.password) }))}
      />
      <CodeField
        help={texts.codeHelp}
        problem={errors.code?.message}
        {...field(form.register('code', { validate: filled(texts.codeRequired) }))}
      />
      <Stack direction="row" spacing={2} sx={{ justifyContent: 'end' }}>
        <Button onClick={onBack}>{texts.login.back}</Button>
        <Button type="submit" variant="contained" color="error" disabled={isSubmitting}>
          {words.remove}
        </Button>
      </Stack>
    </Stack>
  );
}
