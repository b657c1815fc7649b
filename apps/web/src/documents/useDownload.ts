import { AppError, createDocumentToken, type DocumentRow, type ErrorCode, errorCatalogue } from '@osprey/contract';
import { useApi } from '../api/api.ts';
import { useActor } from '../api/session.ts';
import { errorText, TransportError } from '../api/transport-error.ts';
import { fill } from '../app/format.ts';
import { useSnackbar } from '../ui/Snackbar.tsx';
import { texts } from './texts.ts';

/** Asks for a token of its own for each download, fetches the file with it as Bearer, and saves it. */
export function useDownload(): (row: DocumentRow) => Promise<void> {
  const api = useApi();
  const actor = useActor();
  const { show } = useSnackbar();

  return async (row) => {
    try {
      if (actor.role === 'guest') return show(texts.guestDownload, 'warning');
      const { accessToken } = await api.call(createDocumentToken, { params: { id: row._id } });
      save(await bytesOf(row._id, accessToken), row.fileName);
    } catch (error) {
      show(fill(texts.downloadFailed, { reason: errorText(error) }), 'error');
    }
  };
}

async function bytesOf(id: string, token: string): Promise<Blob> {
  const response = await fetch(`/api/documents/${id}/content`, { headers: { authorization: `Bearer ${token}` } }).catch(
    (cause: unknown) => {
      throw new TransportError('noResponse', cause);
    },
  );
  // The browser keeps large answers on its disk.
  if (response.ok) return response.blob();
  const { code } = (await response.json().catch(() => ({}))) as { code?: string };
  if (code !== undefined && code in errorCatalogue) throw new AppError(code as ErrorCode);
  throw new TransportError('status', { status: response.status, statusText: response.statusText });
}

function save(bytes: Blob, fileName: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(bytes);
  link.download = fileName;
  link.click();
  // The download has begun by then; the bytes stay until it ends.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
