const names = new Map<string, string>();

/**
 * Replaces `@emotion/hash`, which hashes every style character by character each time a component renders; here, a map
 * look-up returns the name. Names only have to be unique, since no server renders the same page.
 */
export default function styleHash(style: string): string {
  let name = names.get(style);
  if (name === undefined) {
    name = names.size.toString(36);
    names.set(style, name);
  }
  return name;
}
