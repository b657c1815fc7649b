import type { Mission, Sensor } from '@osprey/contract';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { RowPages } from '../api/pages.ts';

/** First parts of the keys of queries about one sensor; the second part is the sensor's id. */
const sensorNouns: ReadonlySet<unknown> = new Set([
  'telemetry',
  'telemetrySet',
  'timeline',
  'health',
  'pictures',
  'sheets',
]);

/**
 * Returns a function that reads the id of the mission from the key of a query about one of its sensors; null for other
 * queries and unknown sensors.
 */
export function missionOfSensorQuery(queries: QueryClient): (key: QueryKey) => string | null {
  const missions = missionBySensor(queries);
  return ([noun, what, id]) => missions.get(noun === 'maplayer' ? id : sensorNouns.has(noun) ? what : null) ?? null;
}

/** Returns the missions of all sensors that the page knows, by sensor id. */
function missionBySensor(queries: QueryClient): ReadonlyMap<unknown, string> {
  const read = <Data>(queryKey: QueryKey) =>
    queries.getQueriesData<Data>({ queryKey }).flatMap(([, data]) => data ?? []);
  const missions = [
    ...read<RowPages<Mission>>(['missions', 'list']).flatMap(({ pages }) => pages.flatMap(({ rows }) => rows)),
    ...read<Mission>(['missions', 'one']),
  ];
  const sensors = [...missions.flatMap((mission) => mission.sensors), ...read<Sensor[]>(['sensors']).flat()];
  return new Map(sensors.map(({ _id, missionId }) => [_id, missionId]));
}
