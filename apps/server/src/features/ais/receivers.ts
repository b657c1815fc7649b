import type { Actor, AisSources } from '@osprey/contract';
import type { Db } from '../../base/access/as-system.ts';
import { visiblePlatformSensors } from '../../base/items/platform-facts.ts';

/** Returns the platform sensors that receive AIS, whether or not anything has been received. */
export function receiversOf(db: Db, actor: Actor): Promise<AisSources['receivers']> {
  return (
    visiblePlatformSensors(db, actor)
      // A camera whose stream also carries AIS counts as a receiver from its first sentence on.
      .where((eb) =>
        eb.or([
          eb('platform_sensors.type', '=', 'ais'),
          eb.exists(eb.selectFrom('ais_sources as source').whereRef('source.sensor_id', '=', 'platform_sensors.id')),
        ]),
      )
      .select([
        'platform_sensors.id as sensor',
        'platform_sensors.name as sensorName',
        'platforms.id as platform',
        'platforms.name as platformName',
      ])
      .orderBy('platforms.name')
      .orderBy('platform_sensors.position')
      .execute()
  );
}
