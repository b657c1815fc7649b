import { type AccessFacts, classificationOf } from '@osprey/contract';
import { asSystem, type Db, type SystemReason } from './visibility.ts';

/** What rights over a mission depend on, with what its events need. */
export type MissionFacts = AccessFacts & { id: string; name: string; epoch: number };

/** The facts of one mission that is not in the bin, for `authorize`; null where there is none. */
export async function missionFacts(db: Db, missionId: string, reason: SystemReason): Promise<MissionFacts | null> {
  const rows = await asSystem(db, reason)
    .selectFrom('missions')
    .leftJoin('mission_usergroups as link', 'link.mission_id', 'missions.id')
    .where('missions.id', '=', missionId)
    .where('missions.deleted_time', 'is', null)
    .select(['missions.id', 'missions.name', 'missions.epoch', 'classification', 'audience', 'state'])
    .select('link.usergroup_id')
    .execute();
  const [mission] = rows;
  if (mission === undefined) return null;
  return {
    id: mission.id,
    name: mission.name,
    epoch: mission.epoch,
    securityClassification: classificationOf(mission.classification),
    audience: mission.audience,
    usergroups: rows.flatMap((row) => row.usergroup_id ?? []),
    draft: mission.state === 'Created',
  };
}
