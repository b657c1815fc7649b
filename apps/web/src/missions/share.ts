import type { Mission, Sensor } from '@osprey/contract';

/**
 * Returns the address that restores this view. It grants no access: opening it requires the right to see the mission.
 */
export function linkTo(
  mission: Pick<Mission, '_id'>,
  sensor?: Pick<Sensor, '_id'> | null,
  timeUs?: number | null,
): string {
  const url = new URL('/missions', location.origin);
  url.searchParams.set('mission', mission._id);
  if (sensor) url.searchParams.set('sensor', sensor._id);
  if (timeUs !== null && timeUs !== undefined) url.searchParams.set('t', new Date(timeUs / 1000).toISOString());
  return url.href;
}

/**
 * Returns the address with further state of the view: the sensors on screen, and the sensor whose KLV health is open.
 */
export function addressOf(
  mission: Pick<Mission, '_id'>,
  view: {
    sensorId: string | null;
    timeUs: number | null;
    shownIds: readonly string[] | null;
    healthOf: string | null;
  },
): string {
  const url = new URL(linkTo(mission, view.sensorId === null ? null : { _id: view.sensorId }, view.timeUs));
  if (view.shownIds) url.searchParams.set('sensors', view.shownIds.join(','));
  if (view.healthOf !== null) url.searchParams.set('health', view.healthOf);
  return url.href;
}
