import { type Actor, AppError } from '@osprey/contract';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import type { RecorderMirror } from '../../live/rows/mirror.ts';
import type { LivePlatforms } from './live-platforms.ts';
import { refusal } from './refusal.ts';
import { factsOf, type StoredPlatform, type StoredSensor } from './stored.ts';

export type LiveKlvDeps = {
  db: Db;
  mirror: Pick<RecorderMirror, 'source'>;
  platforms: Pick<LivePlatforms, 'stored' | 'readsRecording'>;
};

export type ChosenKlv = { platform: StoredPlatform; sensor: StoredSensor; before: number | null };

/** Stores the KLV stream that a user chose for a sensor, so that the choice survives a restart. */
export function liveKlvChoice({ db, mirror, platforms }: LiveKlvDeps) {
  /**
   * @param pid PID of one of the streams present now; null for the automatic choice
   * @throws AppError notFound, forbidden, ruleRefused
   */
  return async (actor: Actor, sensorId: string, pid: number | null): Promise<ChosenKlv> => {
    const platform = (await platforms.stored(actor)).find(({ sensors }) => sensors.some(({ id }) => id === sensorId));
    const sensor = platform?.sensors.find(({ id }) => id === sensorId);
    if (platform === undefined || sensor === undefined) throw new AppError('notFound');
    authorize(actor, 'platform.control', factsOf(platform));
    // The platform is recorded into a mission that the caller may not read, so the message reveals no more.
    if (!(await platforms.readsRecording(actor, platform.id))) throw refusal(`Platform ${platform.name} is in use.`);
    const there = mirror.source(sensorId)?.klvStreams?.streams ?? [];
    if (pid !== null && !there.some((one) => one.pid === pid)) {
      throw refusal(`${sensor.name} has no KLV stream of PID ${pid} to choose now.`);
    }
    const before = await chosenBefore(db, sensorId);
    // Write only if it differs, since every write sends a notice.
    if (before !== pid) await write(db, sensorId, pid);
    return { platform, sensor, before };
  };
}

async function chosenBefore(db: Db, sensorId: string): Promise<number | null> {
  const row = await asSystem(db, 'authorized change')
    .selectFrom('platform_sensors')
    .select('klv_pid')
    .where('id', '=', sensorId)
    .executeTakeFirst();
  return row?.klv_pid ?? null;
}

async function write(db: Db, sensorId: string, pid: number | null): Promise<void> {
  await asSystem(db, 'authorized change')
    .updateTable('platform_sensors')
    .set({ klv_pid: pid })
    .where('id', '=', sensorId)
    .execute();
}
