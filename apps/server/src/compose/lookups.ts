import type { Http } from '../base/http/call-route.ts';
import { lookupRoutes } from '../features/lookups/routes.ts';
import { placeRoutes } from '../features/places/routes.ts';
import type { Dependencies } from './dependencies.ts';

/** Serves the words offered in filters, and places by name. */
export function serveLookups({ http, dependencies: { db } }: { http: Http; dependencies: Dependencies }): void {
  lookupRoutes({ ...http, db });
  placeRoutes({ ...http, db });
}
