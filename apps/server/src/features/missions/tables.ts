import type { MissionOldNameTable, MissionTable, MissionUsergroupTable } from '../../base/items/tables.ts';
import type { MissionShapeTable } from '../../media/index/tables.ts';

declare module '../../base/db/schema.ts' {
  interface Database {
    missions: MissionTable;
    mission_usergroups: MissionUsergroupTable;
    mission_old_names: MissionOldNameTable;
    mission_shapes: MissionShapeTable;
  }
}
