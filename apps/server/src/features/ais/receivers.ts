import type { Actor, AisSources } from '@osprey/contract';
import { type Db, visiblePlatforms } from '../../base/access/visibility.ts';

/** Sensors of platforms that AIS comes from, whether anything was heard or not. */
export function receiversOf(db: Db, actor: Actor): Promise<AisSources['receivers']> {
  return (
    visiblePlatforms(db, actor)
      .innerJoin('platform_sensors as sensor', 'sensor.platform_id', 'platforms.id')
      // A camera whose stream brings AIS is one from its first sentence on.
      .where((eb) =>
        eb.or([
          eb('sensor.type', '=', 'ais'),
          eb.exists(eb.selectFrom('ais_sources as source').whereRef('source.sensor_id', '=', 'sensor.id')),
        ]),
      )
      .select([
        'sensor.id as sensor',
        'sensor.name as sensorName',
        'platforms.id as platform',
        'platforms.name as platformName',
      ])
      .orderBy('platforms.name')
      .orderBy('sensor.position')
      .execute()
  );
}
