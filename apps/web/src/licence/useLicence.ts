import { getLicenceFile, getLicenceInfo, infoEvent, uploadLicence } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { useServerEvent } from '../events/events.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

const infoKey = ['licence', 'info'] as const;

/**
 * Returns the validity of the licence, its holder and, for administrators, its limits. Read again when the licence
 * changes.
 */
export function useLicence() {
  const api = useApi();
  const queries = useQueryClient();
  const query = useQuery({ queryKey: infoKey, queryFn: ({ signal }) => api.call(getLicenceInfo, {}, { signal }) });
  useServerEvent(infoEvent, () => void queries.invalidateQueries({ queryKey: ['licence'] }));
  return { licence: query.data ?? null, failed: query.isError, again: () => void query.refetch() };
}

/** Reads the licence as a text, with its token. */
export function useLicenceFile() {
  const api = useApi();
  return useQuery({
    queryKey: ['licence', 'file'],
    queryFn: ({ signal }) => api.call(getLicenceFile, {}, { signal }),
  });
}

/** Returns a function that sends a licence file. `refusal`: reason why the last file was refused. */
export function useUploadLicence(onAccepted: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function upload(file: File) {
    const form = new FormData();
    form.append('license', file);
    setBusy(true);
    setRefusal(null);
    try {
      const { valid, message } = await api.call(uploadLicence, {}, { form });
      if (valid) {
        show(texts.done);
        await queries.invalidateQueries({ queryKey: ['licence'] });
        onAccepted();
      } else {
        show(texts.invalid, 'warning');
        setRefusal(fill(texts.reason, { reason: message }));
      }
    } catch (error) {
      show(fill(texts.failed, { text: errorText(error) }), 'error');
    } finally {
      setBusy(false);
    }
  }

  return { upload, busy, refusal };
}
