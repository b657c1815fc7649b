import type { ShownAnnotation } from '@osprey/contract';

/** What a map is of: all missions, live streams, or one mission. */
export type ViewKind = { kind: 'missions' } | { kind: 'live' } | { kind: 'mission'; id: string };

type Timed = Pick<ShownAnnotation, 'missionId' | 'startTime' | 'endTime'>;

/**
 * Whether a map shows an annotation now. One of a mission stands on the maps of that mission and on the map of all missions;
 * with a span, the mission's map shows it while the mission clock is inside.
 *
 * @param timeUs of the mission clock, UTC microseconds; null where there is none
 */
export function isShownAt({ missionId, startTime, endTime }: Timed, view: ViewKind, timeUs: number | null): boolean {
  if (view.kind === 'missions' || missionId === null) return true;
  if (view.kind === 'live' || missionId !== view.id) return false;
  if (startTime === null || endTime === null || timeUs === null) return true;
  return timeUs >= startTime && timeUs <= endTime;
}
