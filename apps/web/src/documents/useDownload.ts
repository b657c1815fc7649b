import { createDocumentToken, type DocumentRow } from '@osprey/contract';
import { useApi } from '../api/api.ts';
import { useActor } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

/**
 * Options that apply only to snapshots: `strip` adds the label below the picture, `overlays` returns the second
 * picture, with overlays.
 */
export type DownloadOptions = { strip?: boolean; overlays?: boolean };

/**
 * Returns a function that downloads a document. It requests a separate token for each download and leaves the download
 * to the browser, so that files may have any size.
 */
export function useDownload(): (row: DocumentRow, options?: DownloadOptions) => Promise<void> {
  const api = useApi();
  const actor = useActor();
  const { show } = useSnackbar();

  return async ({ _id: id, fileName }, { strip = false, overlays = false } = {}) => {
    if (actor.role === 'guest') return show(texts.guestDownload, 'warning');
    try {
      const { accessToken } = await api.call(createDocumentToken, { params: { id } });
      const requested = `token=${encodeURIComponent(accessToken)}${strip ? '&strip=true' : ''}${overlays ? '&overlays=true' : ''}`;
      save(`/api/documents/${id}/content?${requested}`, fileName);
    } catch (error) {
      show(fill(texts.downloadFailed, { reason: errorText(error) }), 'error');
    }
  };
}

function save(href: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = fileName;
  link.click();
}
