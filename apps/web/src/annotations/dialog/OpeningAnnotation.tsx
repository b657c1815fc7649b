import { Box } from '@mui/material';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { texts } from '../texts.ts';

const words = texts.dialog;

/** Shown in place of the dialog while an annotation is being read, or if it could not be read. */
export function OpeningAnnotation({ error, onClose }: { error: Error | null; onClose: () => void }) {
  return (
    <FormDialog title={words.edit} width={480} dirty={false} onClose={onClose} onSubmit={onClose} submitLabel={null}>
      {error ? (
        <Box role="alert">{fill(words.readFailed, { text: errorText(error) })}</Box>
      ) : (
        <Box role="status">{words.reading}</Box>
      )}
    </FormDialog>
  );
}
