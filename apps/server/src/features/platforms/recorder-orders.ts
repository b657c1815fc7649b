import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { Orders, PlatformOrder } from '../../recorder-wire/protocol.ts';
import { replayProblem } from './replayed.ts';
import { factsOf, readPlatforms, type StoredPlatform } from './stored.ts';

/** Limits that the licence sets for the recorder's orders. */
export type OrderLimits = {
  /** If false, only the sources of running recordings are received, until these end. */
  live: boolean;
  /** If false, no AIS is received. */
  ais: boolean;
  recordingsMax: number | null;
  isRecorded: (platformId: string) => boolean;
};

/** Reads the orders for the recorder: all platforms, with the sources that are switched on. */
export async function readOrders(db: Db, limits: OrderLimits): Promise<Orders> {
  const all = asSystem(db, 'recorder').selectFrom('platforms').where('platforms.deleted_time', 'is', null);
  const platforms = await readPlatforms(db, all);
  const choices = await readChoices(db);
  const refusals = await readRefusals(db, platforms);
  return {
    platforms: platforms.map((platform) => {
      const order = withAis(toOrder(platform, choices, refusals), limits.ais);
      return limits.live ? order : unlicensed(order, limits.isRecorded(platform.id));
    }),
    ...(limits.recordingsMax !== null && { recordingsMax: limits.recordingsMax }),
  };
}

/**
 * Returns, by sensor, why its recording may not be replayed now: the rights may have changed since it was configured.
 */
async function readRefusals(db: Db, platforms: readonly StoredPlatform[]): Promise<Map<string, string>> {
  const refusals = new Map<string, string>();
  for (const platform of platforms) {
    for (const { id, url } of platform.sensors) {
      const problem = await replayProblem(db, { url, platform: factsOf(platform), actor: null });
      if (problem !== null) refusals.set(id, problem);
    }
  }
  return refusals;
}

type Choice = { switched: boolean | null; klv_pid: number | null };

/**
 * Reads the choices of users by sensor: its switch (without one, `autostart` of the platform decides) and the KLV
 * stream to show.
 */
async function readChoices(db: Db): Promise<Map<string, Choice>> {
  const rows = await asSystem(db, 'recorder')
    .selectFrom('platform_sensors')
    .where((eb) => eb.or([eb('switched', 'is not', null), eb('klv_pid', 'is not', null)]))
    .select(['id', 'switched', 'klv_pid'])
    .execute();
  return new Map(rows.map(({ id, ...choice }) => [id, choice]));
}

function toOrder(
  { id, autostart, sensors, ...platform }: StoredPlatform,
  choices: ReadonlyMap<string, Choice>,
  refusals: ReadonlyMap<string, string>,
) {
  return {
    platformId: id,
    ...platform,
    sensors: sensors.map(({ id: sensorId, name, type, url, secret, senders }) => ({
      ...{ sensorId, name, type, url, secret, senders },
      on: !refusals.has(sensorId) && (choices.get(sensorId)?.switched ?? autostart),
      refused: refusals.get(sensorId),
      klvPid: choices.get(sensorId)?.klv_pid ?? undefined,
    })),
  } satisfies PlatformOrder;
}

const withAis = (order: PlatformOrder, ais: boolean): PlatformOrder =>
  ais ? order : { ...order, sensors: order.sensors.map((one) => ({ ...one, on: one.on && one.type !== 'ais' })) };

const unlicensed = (order: PlatformOrder, isRecorded: boolean): PlatformOrder => ({
  ...order,
  record: { ...order.record, onPresence: false, schedule: [] },
  sensors: order.sensors.map((sensor) => ({ ...sensor, on: sensor.on && isRecorded })),
});
