import type { SnapshotTable } from '../../base/items/tables.ts';

declare module '../../base/db/schema.ts' {
  interface Database {
    snapshots: SnapshotTable;
  }
}
