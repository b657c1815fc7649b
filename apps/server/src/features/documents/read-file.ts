import { resolve } from 'node:path';
import type { DocumentContent } from '@osprey/contract';
import type { RunScript } from '../../base/ffmpeg/script.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { FILE_MAX, nothingFound } from './reader/limits.ts';
import type { StripWords } from './reader/strip.ts';
import { type Reading, reading } from './reading.ts';

const SCRIPT = resolve(import.meta.dirname, 'reader/child.ts');
/**
 * Time limits of the child process. trust.md 4.4 allows 20 s for a picture; reading all pages of a document and its
 * text takes longer.
 */
const READ_MS = 60_000;
const PAGE_MS = 20_000;
/** Maximum size of a child's output: 1 MB of text, escaped, and a small picture. */
const READING_MAX = 12 * 1024 * 1024;
const PICTURE_MAX = 16 * 1024 * 1024;
/** Maximum size of a picture of 8192 × 8192 pixels, encoded again at the best quality. */
const STRIP_MAX = 64 * 1024 * 1024;

/**
 * Kinds of documents that the child process reads. Old .doc and .xls files (ole) are not read; a search finds them only
 * by their fields.
 */
const read: ReadonlySet<DocumentContent> = new Set([
  ...(['pdf', 'png', 'jpeg', 'gif', 'webp', 'avif', 'heic', 'tiff'] as const),
  ...(['docx', 'xlsx', 'pptx', 'odt', 'ods', 'kml', 'kmz', 'geojson', 'json', 'csv', 'text'] as const),
]);

/** Kinds of files that are read as a stream from the beginning, so that their size is not limited. */
const streamed: ReadonlySet<DocumentContent> = new Set(['json', 'csv', 'text']);

type File = { storageKey: string; content: DocumentContent; sizeBytes: number };

export type FileReader = ReturnType<typeof fileReader>;

/** Reads untrusted files, each in a separate child process. */
export function fileReader({ storage, runScript }: { storage: Pick<Storage, 'path'>; runScript: RunScript }) {
  const run = (args: readonly string[], key: string, limits: { wallMs: number; maxBytes: number }) =>
    runScript({ script: SCRIPT, args, path: storage.path(key), ...limits });

  return {
    /** Returns text, places and a small picture of a file. @throws DecoderError */
    async read({ storageKey, content, sizeBytes }: File): Promise<Reading> {
      if (!read.has(content)) return { ...nothingFound, textScope: 'fields' };
      if (sizeBytes > FILE_MAX && !streamed.has(content)) {
        return { ...nothingFound, textScope: 'fields', problem: 'it is larger than 128 MB' };
      }
      const printed = await run(['read', content], storageKey, { wallMs: READ_MS, maxBytes: READING_MAX });
      return reading.parse(JSON.parse(printed.toString('utf8')));
    },

    /** Encodes the picture in a file again as JPEG, in its own resolution. @throws DecoderError */
    jpeg: (storageKey: string): Promise<Buffer> =>
      run(['jpeg'], storageKey, { wallMs: PAGE_MS, maxBytes: PICTURE_MAX }),

    /** Returns the picture in a file as JPEG, with a strip that shows its label added below. @throws DecoderError */
    strip: (storageKey: string, words: StripWords): Promise<Buffer> =>
      run(['strip', JSON.stringify(words)], storageKey, { wallMs: PAGE_MS, maxBytes: STRIP_MAX }),

    /** Renders a page of a PDF, or an image, as WebP. @throws DecoderError */
    page: ({ storageKey, content }: File, page: number): Promise<Buffer> =>
      run(['page', content, String(page)], storageKey, { wallMs: PAGE_MS, maxBytes: PICTURE_MAX }),
  };
}
