import { getMission, getSensorTimeline, getTelemetry, listSensors, type Sensor } from '@osprey/contract';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Api } from '../api/api.ts';
import { firstLeader, isPlayable, recordedSpans } from '../onscreen/playable.ts';
import { firstSpan, joinPages } from '../onscreen/telemetry-store.ts';
import { prepareHls } from './hls/hls-source.ts';
import { createTimeMap } from './hls/time-map.ts';

/** A recording's timeline changes only when files are added, which an event reports. */
const TIMELINE_GOOD_MS = 10 * 60_000;

/** An answer stays good: a recording's telemetry does not change. Milliseconds. */
const PAGE_GOOD_MS = 30 * 60_000;

type Deps = { api: Api; queries: QueryClient };

export const missionQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['missions', 'one', id],
    queryFn: ({ signal }) => api.call(getMission, { params: { mission: id } }, { signal }),
  });

/** The sensors of a mission that is opened; playing the one that will lead is prepared before anything is drawn. */
export const openSensorsQuery = ({ api, queries }: Deps, id: string, sensorId: string | null) =>
  queryOptions({
    queryKey: ['sensors', id],
    queryFn: async ({ signal }) => {
      const read = await api.call(listSensors, { query: { missionIdOrName: id } }, { signal });
      // Read again while it plays, nothing is to be prepared.
      const leader = firstLeader(read, sensorId);
      if (leader?.hlsProps && queries.getQueryData(['sensors', id]) === undefined) prepareHls(leader.hlsProps.url);
      return read;
    },
  });

/** Conversion of a sensor's media time to UTC, and its recorded spans. */
export const timelineQuery = (api: Api, { _id, missionId }: Sensor) =>
  queryOptions({
    queryKey: ['timeline', _id],
    queryFn: () => api.call(getSensorTimeline, { params: { mission: missionId, sensor: _id } }),
    staleTime: TIMELINE_GOOD_MS,
  });

/** Telemetry of a sensor from a moment up to but not including another, UTC microseconds. */
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
    staleTime: PAGE_GOOD_MS,
  });

type Link = { missionId: string; sensorId: string | null; timeUs: number | null };

/**
 * First queries of a mission's view, sent while its code comes: including the first pictures and telemetry. Resolves
 * once the first pictures are on their way, or none will come.
 */
export async function openAhead({ api, queries }: Deps, { missionId, sensorId, timeUs }: Link): Promise<void> {
  queries.prefetchQuery(missionQuery(api, missionId));
  const sensors = await queries.fetchQuery(openSensorsQuery({ api, queries }, missionId, sensorId));
  const playable = sensors.filter((sensor) => sensor.type === 'video' && isPlayable(sensor));
  const leader = firstLeader(playable, sensorId);
  // Taken up now: its player may have it before the timelines of the others are there, and it is not to be opened twice.
  const source = leader?.hlsProps ? prepareHls(leader.hlsProps.url) : null;
  // Without a wanted moment the leading sensor begins with its own first picture.
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
