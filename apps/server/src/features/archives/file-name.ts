import { type Classification, timeStamp } from '@osprey/contract';

/** `osprey_SECRET_Kea_20260601-0900.zip`: the label is in the name, so that a copy shows it. */
export function archiveFileName(
  { label, names, nowUs }: { label: Classification; names: readonly string[]; nowUs: number },
  ending = 'zip',
): string {
  const what = names.length === 1 ? (names[0] ?? '') : `${names.length}-missions`;
  return `osprey_${label.replace(' ', '-')}_${what}_${timeStamp(nowUs)}.${ending}`;
}
