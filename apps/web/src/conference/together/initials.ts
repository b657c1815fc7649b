/** First letter of each part of a name, two at most; a name of one part gives its first two. */
export function initialsOf(name: string): string {
  const parts = name.split(/[\s._@-]+/u).filter((part) => part !== '');
  const [first = '?', second] = parts;
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]];
  return letters.join('').toUpperCase();
}
