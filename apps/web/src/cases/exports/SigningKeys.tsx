import { mdiContentCopy, mdiDownload } from '@mdi/js';
import { Box } from '@mui/material';
import { listSigningKeys } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api.ts';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { Action } from '../../ui/Action.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { grouped } from './fingerprint.ts';
import { keyTexts as texts } from './key-texts.ts';

/**
 * Fingerprints of the keys that sign exports of cases and checkpoints of the audit. A recipient compares them with the
 * fingerprint in an export.
 */
export function SigningKeys() {
  const api = useApi();
  const { show } = useSnackbar();
  const { data, error } = useQuery({
    queryKey: ['cases', 'keys'],
    queryFn: ({ signal }) => api.call(listSigningKeys, {}, { signal }),
  });
  if (error !== null) return <Box role="alert">{fill(texts.failed, { text: errorText(error) })}</Box>;

  async function copy(fingerprint: string) {
    try {
      await navigator.clipboard.writeText(fingerprint);
      show(texts.copied);
    } catch {
      show(fill(texts.copyFailed, { fingerprint }), 'warning');
    }
  }

  function save(pem: string, fingerprint: string) {
    const url = URL.createObjectURL(new Blob([pem], { type: 'application/x-pem-file' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = fill(texts.fileName, { start: fingerprint.slice(0, 8) });
    link.click();
    URL.revokeObjectURL(url);
  }

  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 2 }}>
      {data?.map(({ fingerprint, pem, current }) => (
        <Box component="li" key={fingerprint} sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
          <Box sx={{ minWidth: 0, flex: 1 }}>
            <Box component="code" sx={{ fontSize: 12, lineHeight: '18px', overflowWrap: 'anywhere' }}>
              {grouped(fingerprint)}
            </Box>
            {!current && <Box sx={{ color: 'text.secondary', fontSize: 12, fontWeight: 400 }}>{texts.earlier}</Box>}
          </Box>
          <Action
            size="small"
            label={fill(texts.copy, { start: fingerprint.slice(0, 8) })}
            icon={mdiContentCopy}
            onClick={() => void copy(fingerprint)}
          />
          <Action
            size="small"
            label={fill(texts.save, { start: fingerprint.slice(0, 8) })}
            icon={mdiDownload}
            onClick={() => save(pem, fingerprint)}
          />
        </Box>
      ))}
    </Box>
  );
}
