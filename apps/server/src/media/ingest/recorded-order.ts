/** A file with a clock of its own and a time in its name. Microseconds. */
export type NamedFile = { namedUs: number; startUs: number; endUs: number; lengthUs: number };

/** Names show whole seconds, and a recorder opens its file a moment before or after the first picture. */
const TOLERANCE_US = 2_000_000;

/**
 * Files that were recorded one after the other, as the times in their names say, cannot overlap. If their clocks say
 * that they do, one of the clocks is wrong: an encoder restarted, was corrected, or plays a loop. The distance between
 * clock and name that holds for most of the recorded time is believed. Returns where each other file begins, at that
 * distance from its name; null for files whose clock stays.
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
  let most = -1;
  let believed = 0;
  for (const one of files) {
    const agreeing = files.filter((file) => isNear(file, distanceOf(one)));
    const lengthUs = agreeing.reduce((sum, file) => sum + file.lengthUs, 0);
    if (lengthUs <= most) continue;
    most = lengthUs;
    believed = distanceOf(one);
  }
  return believed;
}
