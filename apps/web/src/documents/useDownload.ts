import { createDocumentToken, type DocumentRow } from '@osprey/contract';
import { useApi } from '../api/api.ts';
import { useActor } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

/** Snapshots only: its label below the picture; its second picture. */
export type DownloadOptions = { strip?: boolean; overlays?: boolean };

/** Asks for a token of its own for each download, and hands the file to the browser's own downloads, of any size. */
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
