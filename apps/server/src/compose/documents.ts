import type { MediaTokens } from '../base/access/media-token.ts';
import type { OpenReads } from '../base/access/open-reads.ts';
import { scriptRunner } from '../base/ffmpeg/script.ts';
import type { Http } from '../base/http/call-route.ts';
import { documentChanges } from '../features/documents/changes.ts';
import { documentFileRoutes } from '../features/documents/file-routes.ts';
import { pagePictures } from '../features/documents/page-pictures.ts';
import { fileReader } from '../features/documents/read-file.ts';
import { documentRepository } from '../features/documents/repository.ts';
import { documentRoutes } from '../features/documents/routes.ts';
import { sweepDocuments } from '../features/documents/sweep.ts';
import type { Admission } from '../uploads/admission.ts';
import type { TusStore } from '../uploads/tus-store.ts';
import type { CommonParts } from './parts.ts';

type Options = {
  http: Http;
  parts: CommonParts;
  mediaTokens: MediaTokens;
  reads: OpenReads;
  doors: { admission: Admission; uploads: TusStore };
};

/** Documents of the api process. */
export function serveDocuments({ http, parts, mediaTokens, reads, doors }: Options): { sweep: () => Promise<void> } {
  const { db, storage, queue, events, nowUs, config, log } = parts;
  const documents = documentRepository({ db });
  const changes = documentChanges({ db, queue, nowUs, systemHigh: config.systemHigh });
  const reader = fileReader({ storage, runScript: scriptRunner({ mode: config.sandbox }) });
  const pictureOfPage = pagePictures({ storage, reader, log });
  documentRoutes({ ...http, ...doors, storage, documents, changes, changed: events.changed });
  documentFileRoutes({ ...http, storage, documents, reads, mediaTokens, pictureOfPage });
  return { sweep: () => sweepDocuments({ db, nowUs, log }) };
}
