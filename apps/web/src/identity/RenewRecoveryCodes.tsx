import { Button, Stack, Typography } from '@mui/material';
import { renewRecoveryCodes } from '@osprey/contract';
import { useForm } from 'react-hook-form';
import { useApi } from '../api/api.ts';
import { errorText } from '../base/transport-error.ts';
import { CodeField } from './CodeField.tsx';
import { field, filled } from './form-fields.ts';
import { texts } from './second-factor-texts.ts';

type Props = { onCodes: (codes: readonly string[]) => Promise<void>; onBack: () => void };

/** Form that creates ten new recovery codes, for which a code of the authenticator is required. */
export function RenewRecoveryCodes({ onCodes, onBack }: Props) {
  const api = useApi();
  const form = useForm({ defaultValues: { code: '' } });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ code }) => {
    try {
      const { recoveryCodes } = await api.call(renewRecoveryCodes, { body: { code: code.trim() } });
      await onCodes(recoveryCodes);
      onBack();
    } catch (error) {
      form.setError('code', { message: errorText(error) }, { shouldFocus: true });
    }
  });

  return (
    <Stack component="form" noValidate spacing={4} onSubmit={submit}>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {texts.dialog.renewLead}
      </Typography>
      <CodeField
        autoFocus
        help={texts.codeHelp}
        problem={errors.code?.message}
        {...field(form.register('code', { validate: filled(texts.codeRequired) }))}
      />
      <Stack direction="row" spacing={2} sx={{ justifyContent: 'end' }}>
        <Button onClick={onBack}>{texts.login.back}</Button>
        <Button type="submit" variant="contained" color="primary" disabled={isSubmitting}>
          {texts.dialog.renew}
        </Button>
      </Stack>
    </Stack>
  );
}
