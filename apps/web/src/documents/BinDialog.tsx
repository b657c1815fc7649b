import { Button } from '@mui/material';
import { type DocumentRow, listDocumentBin, restoreDocuments } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { fill, plainText } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { DeletedList } from '../ui/DeletedList.tsx';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { HighestMark } from '../ui/label/HighestMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts as ui } from '../ui/texts.ts';
import { texts } from './texts.ts';

const words = texts.bin;

/** Documents deleted in the last 30 days, for admins: each can be restored. */
export function BinDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const bin = useQuery({
    queryKey: ['documents', 'bin'],
    queryFn: ({ signal }) => api.call(listDocumentBin, {}, { signal }),
  });

  const rows = bin.data ?? [];

  async function restore({ _id, title }: DocumentRow) {
    try {
      await api.call(restoreDocuments, { body: { documents: [_id] } });
      show(fill(texts.restored, { title: plainText(title) }));
    } catch (error) {
      show(errorText(error), 'error');
    }
    await queries.invalidateQueries({ queryKey: ['documents'] });
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
