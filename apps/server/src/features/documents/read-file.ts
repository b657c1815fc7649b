import { resolve } from 'node:path';
import type { DocumentContent } from '@osprey/contract';
import type { RunScript } from '../../base/ffmpeg/script.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { FILE_MAX, nothingFound } from './reader/limits.ts';
import type { StripWords } from './reader/strip.ts';
import { type Reading, reading } from './reading.ts';

const SCRIPT = resolve(import.meta.dirname, 'reader/child.ts');
/** trust.md 4.4 gives a picture 20 s; all the pages of a book and its text are more than a picture. */
const READ_MS = 60_000;
const PAGE_MS = 20_000;
/** Text of 1 MB, escaped, with a small picture. */
const READING_MAX = 12 * 1024 * 1024;
const PICTURE_MAX = 16 * 1024 * 1024;
/** A picture of 8192 pixels on a side, made again at its best. */
const STRIP_MAX = 64 * 1024 * 1024;

/** Kinds that the child reads. Old .doc and .xls (ole) are found by their fields alone. */
const read: ReadonlySet<DocumentContent> = new Set([
  ...(['pdf', 'png', 'jpeg', 'gif', 'webp', 'avif', 'heic', 'tiff'] as const),
  ...(['docx', 'xlsx', 'pptx', 'odt', 'ods', 'kml', 'kmz', 'geojson', 'json', 'csv', 'text'] as const),
]);

/** Kinds of files that are read as a stream from their beginning, whatever their size. */
const streamed: ReadonlySet<DocumentContent> = new Set(['json', 'csv', 'text']);

type File = { storageKey: string; content: DocumentContent; sizeBytes: number };

export type FileReader = ReturnType<typeof fileReader>;

/** Reads foreign files, each in a child process of its own. */
export function fileReader({ storage, runScript }: { storage: Pick<Storage, 'path'>; runScript: RunScript }) {
  const run = (args: readonly string[], key: string, limits: { wallMs: number; maxBytes: number }) =>
    runScript({ script: SCRIPT, args, path: storage.path(key), ...limits });

  return {
    /** Text, places and a small picture. @throws DecoderError */
    async read({ storageKey, content, sizeBytes }: File): Promise<Reading> {
      if (!read.has(content)) return { ...nothingFound, textScope: 'fields' };
      if (sizeBytes > FILE_MAX && !streamed.has(content)) {
        return { ...nothingFound, textScope: 'fields', problem: 'it is larger than 128 MB' };
      }
      const printed = await run(['read', content], storageKey, { wallMs: READ_MS, maxBytes: READING_MAX });
      return reading.parse(JSON.parse(printed.toString('utf8')));
    },

    /** The picture in a file as JPEG, made again in its own resolution. @throws DecoderError */
    jpeg: (storageKey: string): Promise<Buffer> =>
      run(['jpeg'], storageKey, { wallMs: PAGE_MS, maxBytes: PICTURE_MAX }),

    /** The picture in a file with its label below it, as JPEG. @throws DecoderError */
    strip: (storageKey: string, words: StripWords): Promise<Buffer> =>
      run(['strip', JSON.stringify(words)], storageKey, { wallMs: PAGE_MS, maxBytes: STRIP_MAX }),

    /** A page of a PDF, or an image, as WebP. @throws DecoderError */
    page: ({ storageKey, content }: File, page: number): Promise<Buffer> =>
      run(['page', content, String(page)], storageKey, { wallMs: PAGE_MS, maxBytes: PICTURE_MAX }),
  };
}
