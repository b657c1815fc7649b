import { type Actor, AppError, type Classification, classificationOf, classificationRank } from '@osprey/contract';
import { sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { isFreeOfCases } from '../../base/items/case-hold.ts';
import { visible, visiblePlatforms } from '../../base/items/visibility.ts';

/** A source of AIS, as the actor may know it. */
export type AisSource = {
  id: number;
  sensorId: string;
  name: string;
  platformId: string | null;
  platformName: string | null;
  missionId: string | null;
  missionName: string | null;
  /** The higher of the labels of platform and mission, considering only those that decide its rights. */
  label: Classification;
  isHeld: boolean;
};

/**
 * Returns the sources that the actor may read. Rights to a source depend on its platform; those to a recorded source
 * depend on its mission and, while the recording is running, also on the platform. Every query on AIS must start here.
 */
export async function visibleSources(db: Db, actor: Actor): Promise<AisSource[]> {
  const rows = await asSystem(db, 'rights')
    .selectFrom('ais_sources as source')
    .leftJoin(
      visiblePlatforms(db, actor).select(['id', 'name', 'classification']).as('platform'),
      'platform.id',
      'source.platform_id',
    )
    .leftJoin(
      visible(db, actor)
        .select(['id', 'name', 'classification', 'platform_name', 'state', 'hold_reason'])
        .as('mission'),
      'mission.id',
      'source.mission_id',
    )
    .where((eb) => {
      const byPlatform = eb('platform.id', 'is not', null);
      const byMission = eb('mission.id', 'is not', null);
      return eb.or([
        eb.and([eb('source.mission_id', 'is', null), byPlatform]),
        eb.and([byMission, eb.or([eb('mission.state', '<>', 'Running'), byPlatform])]),
      ]);
    })
    .select([
      'source.id',
      'source.sensor_id as sensorId',
      'source.name',
      'source.platform_id as platformId',
      'platform.name as platformName',
      'platform.classification as platformLabel',
      'source.mission_id as missionId',
      'mission.name as missionName',
      'mission.classification as missionLabel',
      'mission.platform_name as recordedName',
      'mission.state as missionState',
    ])
    .select(
      sql<boolean>`(mission.hold_reason is not null or not ${isFreeOfCases('mission_id', 'source.mission_id')})`.as(
        'isHeld',
      ),
    )
    .orderBy('source.id')
    .execute();
  return rows.map((row) => {
    const isOfPlatform = row.missionId === null || row.missionState === 'Running';
    const labels = [row.missionLabel, isOfPlatform ? row.platformLabel : null].filter((label) => label !== null);
    return {
      id: row.id,
      sensorId: row.sensorId,
      name: row.name,
      platformId: row.platformId,
      // After the recording, the platform may be hidden from the actor; the name stored in the mission is then shown.
      platformName: isOfPlatform ? row.platformName : row.recordedName,
      missionId: row.missionId,
      missionName: row.missionName,
      label: classificationOf(Math.max(1, ...labels)),
      isHeld: row.isHeld,
    };
  });
}

/**
 * Sources of one mission, or of all that the actor may read. @throws AppError notFound for a mission that is hidden or
 * not there
 */
export async function sourcesFor(db: Db, actor: Actor, missionId: string | undefined): Promise<AisSource[]> {
  const sources = await visibleSources(db, actor);
  if (missionId === undefined) return sources;
  const mission = await visible(db, actor)
    .where('missions.id', '=', missionId)
    .select('missions.id')
    .executeTakeFirst();
  if (mission === undefined) throw new AppError('notFound');
  return sources.filter((source) => source.missionId === missionId);
}

export const highestLabel = (sources: readonly AisSource[]): Classification =>
  classificationOf(Math.max(1, ...sources.map(({ label }) => classificationRank(label))));
