import { Stack } from '@mui/material';
import { changeOwnPassword, PASSWORD_MIN_CLIENT } from '@osprey/contract';
import { useForm } from 'react-hook-form';
import { useApi } from '../api/api.ts';
import { useSession } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { errorText, isCode } from '../base/transport-error.ts';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { field, filled } from './form-fields.ts';
import { PasswordField } from './PasswordField.tsx';
import { texts } from './texts.ts';

const words = texts.changePassword;

export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const { info } = useSession();
  const { show } = useSnackbar();
  const form = useForm({ defaultValues: { old: '', new: '', repeat: '' } });
  const { errors, isDirty, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async (values) => {
    try {
      await api.call(changeOwnPassword, { body: { oldPassword: values.old.trim(), newPassword: values.new.trim() } });
      show(words.done);
      onClose();
    } catch (error) {
      if (isCode(error, 'unauthorized')) form.setError('old', { message: words.wrongOld }, { shouldFocus: true });
      else form.setError('new', { message: errorText(error) }, { shouldFocus: true });
    }
  });

  return (
    <FormDialog
      title={words.title}
      dirty={isDirty}
      onClose={onClose}
      onSubmit={() => void submit()}
      submitLabel={words.submit}
      canSubmit={!isSubmitting}
    >
      <Stack spacing={4}>
        <PasswordField
          autoFocus
          label={words.old}
          autoComplete="current-password"
          problem={errors.old?.message}
          {...field(form.register('old', { validate: filled(texts.required.password) }))}
        />
        <PasswordField
          label={words.new}
          autoComplete="new-password"
          help={fill(words.help, { minimum: info?.passwordMin ?? PASSWORD_MIN_CLIENT })}
          problem={errors.new?.message}
          {...field(
            form.register('new', {
              validate: (value) => value.trim().length >= PASSWORD_MIN_CLIENT || texts.register.tooShort,
            }),
          )}
        />
        <PasswordField
          label={words.repeat}
          autoComplete="new-password"
          problem={errors.repeat?.message}
          {...field(form.register('repeat', { validate: (value, all) => value === all.new || words.repeatWrong }))}
        />
      </Stack>
    </FormDialog>
  );
}
