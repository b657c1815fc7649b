import type { Mission, Sensor } from '@osprey/contract';

/** A row of the table: a mission, or one of its sensors below it. */
export type Row = { kind: 'mission'; mission: Mission } | { kind: 'sensor'; mission: Mission; sensor: Sensor };

export function rowsOf(missions: readonly Mission[], expanded: ReadonlySet<string>): Row[] {
  return missions.flatMap((mission) => [
    { kind: 'mission' as const, mission },
    ...(expanded.has(mission._id)
      ? mission.sensors.map((sensor) => ({ kind: 'sensor' as const, mission, sensor }))
      : []),
  ]);
}

export const rowId = (row: Row): string => (row.kind === 'mission' ? row.mission._id : row.sensor._id);

/** Returns the total size of all files of a mission, in bytes. */
export const sizeOf = (mission: Mission): number =>
  mission.sensors.reduce((sum, sensor) => sum + sensor.assets.reduce((bytes, file) => bytes + file.sizeBytes, 0), 0);
