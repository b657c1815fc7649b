import { asSystem, type Db, type SystemReason } from './visibility.ts';

/** Why a mission is on hold, null where it is not, or is gone; locked until commit: a hold answered before this is seen. */
export async function lockedHold(tx: Db, reason: SystemReason, missionId: string): Promise<string | null> {
  const row = await asSystem(tx, reason)
    .selectFrom('missions')
    .select('hold_reason')
    .where('id', '=', missionId)
    .forUpdate()
    .executeTakeFirst();
  return row?.hold_reason ?? null;
}
