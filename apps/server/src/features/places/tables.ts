import type { Generated } from 'kysely';

declare module '../../base/db/schema.ts' {
  interface Database {
    /** The site's list of places: at most one row. */
    site_place_list: { single: Generated<boolean>; file_name: string; uploaded: number; user_id: string | null };
    /**
     * Rows of the site's list of places; `folded` is the name without accents, in lower case. Coordinates in degrees,
     * WGS 84.
     */
    site_places: { line: number; name: string; folded: string; kind: string; lat: number; lon: number };
  }
}
