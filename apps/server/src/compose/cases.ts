import type { Http } from '../base/http/call-route.ts';
import type { Contents } from '../base/items/content.ts';
import { caseRoutes } from '../features/cases/case-routes.ts';
import { caseChanges } from '../features/cases/changes.ts';
import { commentRoutes } from '../features/cases/comment-routes.ts';
import { caseComments } from '../features/cases/comments.ts';
import { partChanges } from '../features/cases/part-changes.ts';
import { partRoutes } from '../features/cases/part-routes.ts';
import { caseParts } from '../features/cases/parts.ts';
import { caseRepository } from '../features/cases/repository.ts';
import { spanExtents } from '../features/cases/span-extents.ts';
import { sweepCases } from '../features/cases/sweep.ts';
import { sensorAnchors } from '../media/anchors/sensor-anchors.ts';
import type { Dependencies } from './dependencies.ts';
import type { Recordings } from './recordings.ts';

type Options = { http: Http; dependencies: Dependencies; contents: Contents } & Pick<
  Recordings,
  'indexes' | 'telemetry'
>;

/** Serves cases in the api process. */
export function serveCases({ http, dependencies, indexes, telemetry, contents }: Options): {
  sweep: () => Promise<void>;
} {
  const { db, storage, events, nowUs, config, log } = dependencies;
  const { changed } = events;
  const cases = caseRepository({ db, contents });
  const { times } = sensorAnchors({ db, storage, indexes });
  const extentOfSpan = spanExtents({ indexes, telemetry });
  const changes = caseChanges({ db, contents, nowUs, systemHigh: config.systemHigh });
  caseRoutes({ ...http, db, contents, cases, changes, changed });
  partRoutes({
    ...http,
    db,
    contents,
    cases,
    partsOf: caseParts({ db, contents, storage, times, extentOfSpan }),
    parts: partChanges({ db, contents, nowUs }),
    changed,
  });
  commentRoutes({ ...http, cases, comments: caseComments({ db, contents, nowUs }), changed });
  return { sweep: () => sweepCases({ db, nowUs, log }) };
}
