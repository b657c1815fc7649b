import { readSessions } from '../base/audit/read-sessions.ts';
import type { Http } from '../base/http/call-route.ts';
import { coverageRoutes } from '../features/coverage/routes.ts';
import { savedSearchRoutes } from '../features/coverage/saved-searches.ts';
import { searchHitRoutes } from '../features/coverage/search-hits.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Serves when a place was observed, and which area was observed at a given time. `close` ends the readings recorded in
 * the audit.
 */
export function serveCoverage({ http, dependencies: { db, nowMs, log } }: { http: Http; dependencies: Dependencies }) {
  const sessions = readSessions({ action: 'coverage.read', nowMs, log });
  coverageRoutes({ ...http, db, sessions });
  savedSearchRoutes({ ...http, db });
  searchHitRoutes({ ...http, db, sessions });
  return { close: sessions.close };
}
