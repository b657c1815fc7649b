import type { Generated } from 'kysely';

declare module '../../base/db/schema.ts' {
  interface Database {
    /** The list of places of the site: at most one row. */
    site_place_list: { single: Generated<boolean>; file_name: string; uploaded: number; user_id: string | null };
    /** Rows of a list of site places; `folded` is the name without accents and capitals. Degrees, WGS 84. */
    site_places: { line: number; name: string; folded: string; kind: string; lat: number; lon: number };
  }
}
