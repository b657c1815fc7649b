import { Button } from '@mui/material';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../../base/transport-error.ts';
import { type Deleted, DeletedList } from '../DeletedList.tsx';
import { HighestMark } from '../label/HighestMark.tsx';
import { useSnackbar } from '../notice/Snackbar.tsx';
import { texts } from '../texts.ts';
import { FormDialog } from './FormDialog.tsx';

type Props<Row extends Deleted> = {
  title: string;
  bin: { data?: readonly Row[] | undefined; error: Error | null };
  /** Error message, in which {text} is replaced by the text of the error. */
  failed: string;
  /** Prefix of the keys of the queries that are reloaded. */
  queryKey: QueryKey;
  /** Restores a row; resolves to the message for success. */
  restore: (row: Row) => Promise<string>;
  onClose: () => void;
};

/** Dialog with the items of one kind that were deleted in the last 30 days, for admins; each can be restored. */
export function DeletedDialog<Row extends Deleted>({ title, bin, failed, queryKey, restore, onClose }: Props<Row>) {
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const rows = bin.data ?? [];

  async function restoreRow(row: Row) {
    try {
      show(await restore(row));
    } catch (error) {
      show(errorText(error), 'error');
    }
    await queries.invalidateQueries({ queryKey });
  }

  return (
    <FormDialog
      title={title}
      mark={rows.length > 0 && <HighestMark items={rows} />}
      width={560}
      dirty={false}
      onClose={onClose}
      onSubmit={onClose}
      actions={<Button type="submit">{texts.close}</Button>}
    >
      <DeletedList bin={bin} failed={failed} onRestore={(row) => void restoreRow(row)} />
    </FormDialog>
  );
}
