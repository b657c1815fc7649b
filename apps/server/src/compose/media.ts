import type { OpenReads } from '../base/access/open-reads.ts';
import type { Http } from '../base/http/call-route.ts';
import { renditionMender } from '../media/ingest/missing-renditions.ts';
import { mediaSessions } from '../media/play/media-sessions.ts';
import { mediaRoutes } from '../media/play/routes.ts';
import { thumbnailRoutes } from '../media/play/thumbnail-routes.ts';
import type { Dependencies } from './dependencies.ts';
import type { Recordings } from './recordings.ts';

type Options = { http: Http; dependencies: Dependencies; reads: OpenReads } & Pick<Recordings, 'media' | 'damaged'>;

/** Serves bytes of recordings to players. On `close`, the end of each viewing is written to the audit. */
export function serveMedia({ http, dependencies, reads, media, damaged }: Options): { close: () => Promise<void> } {
  const { db, storage, queue, events, nowUs, nowMs, log } = dependencies;
  const sessions = mediaSessions({ nowMs, nowUs, log });
  const missing = renditionMender({ db, storage, queue, changed: events.changed, log });
  mediaRoutes({ ...http, storage, media, reads, sessions, damaged, missing });
  thumbnailRoutes({ ...http, storage, media });
  return { close: sessions.close };
}
