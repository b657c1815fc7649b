import {
  listPlatformVersions,
  type PlatformsConfigResult,
  restorePlatformVersion,
  uploadPlatformsConfig,
} from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

/** Source of a configuration: a file, or an earlier version. */
export type Source = { kind: 'file'; file: File } | { kind: 'version'; version: number };

export function usePlatformVersions() {
  const api = useApi();
  return useQuery({
    queryKey: ['platforms', 'versions'],
    queryFn: ({ signal }) => api.call(listPlatformVersions, {}, { signal }),
  });
}

/** Shows the changes that a configuration would make, and then applies it. */
export function usePlatformsFile(onDone: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [source, setSource] = useState<Source | null>(null);
  const [result, setResult] = useState<PlatformsConfigResult | null>(null);
  const [busy, setBusy] = useState(false);

  function send(from: Source, query: { preview?: '1'; expected?: string; reason?: string }) {
    if (from.kind === 'version') {
      return api.call(restorePlatformVersion, { params: { version: from.version }, query });
    }
    const form = new FormData();
    form.append('platforms', from.file, 'platforms.yml');
    return api.call(uploadPlatformsConfig, { query }, { form });
  }

  async function preview(from: Source) {
    setBusy(true);
    setSource(from);
    try {
      setResult(await send(from, { preview: '1' }));
    } catch (error) {
      setSource(null);
      show(fill(texts.file.failed, { text: errorText(error) }), 'error');
    }
    setBusy(false);
  }

  async function apply(reason: string) {
    if (source === null || result === null) return;
    setBusy(true);
    try {
      const applied = await send(source, { expected: result.revision, ...(result.needsReason ? { reason } : {}) });
      if (applied.valid) {
        await queries.invalidateQueries({ queryKey: ['platforms'] });
        const restored = source.kind === 'version' && fill(texts.file.restored, { version: source.version });
        show(restored || texts.file.done);
        onDone();
      } else setResult(applied);
    } catch (error) {
      show(fill(texts.file.failed, { text: errorText(error) }), 'error');
    }
    setBusy(false);
  }

  function back() {
    setSource(null);
    setResult(null);
  }

  return { source, result, busy, preview, apply, back };
}
