import { Box, Button, MenuItem, Stack, Typography } from '@mui/material';
import { createApiCredential, NAME_MAX } from '@osprey/contract';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { Field } from '../ui/fields/Field.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { field, filled } from './form-fields.ts';
import { texts } from './texts.ts';

const words = texts.apiCredentials;
const LIVES_DAYS = [7, 30, 90, 365];

type Made = { username: string; credential: string };

/** Form for the name and the lifetime of a new credential. Afterwards it shows the credential, only this once. */
export function NewApiCredential({ onMade }: { onMade: () => Promise<void> }) {
  const api = useApi();
  const [made, setMade] = useState<Made | null>(null);
  const form = useForm({ defaultValues: { name: '', days: 90 } });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ name, days }) => {
    try {
      setMade(await api.call(createApiCredential, { body: { name: name.trim(), days } }));
      form.reset();
      await onMade();
    } catch (error) {
      form.setError('name', { message: errorText(error) }, { shouldFocus: true });
    }
  });

  return (
    <Stack spacing={4}>
      <Stack
        component="form"
        noValidate
        onSubmit={submit}
        direction={{ xs: 'column', sm: 'row' }}
        spacing={3}
        sx={{ alignItems: { sm: 'start' } }}
      >
        <Field
          label={words.name}
          help={words.nameHelp}
          problem={errors.name?.message}
          slotProps={{ htmlInput: { maxLength: NAME_MAX } }}
          {...field(form.register('name', { validate: filled(words.nameRequired) }))}
        />
        <Controller
          control={form.control}
          name="days"
          render={({ field: { ref: _ref, ...days } }) => (
            <Field select label={words.ends} sx={{ width: { sm: 140 }, flex: 'none' }} {...days}>
              {LIVES_DAYS.map((count) => (
                <MenuItem key={count} value={count}>
                  {fill(words.days, { days: count })}
                </MenuItem>
              ))}
            </Field>
          )}
        />
        <Button
          type="submit"
          variant="contained"
          color="primary"
          disabled={isSubmitting}
          sx={{ '&&': { mt: { sm: 5.5 } }, flex: 'none' }}
        >
          {words.make}
        </Button>
      </Stack>
      {made && <SecretNotice made={made} />}
    </Stack>
  );
}

function SecretNotice({ made }: { made: Made }) {
  const { show } = useSnackbar();
  const copy = () =>
    navigator.clipboard.writeText(made.credential).then(
      () => show(words.copied),
      () => show(words.copyFailed, 'error'),
    );
  return (
    <Stack role="status" spacing={2} sx={{ p: 3, border: 1, borderColor: 'divider', borderRadius: 1 }}>
      <Typography variant="body2">{fill(words.made, { name: made.username })}</Typography>
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'center' }}>
        <Box
          component="code"
          aria-label={words.secret}
          sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere', fontFamily: 'monospace', userSelect: 'all' }}
        >
          {made.credential}
        </Box>
        <Button onClick={() => void copy()}>{words.copy}</Button>
      </Box>
    </Stack>
  );
}
