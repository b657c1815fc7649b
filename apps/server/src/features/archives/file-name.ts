import { type Classification, timeStamp } from '@osprey/contract';

/**
 * Returns the name of an archive: `osprey_SECRET_Kea_20260601-0900.zip`. It includes the label, so that a copy shows
 * it.
 */
export function archiveFileName(
  { label, names, nowUs }: { label: Classification; names: readonly string[]; nowUs: number },
  ending = 'zip',
): string {
  const what = names.length === 1 ? (names[0] ?? '') : `${names.length}-missions`;
  return `osprey_${label.replace(' ', '-')}_${what}_${timeStamp(nowUs)}.${ending}`;
}
