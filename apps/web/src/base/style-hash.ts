const names = new Map<string, string>();

/**
 * In the place of `@emotion/hash`, which goes through every style letter by letter each time a component is drawn: a map finds
 * it at once. Names need only be different, since no server draws the same page.
 */
export default function styleHash(style: string): string {
  let name = names.get(style);
  if (name === undefined) {
    name = names.size.toString(36);
    names.set(style, name);
  }
  return name;
}
