import { Button, Skeleton, Stack, Typography } from '@mui/material';
import { offerSecondFactorAtLogin } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useApi } from '../api/api.ts';
import { errorText } from '../base/transport-error.ts';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { AuthenticatorOffer } from './AuthenticatorOffer.tsx';
import { CodeField } from './CodeField.tsx';
import { field, filled } from './form-fields.ts';
import { texts } from './second-factor-texts.ts';

type Props = {
  given: { username: string; password: string };
  /** True if the role requires a second factor, but the account has none yet. */
  setUp: boolean;
  /** Logs in with the code. Rejects with the server's refusal. */
  onCode: (code: string) => Promise<void>;
  onBack: () => void;
};

/**
 * Second step of the login: asks for the code. If the account has no second factor yet, it first sets up the
 * authenticator.
 */
export function LoginSecondStep({ given, setUp, onCode, onBack }: Props) {
  const api = useApi();
  const form = useForm({ defaultValues: { code: '' } });
  const { errors, isSubmitting } = form.formState;
  const offer = useQuery({
    queryKey: ['login', 'second-factor', given.username],
    queryFn: () => api.call(offerSecondFactorAtLogin, { body: given }),
    enabled: setUp,
    // Never requested again automatically, since each request creates another key.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });

  const submit = form.handleSubmit(async ({ code }) => {
    try {
      await onCode(code.trim());
    } catch (error) {
      form.setError('code', { message: errorText(error) }, { shouldFocus: true });
    }
  });

  return (
    <Stack component="form" noValidate spacing={4} onSubmit={submit}>
      <Typography variant="body2">{setUp ? texts.login.setUpLead : texts.login.lead}</Typography>
      {setUp && offer.isPending && <Skeleton variant="rectangular" height={280} />}
      {offer.isError && <FailedNotice title={texts.offer.failed} error={offer.error} onRetry={offer.refetch} />}
      {offer.data && <AuthenticatorOffer offer={offer.data} />}
      <CodeField
        autoFocus
        help={setUp ? texts.firstCodeHelp : texts.codeHelp}
        problem={errors.code?.message}
        {...field(form.register('code', { validate: filled(texts.codeRequired) }))}
      />
      <Stack spacing={2}>
        <Button type="submit" variant="contained" color="primary" disabled={isSubmitting} sx={{ height: 40 }}>
          {setUp ? texts.login.confirm : texts.login.submit}
        </Button>
        <Button onClick={onBack} sx={{ height: 40 }}>
          {texts.login.back}
        </Button>
      </Stack>
    </Stack>
  );
}
