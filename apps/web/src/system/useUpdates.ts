import { getUpdates, type Updates, update } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

/** Packages are copied into their folder without an event. */
const REFRESH_MS = 30_000;
/** While the server reads an archive. */
const SOON_MS = 1000;

/** Newer versions, as the server finds them, and the update that runs. */
export function useUpdates() {
  const api = useApi();
  return useQuery({
    queryKey: ['updates'],
    queryFn: ({ signal }) => api.call(getUpdates, {}, { signal }),
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? SOON_MS : REFRESH_MS),
  });
}

const isBusy = ({ packages, running }: Updates): boolean =>
  running !== null || packages.some(({ state }) => state === 'checking');

/** Starts an update; the list shows how it goes on. */
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
