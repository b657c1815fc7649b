import type { OpenReads } from '../base/access/open-reads.ts';
import { scriptRunner } from '../base/ffmpeg/script.ts';
import type { Http } from '../base/http/call-route.ts';
import type { MediaTokens } from '../base/items/media-token.ts';
import { damageNotes } from '../base/stored/note-damage.ts';
import { storedFiles } from '../base/stored/stored-files.ts';
import { documentChanges } from '../features/documents/changes.ts';
import { documentCreator } from '../features/documents/create.ts';
import { documentFileRoutes } from '../features/documents/file-routes.ts';
import { pagePictures } from '../features/documents/page-pictures.ts';
import { fileReader } from '../features/documents/read-file.ts';
import { documentRepository } from '../features/documents/repository.ts';
import { documentRoutes } from '../features/documents/routes.ts';
import { snapshotCopies } from '../features/documents/snapshot-copy.ts';
import { sweepDocuments } from '../features/documents/sweep.ts';
import type { Dependencies } from './dependencies.ts';
import type { Uploads } from './uploads.ts';

type Opening = { dependencies: Dependencies } & Pick<Uploads, 'admission'>;

/** Opens documents for their own routes and for snapshots, which are stored as documents. */
export function openDocuments({ dependencies, admission }: Opening) {
  const { db, storage, queue, events, nowUs, config } = dependencies;
  const documents = documentRepository({ db });
  const changes = documentChanges({ db, queue, nowUs, systemHigh: config.systemHigh });
  const reader = fileReader({ storage, runScript: scriptRunner({ mode: config.sandbox }) });
  const creator = documentCreator({ storage, admission, documents, changes, changed: events.changed });
  return { documents: { documents, changes, creator, reader } };
}

export type Documents = ReturnType<typeof openDocuments>;

type Options = { http: Http; dependencies: Dependencies; mediaTokens: MediaTokens; reads: OpenReads } & Uploads &
  Documents;

/** Serves documents in the api process. */
export function serveDocuments({
  http,
  dependencies,
  mediaTokens,
  reads,
  admission,
  uploads,
  documents: opened,
}: Options) {
  const { db, storage, events, nowUs, log } = dependencies;
  const { documents, changes, creator, reader } = opened;
  const { changed } = events;
  const pictureOfPage = pagePictures({ storage, reader, log });
  const note = damageNotes({ stored: storedFiles({ db, nowUs }), storage, changed, log });
  const damaged = (id: string, error: unknown) => note({ noun: 'documents', id }, error);
  const snapshotCopy = snapshotCopies({ storage, documents, damaged, withStrip: reader.strip });
  const common = { ...http, mediaTokens, storage, documents, snapshotCopy };
  documentRoutes({ ...common, admission, uploads, changes, creator, changed });
  documentFileRoutes({ ...common, reads, pictureOfPage, damaged });
  return { sweep: (): Promise<void> => sweepDocuments({ db, nowUs, log }) };
}
