import type { Bookmark } from '@osprey/contract';

/** Names the bookmark in the address of its mission. */
export const BOOKMARK_PARAMETER = 'bookmark';

/**
 * The address that opens the mission at the current frame of a bookmark. It holds ids and a time; opening it needs the
 * right to see the mission.
 */
export function linkToBookmark({ _id, missionId, sensorId, time }: Bookmark): string {
  const url = new URL('/missions', location.origin);
  url.searchParams.set('mission', missionId);
  if (sensorId !== null) url.searchParams.set('sensor', sensorId);
  url.searchParams.set('t', new Date(time / 1000).toISOString());
  url.searchParams.set(BOOKMARK_PARAMETER, _id);
  return url.href;
}
