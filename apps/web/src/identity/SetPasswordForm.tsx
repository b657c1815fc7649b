import { mdiLinkOff } from '@mdi/js';
import { Button, Skeleton, Stack, Typography } from '@mui/material';
import { lookAtPasswordLink, PASSWORD_MIN_CLIENT, usePasswordLink as setByLink } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useApi } from '../api/api.ts';
import { fill, formatTime } from '../base/format.ts';
import { errorText, isCode } from '../base/transport-error.ts';
import { Field } from '../ui/fields/Field.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts as ui } from '../ui/texts.ts';
import { field } from './form-fields.ts';
import { PasswordField } from './PasswordField.tsx';
import { texts } from './texts.ts';

type Props = { token: string; onDone: (username: string) => void; onLogin: () => void };

const words = texts.setPassword;

/** Form that sets the password of the account for which a one-time link was created. */
export function SetPasswordForm({ token, onDone, onLogin }: Props) {
  const api = useApi();
  const { show } = useSnackbar();
  const form = useForm({ defaultValues: { password: '', repeat: '' } });
  const { errors, isSubmitting } = form.formState;
  const link = useQuery({
    queryKey: ['passwordLink', token],
    queryFn: ({ signal }) => api.call(lookAtPasswordLink, { body: { token } }, { signal }),
    // Never requested again automatically, since the server limits the number of requests.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

  const submit = form.handleSubmit(async ({ password }) => {
    try {
      const { username } = await api.call(setByLink, { body: { token, password: password.trim() } });
      show(words.done);
      onDone(username);
    } catch (error) {
      if (isCode(error, 'linkNotGood')) void link.refetch();
      form.setError('password', { message: errorText(error) }, { shouldFocus: true });
    }
  });

  if (link.isPending) return <Skeleton variant="rectangular" height={200} />;
  if (link.isError) {
    const isGone = isCode(link.error, 'linkNotGood') || isCode(link.error, 'invalid');
    return (
      <Notice
        failed
        icon={mdiLinkOff}
        title={isGone ? words.notGood : words.failed}
        text={isGone ? words.askAgain : errorText(link.error)}
      >
        {!isGone && <Button onClick={() => void link.refetch()}>{ui.tryAgain}</Button>}
        <Button onClick={onLogin}>{words.toLogin}</Button>
      </Notice>
    );
  }
  const { username, expires, passwordMin } = link.data;
  return (
    <Stack component="form" noValidate spacing={4} onSubmit={submit}>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {fill(words.lead, { expires: formatTime(expires) })}
      </Typography>
      <Field label={texts.username} value={username} disabled slotProps={{ htmlInput: { autoComplete: 'username' } }} />
      <PasswordField
        autoFocus
        label={words.password}
        autoComplete="new-password"
        help={fill(words.help, { minimum: passwordMin })}
        problem={errors.password?.message}
        {...field(
          form.register('password', {
            validate: (value) => value.trim().length >= PASSWORD_MIN_CLIENT || texts.register.tooShort,
          }),
        )}
      />
      <PasswordField
        label={words.repeat}
        autoComplete="new-password"
        problem={errors.repeat?.message}
        {...field(form.register('repeat', { validate: (value, all) => value === all.password || words.repeatWrong }))}
      />
      <Button type="submit" variant="contained" color="primary" disabled={isSubmitting} sx={{ height: 40 }}>
        {words.submit}
      </Button>
    </Stack>
  );
}
