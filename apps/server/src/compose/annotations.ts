import type { Http } from '../base/http/call-route.ts';
import { annotationChanges } from '../features/annotations/changes.ts';
import { annotationRepository } from '../features/annotations/repository.ts';
import { annotationRoutes } from '../features/annotations/routes.ts';
import { sweepAnnotations } from '../features/annotations/sweep.ts';
import type { CommonParts } from './parts.ts';

/** Annotations of the api process. */
export function serveAnnotations(http: Http, parts: CommonParts): { sweep: () => Promise<void> } {
  const { db, events, nowUs, config, log } = parts;
  const annotations = annotationRepository({ db });
  const changes = annotationChanges({ db, nowUs, systemHigh: config.systemHigh });
  annotationRoutes({ ...http, annotations, changes, changed: events.changed });
  return { sweep: () => sweepAnnotations({ db, nowUs, log }) };
}
