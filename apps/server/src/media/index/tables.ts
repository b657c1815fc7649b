import type { Generated } from 'kysely';

/** Identifies the index of a sensor from which its rows of coverage_minutes were made. */
export type CoverageSensorTable = {
  sensor_id: string;
  /** `live` while the sensor is being recorded. */
  index_key: string;
  footprints: number;
  failed: Generated<boolean>;
  /** The cells of all minutes together; null if they were not collected. */
  cells: Generated<number[] | null>;
  /** Number of bytes of each file that were read during the recording, by file id. */
  live_read: Generated<unknown>;
  /** The last ground record, as `GroundRecord`: the next piece of the sensor's path begins there. */
  live_last: Generated<unknown>;
  /** When everything recorded so far had been read, in UTC microseconds by the clock of the database. */
  caught_up: Generated<number | null>;
  /** True if its rows of coverage_seen were made. */
  seen: Generated<boolean>;
};

/** Footprints of one minute of a sensor's own clock, and the cells that they intersect. */
export type CoverageMinuteTable = { sensor_id: string; minute: number; cells: Generated<number[]>; footprints: Buffer };

/**
 * For one hour of a sensor's own clock, the seconds in which each cell of an area was seen: the last one, and all of
 * them.
 */
export type CoverageSeenTable = {
  area: number;
  sensor_id: string;
  hour: number;
  /** Whether the cells were seen by approximate squares; what was seen by footprints is in a row of its own. */
  approximate: Generated<boolean>;
  last: Buffer;
  runs: Buffer;
};

/**
 * The places where a mission was, for the geographic filter: polygons in lon, lat, and lines as polygons of their
 * points. While a sensor is being recorded they are numbered pieces, the last of which is replaced as it grows; ingest
 * replaces all pieces.
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
