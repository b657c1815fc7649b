import type { Actor, Classification } from '@osprey/contract';
import type { Selectable } from 'kysely';
import type { Database } from '../../base/db/schema.ts';

export type FileRow = Selectable<Database['files']>;
export type SensorRow = Selectable<Database['sensors']>;

/** A mission with its usergroups by name, and its sensors in their order with their files. */
export type RecordedMission = {
  row: Selectable<Database['missions']>;
  usergroups: string[];
  sensors: { row: SensorRow; files: FileRow[] }[];
};

/** Queries on missions for archives. Compose hands them in, since the tables belong to another feature. */
export type ArchivedMissions = {
  /** As the actor may read it; undefined where it is hidden or absent. */
  read: (actor: Actor, id: string) => Promise<RecordedMission | undefined>;
  /** Labels as they are now; those gone for good are left out. */
  labels: (actor: Actor, ids: readonly string[]) => Promise<Map<string, Classification | 'hidden'>>;
  /** Undefined where it is absent. */
  nameOf: (id: string) => Promise<string | undefined>;
  /** Those of the ids that files have. */
  existingFiles: (ids: readonly string[]) => Promise<Set<string>>;
  /** Moves the clock of the sensor of this name. Returns its id; undefined where the mission has none of this name. */
  shiftSensor: (missionId: string, name: string, shiftUs: number) => Promise<string | undefined>;
};
