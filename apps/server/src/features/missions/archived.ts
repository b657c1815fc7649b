import { type Actor, type Classification, classificationOf } from '@osprey/contract';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { visible, visibleTo } from '../../base/items/visibility.ts';

/**
 * Missions in the form in which archives contain them, and the queries that an import needs about missions it creates.
 */
export const archivedMissions = (db: Db) => ({
  /**
   * Reads a mission with the names of its usergroups, its sensors and their files; undefined if the mission is hidden
   * or absent.
   */
  async read(actor: Actor, id: string) {
    const row = await visible(db, actor).selectAll('missions').where('missions.id', '=', id).executeTakeFirst();
    if (row === undefined) return undefined;
    const groups = await db
      .selectFrom('mission_usergroups')
      .innerJoin('usergroups', 'usergroups.id', 'mission_usergroups.usergroup_id')
      .where('mission_id', '=', id)
      .select('usergroups.name')
      .orderBy('usergroups.name')
      .execute();
    const rows = await asSystem(db, 'export')
      .selectFrom('sensors')
      .selectAll()
      .where('mission_id', '=', id)
      .orderBy('position')
      .orderBy('name')
      .execute();
    const sensors = [];
    for (const sensor of rows) sensors.push({ row: sensor, files: await recordedFiles(db, sensor.id) });
    return { row, usergroups: groups.map(({ name }) => name), sensors };
  },

  /**
   * Returns the current labels of missions, which a mark in a stream may have raised; `hidden` if the actor may not
   * read the mission.
   */
  async labels(actor: Actor, ids: readonly string[]): Promise<Map<string, Classification | 'hidden'>> {
    if (ids.length === 0) return new Map();
    const rows = await asSystem(db, 'export')
      .selectFrom('missions')
      .select(['id', 'classification'])
      .select(visibleTo(actor).as('isVisible'))
      .where('id', 'in', [...ids])
      .execute();
    return new Map(
      rows.map(({ id, classification, isVisible }) => [id, isVisible ? classificationOf(classification) : 'hidden']),
    );
  },

  async nameOf(id: string): Promise<string | undefined> {
    const row = await asSystem(db, 'import')
      .selectFrom('missions')
      .select('name')
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.name;
  },

  async existingFiles(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await asSystem(db, 'import')
      .selectFrom('files')
      .select('id')
      .where('id', 'in', [...ids])
      .execute();
    return new Set(rows.map(({ id }) => id));
  },

  async shiftSensor(missionId: string, name: string, shiftUs: number): Promise<string | undefined> {
    const row = await asSystem(db, 'import')
      .updateTable('sensors')
      .set({ time_shift: shiftUs })
      .where('mission_id', '=', missionId)
      .where('name', '=', name)
      .returning('id')
      .executeTakeFirst();
    return row?.id;
  },
});

const recordedFiles = (db: Db, sensorId: string) =>
  asSystem(db, 'export')
    .selectFrom('files')
    .selectAll()
    .where('sensor_id', '=', sensorId)
    // Leave out archives, since one that is being unpacked is not a recording yet.
    .where('kind', '!=', 'archive')
    .orderBy('created')
    .orderBy('name')
    .execute();
