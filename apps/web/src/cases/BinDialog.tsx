import { Button } from '@mui/material';
import { type CaseRow, restoreCases } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../api/api.ts';
import { fill, plainText } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { DeletedList } from '../ui/DeletedList.tsx';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { HighestMark } from '../ui/label/HighestMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts as ui } from '../ui/texts.ts';
import { texts } from './texts.ts';
import { useCaseBin } from './useCases.ts';

const words = texts.bin;

/** Cases deleted in the last 30 days, for admins: each can be restored. */
export function BinDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const { data, error } = useCaseBin();
  const rows = useMemo(
    () => data?.map((row) => ({ ...row, title: fill(texts.named, { number: row.number, name: row.name }) })),
    [data],
  );

  async function restore({ _id, name }: CaseRow) {
    try {
      await api.call(restoreCases, { body: { cases: [_id] } });
      show(fill(texts.restored.one, { names: plainText(name) }));
    } catch (failure) {
      show(errorText(failure), 'error');
    }
    await queries.invalidateQueries({ queryKey: ['cases'] });
  }

  return (
    <FormDialog
      title={words.title}
      mark={rows !== undefined && rows.length > 0 && <HighestMark items={rows} />}
      width={560}
      dirty={false}
      onClose={onClose}
      onSubmit={onClose}
      actions={<Button type="submit">{ui.close}</Button>}
    >
      <DeletedList bin={{ data: rows, error }} failed={words.failed} onRestore={(row) => void restore(row)} />
    </FormDialog>
  );
}
