import { NAME_MAX } from './core/limits.ts';
import { timeStamp } from './core/time-stamp.ts';

/** Name of a mission that is recorded: {platform}-{yyyyMMdd-HHmmss}, UTC. A platform's name may have what a mission's may not. */
export function recordingMissionName(platformName: string, timeUs: number): string {
  const stamp = `-${timeStamp(timeUs)}`;
  const plain = platformName.replace(/[\s/]+/gu, '_').slice(0, NAME_MAX - stamp.length);
  // Truncation may have left half of a surrogate pair.
  return `${plain.replace(/[\uD800-\uDBFF]$/, '')}${stamp}`;
}
