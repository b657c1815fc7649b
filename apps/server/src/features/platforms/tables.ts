import type { Json } from '../../base/db/schema.ts';
import type { PlatformSensorTable, PlatformTable, PlatformUsergroupTable } from '../../base/items/tables.ts';

declare module '../../base/db/schema.ts' {
  interface Database {
    platform_versions: {
      version: number;
      created: number;
      author_id: string | null;
      /** StoredPlatform[] of features/platforms/stored.ts: all platforms of that time, visible or not. */
      platforms: Json<unknown>;
    };
    platforms: PlatformTable;
    platform_usergroups: PlatformUsergroupTable;
    platform_sensors: PlatformSensorTable;
  }
}
