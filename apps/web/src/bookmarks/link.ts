import type { Bookmark } from '@osprey/contract';

/** Query parameter that names the bookmark in the address of its mission. */
export const BOOKMARK_PARAMETER = 'bookmark';

/**
 * Returns the address that opens the mission at the current frame of a bookmark. The address contains only ids and a
 * time; opening it requires the right to see the mission.
 */
export function linkToBookmark({ _id, missionId, sensorId, time }: Bookmark): string {
  const url = new URL('/missions', location.origin);
  url.searchParams.set('mission', missionId);
  if (sensorId !== null) url.searchParams.set('sensor', sensorId);
  url.searchParams.set('t', new Date(time / 1000).toISOString());
  url.searchParams.set(BOOKMARK_PARAMETER, _id);
  return url.href;
}
