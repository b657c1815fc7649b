import { Button, Stack, Typography } from '@mui/material';
import { confirmSecondFactor, offerSecondFactor, type SecondFactorOffer } from '@osprey/contract';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useApi } from '../api/api.ts';
import { errorText, isCode } from '../base/transport-error.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { AuthenticatorOffer } from './AuthenticatorOffer.tsx';
import { CodeField } from './CodeField.tsx';
import { field, filled } from './form-fields.ts';
import { PasswordField } from './PasswordField.tsx';
import { texts } from './second-factor-texts.ts';
import { texts as identity } from './texts.ts';

const words = texts.dialog;

/** Form that sets up the second factor: first the password, then the authenticator and its first code. */
export function SetUpSecondFactor({ onCodes }: { onCodes: (codes: readonly string[]) => Promise<void> }) {
  const api = useApi();
  const { show } = useSnackbar();
  const [offer, setOffer] = useState<SecondFactorOffer | null>(null);
  const form = useForm({ defaultValues: { password: '', code: '' } });
  const { errors, isSubmitting } = form.formState;

  const begin = async (password: string) => {
    try {
      setOffer(await api.call(offerSecondFactor, { body: { password } }));
    } catch (error) {
      const message = isCode(error, 'unauthorized') ? words.wrongPassword : errorText(error);
      form.setError('password', { message }, { shouldFocus: true });
    }
  };
  const confirm = async (code: string) => {
    try {
      const { recoveryCodes } = await api.call(confirmSecondFactor, { body: { code } });
      show(words.confirmed);
      await onCodes(recoveryCodes);
    } catch (error) {
      form.setError('code', { message: errorText(error) }, { shouldFocus: true });
    }
  };
  const submit = form.handleSubmit(({ password, code }) =>
    offer === null ? begin(password.trim()) : confirm(code.trim()),
  );

  return (
    <Stack component="form" noValidate spacing={4} onSubmit={submit}>
      {offer === null ? (
        <>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {words.off}
          </Typography>
          <PasswordField
            autoFocus
            label={identity.changePassword.old}
            autoComplete="current-password"
            problem={errors.password?.message}
            {...field(form.register('password', { validate: filled(identity.required.password) }))}
          />
        </>
      ) : (
        <>
          <AuthenticatorOffer offer={offer} />
          <CodeField
            autoFocus
            help={texts.firstCodeHelp}
            problem={errors.code?.message}
            {...field(form.register('code', { validate: filled(texts.codeRequired) }))}
          />
        </>
      )}
      <Button type="submit" variant="contained" color="primary" disabled={isSubmitting} sx={{ alignSelf: 'end' }}>
        {offer === null ? words.begin : words.confirm}
      </Button>
    </Stack>
  );
}
