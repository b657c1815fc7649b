import type { Mission, Sensor } from '@osprey/contract';

/** The address that restores this view. It grants nothing: opening it needs the right to see the mission. */
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

/** The same with what else of a view its address says: the sensors on screen, and whose KLV health is open. */
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
