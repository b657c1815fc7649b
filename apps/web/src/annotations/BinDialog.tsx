import { Button } from '@mui/material';
import { type AnnotationRow, restoreAnnotations } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { fill, plainText } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { DeletedList } from '../ui/DeletedList.tsx';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { HighestMark } from '../ui/label/HighestMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts as ui } from '../ui/texts.ts';
import { texts } from './texts.ts';
import { useAnnotationBin } from './useAnnotations.ts';

const words = texts.bin;

/** Annotations deleted in the last 30 days, for admins: each can be restored. */
export function BinDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const bin = useAnnotationBin();
  const rows = bin.data ?? [];

  async function restore({ _id, title }: AnnotationRow) {
    try {
      await api.call(restoreAnnotations, { body: { annotations: [_id] } });
      show(fill(texts.restored, { title: plainText(title) }));
    } catch (error) {
      show(errorText(error), 'error');
    }
    await queries.invalidateQueries({ queryKey: ['annotations'] });
  }

  return (
    <FormDialog
      title={words.title}
      mark={rows.length > 0 && <HighestMark items={rows} />}
      width={560}
      dirty={false}
      onClose={onClose}
      onSubmit={onClose}
      actions={<Button type="submit">{ui.close}</Button>}
    >
      <DeletedList bin={bin} failed={words.failed} onRestore={(row) => void restore(row)} />
    </FormDialog>
  );
}
