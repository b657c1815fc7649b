import type { ShownAnnotation } from '@osprey/contract';

/** Subject of a map: all missions, live streams, one mission, or everything at the time of a clock. */
export type ViewKind = { kind: 'missions' } | { kind: 'live' } | { kind: 'mission'; id: string } | { kind: 'time' };

type Timed = Pick<ShownAnnotation, 'missionId' | 'startTime' | 'endTime'>;

/**
 * Returns whether a map shows an annotation now. An annotation of a mission is shown on the maps of that mission and on
 * the map of all missions. If it has a time span, the mission's map shows it only while the mission clock is within the
 * span; a map of kind `time` shows only annotations whose span contains the time.
 *
 * @param timeUs time of the mission clock, in UTC microseconds; null if there is none
 */
export function isShownAt({ missionId, startTime, endTime }: Timed, view: ViewKind, timeUs: number | null): boolean {
  if (view.kind === 'missions' || missionId === null) return true;
  if (view.kind === 'time') return startTime !== null && endTime !== null && isBetween(timeUs, startTime, endTime);
  if (view.kind === 'live' || missionId !== view.id) return false;
  if (startTime === null || endTime === null || timeUs === null) return true;
  return isBetween(timeUs, startTime, endTime);
}

const isBetween = (timeUs: number | null, start: number, end: number): boolean =>
  timeUs !== null && timeUs >= start && timeUs <= end;
