import { getUpdates, type Updates, update } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

/** Polling interval in milliseconds, since copying a package into the folder causes no event. */
const REFRESH_MS = 30_000;
/** Polling interval while the server checks an archive or an update runs, in milliseconds. */
const BUSY_POLL_MS = 1000;

/** Returns the newer versions found by the server, and the running update. */
export function useUpdates() {
  const api = useApi();
  return useQuery({
    queryKey: ['updates'],
    queryFn: ({ signal }) => api.call(getUpdates, {}, { signal }),
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? BUSY_POLL_MS : REFRESH_MS),
  });
}

const isBusy = ({ packages, running }: Updates): boolean =>
  running !== null || packages.some(({ state }) => state === 'checking');

/** Returns a function that starts an update; the list shows its progress. */
export function useUpdate() {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [busy, setBusy] = useState(false);

  async function start(version: string) {
    setBusy(true);
    try {
      const { message } = await api.call(update, { query: { version } });
      show(message, 'info');
    } catch (error) {
      show(fill(texts.updates.updateFailed, { text: errorText(error) }), 'error');
    }
    setBusy(false);
    await queries.invalidateQueries({ queryKey: ['updates'] });
  }

  return { busy, start };
}
