import type { Http } from '../base/http/call-route.ts';
import { jobRoutes } from '../base/jobs/routes.ts';
import type { Dependencies } from './dependencies.ts';

export function serveJobs({ http, dependencies }: { http: Http; dependencies: Dependencies }): void {
  const { db, queue, events } = dependencies;
  jobRoutes({ ...http, db, queue, changed: events.changed });
}
