import { AppError, type DocumentContent } from '@osprey/contract';
import { DecoderError } from '../../base/ffmpeg/ffmpeg.ts';
import { OVERLAYS_PAGE, overlaysKey } from '../../base/storage/snapshot-overlays.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { pageKey } from './pictures.ts';
import type { FileReader } from './read-file.ts';
import type { StoredDocument } from './rows.ts';

export type PagePicturesDeps = {
  storage: Storage;
  reader: Pick<FileReader, 'page'>;
  log: { warn: (fields: object, text: string) => void };
};

/** Creates pictures of pages at their first request, and stores them with the document's file. */
export function pagePictures({ storage, reader, log }: PagePicturesDeps) {
  const making = new Map<string, Promise<void>>();

  async function make(row: StoredDocument, page: number, key: string): Promise<void> {
    const isOverlays = row.overlays_bytes !== null && page === OVERLAYS_PAGE;
    const file = isOverlays
      ? { storageKey: overlaysKey(row.id), content: 'jpeg' as const, sizeBytes: row.overlays_bytes ?? 0 }
      : { storageKey: row.storage_key, content: row.content as DocumentContent, sizeBytes: row.size_bytes };
    try {
      const picture = await reader.page(file, isOverlays ? 1 : page);
      await storage.put(key, [picture]);
    } catch (error) {
      if (!(error instanceof DecoderError)) throw error;
      log.warn({ documentId: row.id, page, detail: error.detail }, 'no picture of a page');
      throw new AppError('badFile', { reason: error.message }, error);
    }
  }

  /** Returns the storage key. @throws AppError badFile */
  return async function pictureOfPage(row: StoredDocument, page: number): Promise<string> {
    const key = pageKey(row.id, page);
    if ((await storage.stat(key)) !== null) return key;
    // Concurrent requests for the same page share one rendering.
    const started = making.get(key) ?? make(row, page, key).finally(() => making.delete(key));
    making.set(key, started);
    await started;
    return key;
  };
}
