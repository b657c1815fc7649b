/** A file with a clock and with a time in its name. Times in microseconds. */
export type NamedFile = { namedUs: number; startUs: number; endUs: number; lengthUs: number };

/**
 * Tolerance of the times in names, in microseconds: they are whole seconds, and a recorder creates its file shortly
 * before or after the first picture.
 */
const TOLERANCE_US = 2_000_000;

/**
 * Finds files with wrong clocks. Files that were recorded one after another according to the times in their names
 * cannot overlap. If they do according to their clocks, one of the clocks is wrong: an encoder restarted, was
 * corrected, or plays a loop. The difference between clock and name that applies to most of the recorded time is
 * considered correct. Returns the start of each file with a wrong clock, at that difference from its name; null for
 * files whose clock is kept.
 */
export function startsByName(files: readonly NamedFile[]): (number | null)[] {
  const inOrder = [...files].sort((a, b) => a.namedUs - b.namedUs);
  const pairs = inOrder.slice(1).map((next, at) => [inOrder[at]!, next] as const);
  const follow = pairs.every(([file, next]) => next.namedUs >= file.namedUs + file.lengthUs - TOLERANCE_US);
  const overlap = pairs.some(([file, next]) => next.startUs < file.endUs - TOLERANCE_US);
  if (!follow || !overlap) return files.map(() => null);
  const believed = distanceOfMost(inOrder);
  return files.map((file) => (isNear(file, believed) ? null : file.namedUs + believed));
}

const distanceOf = ({ startUs, namedUs }: NamedFile): number => startUs - namedUs;
const isNear = (file: NamedFile, distanceUs: number): boolean =>
  Math.abs(distanceOf(file) - distanceUs) <= TOLERANCE_US;

function distanceOfMost(files: readonly NamedFile[]): number {
  let maximum = -1;
  let believed = 0;
  for (const one of files) {
    const agreeing = files.filter((file) => isNear(file, distanceOf(one)));
    const lengthUs = agreeing.reduce((sum, file) => sum + file.lengthUs, 0);
    if (lengthUs <= maximum) continue;
    maximum = lengthUs;
    believed = distanceOf(one);
  }
  return believed;
}
