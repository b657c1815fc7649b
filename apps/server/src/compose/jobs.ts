import type { Http } from '../base/http/call-route.ts';
import { jobRoutes } from '../base/jobs/routes.ts';
import type { CommonParts } from './parts.ts';

export function serveJobs({ http, parts }: { http: Http; parts: CommonParts }): void {
  const { db, queue, events } = parts;
  jobRoutes({ ...http, db, queue, changed: events.changed });
}
