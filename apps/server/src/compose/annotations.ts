import { scriptRunner } from '../base/ffmpeg/script.ts';
import type { Http } from '../base/http/call-route.ts';
import { annotationChanges } from '../features/annotations/changes.ts';
import { annotationImport } from '../features/annotations/import.ts';
import { annotationRepository } from '../features/annotations/repository.ts';
import { annotationRoutes } from '../features/annotations/routes.ts';
import { sweepAnnotations } from '../features/annotations/sweep.ts';
import type { Dependencies } from './dependencies.ts';
import type { Recordings } from './recordings.ts';
import type { Uploads } from './uploads.ts';

type Options = { http: Http; dependencies: Dependencies } & Pick<Uploads, 'admission'> & Pick<Recordings, 'frames'>;

/** Serves annotations in the api process. */
export function serveAnnotations({ http, dependencies, admission, frames }: Options): { sweep: () => Promise<void> } {
  const { db, storage, events, nowUs, config, log } = dependencies;
  const annotations = annotationRepository({ db, frames });
  const changes = annotationChanges({ db, nowUs, systemHigh: config.systemHigh });
  const importer = annotationImport({ storage, admission, runScript: scriptRunner({ mode: config.sandbox }) });
  annotationRoutes({ ...http, db, annotations, changes, frames, importer, changed: events.changed });
  return { sweep: () => sweepAnnotations({ db, nowUs, log }) };
}
