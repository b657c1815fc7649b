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

/**
 * Queries on missions for archives. They are passed in by the composition, since the tables belong to another feature.
 */
export type ArchivedMissions = {
  /** Reads a mission as the actor may see it; undefined if it is hidden or absent. */
  read: (actor: Actor, id: string) => Promise<RecordedMission | undefined>;
  /** Returns the current labels of missions; permanently deleted ones are absent. */
  labels: (actor: Actor, ids: readonly string[]) => Promise<Map<string, Classification | 'hidden'>>;
  /** Returns the mission's name; undefined if it does not exist. */
  nameOf: (id: string) => Promise<string | undefined>;
  /** Returns those of the ids that belong to existing files. */
  existingFiles: (ids: readonly string[]) => Promise<Set<string>>;
  /** Shifts the clock of the sensor with this name. Returns its id; undefined if the mission has no such sensor. */
  shiftSensor: (missionId: string, name: string, shiftUs: number) => Promise<string | undefined>;
};
