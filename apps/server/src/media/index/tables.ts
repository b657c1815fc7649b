import type { Generated } from 'kysely';

/** The index of a sensor that its rows of coverage_minutes were made from. */
export type CoverageSensorTable = {
  sensor_id: string;
  /** `live` while it is recorded. */
  index_key: string;
  footprints: number;
  failed: Generated<boolean>;
  /** As those of its minutes, of all of them together; null where they were not gathered. */
  cells: Generated<number[] | null>;
  /** Bytes of each file that were read while it is recorded, by the id of the file. */
  live_read: Generated<unknown>;
  /** The last record of its ground, as `GroundRecord`: the next piece of its way begins there. */
  live_last: Generated<unknown>;
  /** When all that was recorded had been read, UTC microseconds by the clock of the database. */
  caught_up: Generated<number | null>;
  /** Whether its rows of coverage_seen were made. */
  seen: Generated<boolean>;
};

/** Footprints of one minute of a sensor's own clock, and the cells that they meet. */
export type CoverageMinuteTable = { sensor_id: string; minute: number; cells: Generated<number[]>; footprints: Buffer };

/** In an hour of a sensor's own clock, the seconds in which cells of an area were seen: the last of each, and all of them. */
export type CoverageSeenTable = { area: number; sensor_id: string; hour: number; last: Buffer; runs: Buffer };

/**
 * Where a mission was, for the geo filter: polygons in lon, lat, and lines as polygons of their points. While a sensor is
 * recorded they come in numbered pieces, the last of which is replaced as it grows; ingest replaces them all by its own.
 */
export type MissionShapeTable = {
  mission_id: string;
  sensor_id: string;
  aoi_mode: string;
  shape: string;
  piece: Generated<number | null>;
};

declare module '../../base/db/schema.ts' {
  interface Database {
    mission_shapes: MissionShapeTable;
    coverage_sensors: CoverageSensorTable;
    coverage_minutes: CoverageMinuteTable;
    coverage_seen: CoverageSeenTable;
  }
}
