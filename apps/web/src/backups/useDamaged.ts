import {
  acceptStoredLoss,
  type DamagedItem,
  listDamagedItems,
  restoreStoredItem,
  restoreStoredItems,
} from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { fill, formatCount } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

const words = texts.damaged;

/** Reads the damaged files; they are read again whenever the backups are. */
export function useDamaged() {
  const api = useApi();
  return useQuery({
    queryKey: ['backups', 'damaged'],
    queryFn: ({ signal }) => api.call(listDamagedItems, {}, { signal }),
  });
}

export function useDamagedOrders() {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const again = () => queries.invalidateQueries({ queryKey: ['backups'] });

  return {
    async restore({ _id, name }: DamagedItem) {
      try {
        await api.call(restoreStoredItem, { params: { id: _id } });
        show(fill(words.restoring, { name }));
      } catch (error) {
        show(fill(words.restoreFailed, { name, text: errorText(error) }), 'error');
      }
      await again();
    },
    /** Restores all files with a single request. */
    async restoreAll(files: readonly DamagedItem[]) {
      const count = formatCount(files.length, words.files);
      try {
        await api.call(restoreStoredItems, { body: { files: files.map(({ _id }) => _id) } });
        show(fill(words.restoringAll, { count }));
      } catch (error) {
        show(fill(words.restoreFailed, { name: count, text: errorText(error) }), 'error');
      }
      await again();
    },
    /** Accepts the loss of a file. Resolves to false after a failure, which has been reported to the user. */
    async accept({ _id, name }: DamagedItem, reason: string): Promise<boolean> {
      try {
        await api.call(acceptStoredLoss, { params: { id: _id }, body: { reason } });
        show(fill(words.accepted, { name }));
        return true;
      } catch (error) {
        show(fill(words.acceptFailed, { name, text: errorText(error) }), 'error');
        return false;
      } finally {
        await again();
      }
    },
  };
}
