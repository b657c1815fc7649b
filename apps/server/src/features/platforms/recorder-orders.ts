import { asSystem, type Db } from '../../base/access/visibility.ts';
import type { Orders, PlatformOrder } from '../../recorder-wire/protocol.ts';
import { replayProblem } from './replayed.ts';
import { factsOf, readPlatforms, type StoredPlatform } from './stored.ts';

/** Limits of the licence on the orders. */
export type OrderLimits = {
  /** False: nothing is received but for what is being recorded, which goes on to its end. */
  live: boolean;
  /** False: no ships are received. */
  ais: boolean;
  recordingsMax: number | null;
  isRecorded: (platformId: string) => boolean;
};

/** Orders of the recorder: all platforms, with the sources that are switched on. */
export async function readOrders(db: Db, limits: OrderLimits): Promise<Orders> {
  const all = asSystem(db, 'recorder').selectFrom('platforms').where('platforms.deleted_time', 'is', null);
  const platforms = await readPlatforms(db, all);
  const switched = await readSwitches(db);
  const refusals = await readRefusals(db, platforms);
  return {
    platforms: platforms.map((platform) => {
      const order = withAis(toOrder(platform, switched, refusals), limits.ais);
      return limits.live ? order : unlicensed(order, limits.isRecorded(platform.id));
    }),
    ...(limits.recordingsMax !== null && { recordingsMax: limits.recordingsMax }),
  };
}

/** By sensor: why its recording may not be played now. Its rights may have changed since it was configured. */
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

/** Switches set by users, by sensor. Without one, `autostart` of the platform decides. */
async function readSwitches(db: Db): Promise<Map<string, boolean>> {
  const rows = await asSystem(db, 'recorder')
    .selectFrom('platform_sensors')
    .where('switched', 'is not', null)
    .select(['id', 'switched'])
    .execute();
  return new Map(rows.flatMap(({ id, switched }) => (switched === null ? [] : [[id, switched] as const])));
}

function toOrder(
  { id, autostart, sensors, ...platform }: StoredPlatform,
  switched: ReadonlyMap<string, boolean>,
  refusals: ReadonlyMap<string, string>,
) {
  return {
    platformId: id,
    ...platform,
    sensors: sensors.map(({ id: sensorId, name, type, url, secret, senders }) => ({
      ...{ sensorId, name, type, url, secret, senders },
      on: !refusals.has(sensorId) && (switched.get(sensorId) ?? autostart),
      refused: refusals.get(sensorId),
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
