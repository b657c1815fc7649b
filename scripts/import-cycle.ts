type OutputFile = { type: string; fileName: string; imports?: readonly string[] };

/**
 * Returns the names of built files that import each other in a circle, in the order of their imports; null if there are
 * none. Imports that run later (`import()`) do not count.
 */
export function importCycle(files: readonly OutputFile[]): string[] | null {
  const imports = new Map(files.filter(({ type }) => type === 'chunk').map((one) => [one.fileName, one.imports ?? []]));
  const checked = new Set<string>();
  const path: string[] = [];
  function visit(name: string): string[] | null {
    const at = path.indexOf(name);
    if (at >= 0) return path.slice(at);
    if (checked.has(name)) return null;
    path.push(name);
    for (const imported of imports.get(name) ?? []) {
      const cycle = visit(imported);
      if (cycle) return cycle;
    }
    path.pop();
    checked.add(name);
    return null;
  }
  for (const name of imports.keys()) {
    const cycle = visit(name);
    if (cycle) return cycle;
  }
  return null;
}
