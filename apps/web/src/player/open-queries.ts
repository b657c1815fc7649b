import { getMission, getSensorTimeline, getTelemetry, listSensors, type Sensor } from '@osprey/contract';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Api } from '../api/api.ts';
import { firstLeader, isPlayable, recordedSpans } from '../onscreen/playable.ts';
import { firstSpan, joinPages } from '../onscreen/telemetry-store.ts';
import { prepareHls } from './hls/hls-source.ts';
import { createTimeMap } from './hls/time-map.ts';

/**
 * Time for which a recording's timeline is cached, in milliseconds. It changes only when files are added, which an
 * event reports.
 */
const TIMELINE_CACHE_MS = 10 * 60_000;

/** Time for which a page of telemetry is cached, in milliseconds; that of a recording does not change. */
const PAGE_CACHE_MS = 30 * 60_000;

type Deps = { api: Api; queries: QueryClient };

export const missionQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['missions', 'one', id],
    queryFn: ({ signal }) => api.call(getMission, { params: { mission: id } }, { signal }),
  });

/**
 * Query for the sensors of a mission that is being opened. It also prepares playing the leading one before anything is
 * rendered.
 */
export const openSensorsQuery = ({ api, queries }: Deps, id: string, sensorId: string | null) =>
  queryOptions({
    queryKey: ['sensors', id],
    queryFn: async ({ signal }) => {
      const read = await api.call(listSensors, { query: { missionIdOrName: id } }, { signal });
      // Not if the sensors are read again during playback, when nothing has to be prepared.
      const leader = firstLeader(read, sensorId);
      if (leader?.hlsProps && queries.getQueryData(['sensors', id]) === undefined) prepareHls(leader.hlsProps.url);
      return read;
    },
  });

/** Query for the conversion of a sensor's media time to UTC, and its recorded spans. */
export const timelineQuery = (api: Api, { _id, missionId }: Sensor) =>
  queryOptions({
    queryKey: ['timeline', _id],
    queryFn: () => api.call(getSensorTimeline, { params: { mission: missionId, sensor: _id } }),
    staleTime: TIMELINE_CACHE_MS,
  });

/** Query for the telemetry of a sensor from one moment up to but not including another, in UTC microseconds. */
export const telemetryQuery = (api: Api, { _id: sensor, missionId: mission }: Sensor, from: number, to: number) =>
  queryOptions({
    queryKey: ['telemetry', sensor, from, to],
    queryFn: async () => {
      const pages = [];
      for (let start = from; ; ) {
        const query = { from: String(start), to: String(to - 1) };
        const page = await api.call(getTelemetry, { params: { mission, sensor }, query });
        pages.push(page);
        const last = page.time.at(-1);
        if (!page.more || last === undefined) return joinPages(pages);
        start = last + 1;
      }
    },
    staleTime: PAGE_CACHE_MS,
  });

type Link = { missionId: string; sensorId: string | null; timeUs: number | null };

/**
 * Sends the first queries of a mission's view while its code is loading, including the first pictures and telemetry.
 * Resolves once the first pictures are requested, or none will be.
 */
export async function openAhead({ api, queries }: Deps, { missionId, sensorId, timeUs }: Link): Promise<void> {
  queries.prefetchQuery(missionQuery(api, missionId));
  const sensors = await queries.fetchQuery(openSensorsQuery({ api, queries }, missionId, sensorId));
  const playable = sensors.filter((sensor) => sensor.type === 'video' && isPlayable(sensor));
  const leader = firstLeader(playable, sensorId);
  // Retained now, so that it is not opened twice: its player may take it before the timelines of the other sensors are
  // loaded.
  const source = leader?.hlsProps ? prepareHls(leader.hlsProps.url) : null;
  // Without a requested moment, the leading sensor starts with its own first picture.
  if (timeUs === null) source?.begin(0);
  const rest = openTimes();
  await (source ? Promise.race([source.asked, rest]) : rest);

  async function openTimes() {
    const timelines = await Promise.all(playable.map((one) => queries.fetchQuery(timelineQuery(api, one))));
    const timeline = timelines[leader ? playable.indexOf(leader) : -1];
    const recorded = playable.flatMap((one, index) => recordedSpans(one, timelines[index]!));
    const beginUs = timeUs ?? (recorded.length > 0 ? Math.min(...recorded.map(({ startTime }) => startTime)) : null);
    if (!leader || !timeline || beginUs === null) return;
    source?.begin(createTimeMap(timeline).mediaTimeOf(beginUs) ?? 0);
    const { from, to } = firstSpan(beginUs);
    await queries.prefetchQuery(telemetryQuery(api, leader, from, to));
  }
}
