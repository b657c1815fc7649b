import type { Http } from '../base/http/call-route.ts';
import { lookupRoutes } from '../features/lookups/routes.ts';
import { placeRoutes } from '../features/places/routes.ts';
import type { CommonParts } from './parts.ts';

/** Words that filters offer, and places by name. */
export function serveLookups({ http, parts: { db } }: { http: Http; parts: CommonParts }): void {
  lookupRoutes({ ...http, db });
  placeRoutes({ ...http, db });
}
