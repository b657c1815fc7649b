/** Maximum number of files of an archive read for one drawing. */
export const KMZ_FILES_MAX = 100;

const isKml = (name: string): boolean => /\.kml$/i.test(name) && !name.startsWith('__MACOSX/');

/** Returns the archive's main KML: doc.kml, else the first at its root, else the first (OGC KML 2.3, annex C). */
export function kmzRoot(names: readonly string[]): string | undefined {
  const found = names.filter(isKml);
  return found.find((name) => /^doc\.kml$/i.test(name)) ?? found.find((name) => !name.includes('/')) ?? found[0];
}

/**
 * Returns the KML in the same archive that a link in the file `from` refers to; null for an address outside the
 * archive.
 */
export function linkedKml(names: readonly string[], from: string, href: string): string | null {
  if (/^[a-z][a-z\d+.-]*:/i.test(href) || href.startsWith('/')) return null;
  const path = [...from.split('/').slice(0, -1), ...plainPath(href).split('/')];
  const parts: string[] = [];
  for (const part of path) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  const requested = parts.join('/').normalize('NFC').toLowerCase();
  // macOS writes letters and their accents apart.
  return names.find((name) => isKml(name) && name.normalize('NFC').toLowerCase() === requested) ?? null;
}

function plainPath(href: string): string {
  // Some programs of Windows write paths in their own form.
  const path = href.replace(/[?#].*$/s, '').replaceAll('\\', '/');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

type Read = (name: string) => Promise<{ hrefs: readonly string[] }>;

/**
 * Reads the root of an archive, then each KML that is linked within the archive, one after the other and each once.
 *
 * @returns the KML files that no link refers to, which are not read
 */
export async function readLinked(names: readonly string[], root: string, read: Read): Promise<string[]> {
  const seen = new Set([root]);
  for (const name of seen) {
    const { hrefs } = await read(name);
    for (const href of hrefs) {
      const linked = linkedKml(names, name, href);
      if (linked !== null && seen.size < KMZ_FILES_MAX) seen.add(linked);
    }
  }
  return names.filter((name) => isKml(name) && !seen.has(name));
}
