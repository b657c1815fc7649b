/**
 * Returns the first letter of each part of a name, at most two; for a name with a single part, its first two letters.
 */
export function initialsOf(name: string): string {
  const parts = name.split(/[\s._@-]+/u).filter((part) => part !== '');
  const [first = '?', second] = parts;
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]];
  return letters.join('').toUpperCase();
}
