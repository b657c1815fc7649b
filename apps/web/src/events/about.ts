import type { Mission, Sensor } from '@osprey/contract';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { RowPages } from '../api/pages.ts';

export type Item = { noun: 'missions' | 'documents' | 'platforms'; id: string };

/** First parts of the keys of queries about one sensor; the second part is the sensor's id. */
const sensorNouns: ReadonlySet<unknown> = new Set(['telemetry', 'telemetrySet', 'timeline', 'health', 'pictures']);

/** The missions of all sensors that the page knows of, by the sensors' ids. */
export function missionBySensor(queries: QueryClient): ReadonlyMap<unknown, string> {
  const read = <Data>(queryKey: QueryKey) =>
    queries.getQueriesData<Data>({ queryKey }).flatMap(([, data]) => data ?? []);
  const missions = [
    ...read<RowPages<Mission>>(['missions', 'list']).flatMap(({ pages }) => pages.flatMap(({ rows }) => rows)),
    ...read<Mission>(['missions', 'one']),
  ];
  const sensors = [...missions.flatMap((mission) => mission.sensors), ...read<Sensor[]>(['sensors']).flat()];
  return new Map(sensors.map(({ _id, missionId }) => [_id, missionId]));
}

/** The one item that a query is about; null for lists, for counts, and for sensors that are not known. */
export function itemOf(key: QueryKey, missions: ReadonlyMap<unknown, string>): Item | null {
  const [noun, what, id] = key;
  if (noun === 'missions' && what === 'one') return { noun, id: String(id) };
  if (noun === 'sensors') return { noun: 'missions', id: String(what) };
  if (noun === 'maplayer' && what === 'area') return { noun: 'missions', id: String(id) };
  if (noun === 'documents' && (what === 'one' || what === 'text')) return { noun, id: String(id) };
  if (noun === 'platforms' && what === 'config') return { noun, id: String(id) };
  const sensor = noun === 'maplayer' ? id : sensorNouns.has(noun) ? what : null;
  const mission = missions.get(sensor);
  return mission === undefined ? null : { noun: 'missions', id: mission };
}
