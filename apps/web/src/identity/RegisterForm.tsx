import { Button, Stack } from '@mui/material';
import { createUser, email, type NewUser, PASSWORD_MIN_CLIENT } from '@osprey/contract';
import { Controller, useForm } from 'react-hook-form';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { CountryPicker } from '../ui/fields/CountryPicker.tsx';
import { allCountries } from '../ui/fields/countries.ts';
import { Field } from '../ui/fields/Field.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { field, filled } from './form-fields.ts';
import { PasswordField } from './PasswordField.tsx';
import { texts } from './texts.ts';
import { useNameTaken } from './useNameTaken.ts';

type Props = { onDone: (username: string) => void; onBack: () => void };

const words = texts.register;
const empty: NewUser = {
  username: '',
  password: '',
  email: '',
  country: '',
  first_name: '',
  last_name: '',
  company: '',
};

const emailRule = (value: string) => email.safeParse(value.trim()).success || words.badEmail;
// An empty password is no error while typing; that it is required is checked on Register.
const passwordRule = (value: string) =>
  value.trim() === '' || value.trim().length >= PASSWORD_MIN_CLIENT || words.tooShort;

export function RegisterForm({ onDone, onBack }: Props) {
  const api = useApi();
  const { show } = useSnackbar();
  const form = useForm<NewUser>({ defaultValues: empty, mode: 'onChange' });
  const { errors, isSubmitting } = form.formState;
  const name = form.watch('username').trim();
  const taken = useNameTaken(name);

  const submit = form.handleSubmit(async (values) => {
    const body = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value.trim()])) as NewUser;
    try {
      const { username, disabled } = await api.call(createUser, { body });
      show(fill(disabled ? words.approval : words.done, { name: username }));
      onDone(username);
    } catch (error) {
      show(fill(words.failed, { name: body.username, text: errorText(error) }), 'error');
    }
  });

  const plain = (key: 'first_name' | 'last_name' | 'company', autoComplete: string) => (
    <Field
      label={words[key]}
      autoComplete={autoComplete}
      problem={errors[key]?.message}
      {...field(form.register(key, { validate: filled(texts.required[key]) }))}
    />
  );

  return (
    <Stack component="form" noValidate spacing={3} onSubmit={submit}>
      <Field
        label={texts.username}
        autoComplete="username"
        problem={taken ? fill(words.taken, { name }) : errors.username?.message}
        {...field(form.register('username', { validate: filled(texts.required.username) }))}
      />
      <Stack direction={{ xs: 'column', sm: 'row' }} spacing={3}>
        {plain('first_name', 'given-name')}
        {plain('last_name', 'family-name')}
      </Stack>
      <Field
        label={words.email}
        type="email"
        autoComplete="email"
        problem={errors.email?.message}
        {...field(form.register('email', { validate: { filled: filled(texts.required.email), shape: emailRule } }))}
      />
      <Controller
        control={form.control}
        name="country"
        rules={{ validate: filled(texts.required.country) }}
        render={({ field: { value, onChange, onBlur }, fieldState }) => (
          <CountryPicker
            label={words.country}
            countries={allCountries}
            value={allCountries.find((country) => country.name === value) ?? null}
            onChange={(country) => onChange(country?.name ?? '')}
            onBlur={onBlur}
            problem={fieldState.error?.message}
          />
        )}
      />
      <PasswordField
        label={texts.password}
        autoComplete="new-password"
        problem={errors.password?.message}
        {...field(form.register('password', { validate: { length: passwordRule, filled: filledOnSubmit } }))}
      />
      {plain('company', 'organization')}
      <Stack spacing={2} sx={{ pt: 2 }}>
        <Button type="submit" variant="contained" color="primary" disabled={taken || isSubmitting} sx={{ height: 40 }}>
          {words.submit}
        </Button>
        <Button onClick={onBack} sx={{ height: 40 }}>
          {words.back}
        </Button>
      </Stack>
    </Stack>
  );

  /** Allows an empty value while typing; it is required only when the form is submitted. */
  function filledOnSubmit(value: string) {
    return !form.formState.isSubmitting || value.trim() !== '' || texts.required.password;
  }
}
