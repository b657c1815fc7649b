import { NAME_MAX } from './core/limits.ts';
import { timeStamp } from './core/time-stamp.ts';

/**
 * Returns the name of a recorded mission: {platform}-{yyyyMMdd-HHmmss}, UTC. Characters of the platform's name that a
 * mission's name may not contain are replaced.
 */
export function recordingMissionName(platformName: string, timeUs: number): string {
  const stamp = `-${timeStamp(timeUs)}`;
  const plain = platformName.replace(/[\s/]+/gu, '_').slice(0, NAME_MAX - stamp.length);
  // Remove half of a surrogate pair that the truncation may have left.
  return `${plain.replace(/[\uD800-\uDBFF]$/, '')}${stamp}`;
}
