import { createPlatform, type PlatformConfig, updatePlatform } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api.ts';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { useAlert } from '../../ui/dialog/AlertDialog.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

/**
 * Returns a function that adds a platform, or changes the one with the given id, and returns whether that succeeded.
 */
export function useSavePlatform(before: { id: string; revision: string } | null) {
  const api = useApi();
  const queries = useQueryClient();
  const { alert } = useAlert();
  const { show } = useSnackbar();
  const [busy, setBusy] = useState(false);

  const send = (body: PlatformConfig, reason: string | null) =>
    before === null
      ? api.call(createPlatform, { body })
      : api.call(updatePlatform, {
          params: { id: before.id },
          query: reason === null ? {} : { reason },
          body: { ...body, revision: before.revision },
        });

  async function save(config: PlatformConfig, reason: string | null): Promise<boolean> {
    const { name } = config;
    setBusy(true);
    try {
      const { warnings } = await send(config, reason);
      const done = fill(before === null ? texts.created : texts.saved, { name });
      show([done, ...warnings].join(' '), warnings.length > 0 ? 'warning' : 'success');
      await queries.invalidateQueries({ queryKey: ['platforms'] });
      return true;
    } catch (error) {
      alert(texts.error, fill(before === null ? texts.failedAdd : texts.failedSave, { name, text: errorText(error) }));
      return false;
    } finally {
      setBusy(false);
    }
  }
  return { save, busy };
}
