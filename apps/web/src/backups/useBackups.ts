import { type Backup, backupsEvent, countBackups, createBackup, listBackups, verifyBackup } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { useServerEvent } from '../events/events.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

const key = ['backups'] as const;

/**
 * Reads the number of backups, the result of the last one, and the schedule; used by the backup page, the dashboard and
 * the notices.
 */
export function useBackupFacts(enabled = true) {
  const api = useApi();
  const queries = useQueryClient();
  useServerEvent(backupsEvent, () => void queries.invalidateQueries({ queryKey: key }));
  return useQuery({
    queryKey: [...key, 'facts'],
    queryFn: ({ signal }) => api.call(countBackups, {}, { signal }),
    enabled,
  });
}

export function useBackups() {
  const api = useApi();
  return useQuery({ queryKey: [...key, 'list'], queryFn: ({ signal }) => api.call(listBackups, {}, { signal }) });
}

/** Whether work on the backup is running or waiting to run. */
export const isBeingDone = ({ state }: Backup) => !['verified', 'incomplete', 'unverified', 'failed'].includes(state);

/** Returns functions that order work on backups. The outcome is shown in the list. */
export function useBackupOrders() {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const again = () => queries.invalidateQueries({ queryKey: key });

  return {
    async create() {
      try {
        const { name } = await api.call(createBackup, {});
        show(fill(texts.begun, { name }));
      } catch (error) {
        show(fill(texts.createFailed, { text: errorText(error) }), 'error');
      }
      await again();
    },
    async verify(name: string) {
      try {
        await api.call(verifyBackup, { params: { name } });
        show(fill(texts.verifying, { name }));
      } catch (error) {
        show(fill(texts.verifyFailed, { name, text: errorText(error) }), 'error');
      }
      await again();
    },
    again,
  };
}
