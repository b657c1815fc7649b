import type { MediaTokens } from '../base/access/media-token.ts';
import type { OpenReads } from '../base/access/open-reads.ts';
import { scriptRunner } from '../base/ffmpeg/script.ts';
import type { Http } from '../base/http/call-route.ts';
import { damageNotes } from '../base/stored/note-damage.ts';
import { storedFiles } from '../base/stored/stored-files.ts';
import { documentChanges } from '../features/documents/changes.ts';
import { documentCreator } from '../features/documents/create.ts';
import { documentFileRoutes } from '../features/documents/file-routes.ts';
import { pagePictures } from '../features/documents/page-pictures.ts';
import { fileReader } from '../features/documents/read-file.ts';
import { documentRepository } from '../features/documents/repository.ts';
import { documentRoutes } from '../features/documents/routes.ts';
import { sweepDocuments } from '../features/documents/sweep.ts';
import type { CommonParts } from './parts.ts';
import type { Uploads } from './uploads.ts';

type Options = {
  http: Http;
  parts: CommonParts;
  mediaTokens: MediaTokens;
  reads: OpenReads;
  uploads: Pick<Uploads, 'admission' | 'uploads'>;
};

export type Documents = ReturnType<typeof serveDocuments>;

/** Documents of the api process. */
export function serveDocuments({ http, parts, mediaTokens, reads, uploads: doors }: Options) {
  const { db, storage, queue, events, nowUs, config, log } = parts;
  const documents = documentRepository({ db });
  const changes = documentChanges({ db, queue, nowUs, systemHigh: config.systemHigh });
  const reader = fileReader({ storage, runScript: scriptRunner({ mode: config.sandbox }) });
  const pictureOfPage = pagePictures({ storage, reader, log });
  const { admission } = doors;
  const { changed } = events;
  const creator = documentCreator({ storage, admission, documents, changes, changed });
  documentRoutes({
    ...http,
    mediaTokens,
    admission,
    uploads: doors.uploads,
    storage,
    documents,
    changes,
    creator,
    changed,
  });
  const note = damageNotes({ stored: storedFiles({ db, nowUs }), storage, changed, log });
  const damaged = (id: string, error: unknown) => note({ noun: 'documents', id }, error);
  const withStrip = reader.strip;
  documentFileRoutes({ ...http, storage, documents, reads, mediaTokens, pictureOfPage, withStrip, damaged });
  return { documents, creator, reader, sweep: (): Promise<void> => sweepDocuments({ db, nowUs, log }) };
}
