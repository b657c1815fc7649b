import type { FileTable, SensorTable } from '../../../base/items/tables.ts';

declare module '../../../base/db/schema.ts' {
  interface Database {
    sensor_views: { user_id: string; sensor_id: string; last_time: number };
    sensors: SensorTable;
    files: FileTable;
  }
}
