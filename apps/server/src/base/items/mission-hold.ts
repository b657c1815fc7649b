import { asSystem, type Db, type SystemReason } from '../access/as-system.ts';
import { isFreeOfCases } from './case-hold.ts';

/**
 * Whether a mission is on hold itself or is protected by a case on hold; false if it does not exist. The mission stays
 * locked until commit, so that a hold confirmed earlier is taken into account.
 */
export async function lockMissionIsOnHold(tx: Db, reason: SystemReason, missionId: string): Promise<boolean> {
  await asSystem(tx, reason).selectFrom('missions').select('id').where('id', '=', missionId).forUpdate().execute();
  const onHold = await asSystem(tx, reason)
    .selectFrom('missions')
    .select('id')
    .where('id', '=', missionId)
    .where((eb) => eb.or([eb('hold_reason', 'is not', null), eb.not(isFreeOfCases('mission_id', 'missions.id'))]))
    .executeTakeFirst();
  return onHold !== undefined;
}
