import type { Http } from '../base/http/call-route.ts';
import { coverageRoutes } from '../features/coverage/routes.ts';
import type { CommonParts } from './parts.ts';

/** Serves when a place was seen. */
export function serveCoverage({ http, parts }: { http: Http; parts: CommonParts }): void {
  coverageRoutes({ ...http, db: parts.db });
}
