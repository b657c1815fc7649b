import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const statement =
  /^\s*(import|export)\s+(type\s+)?([^'";]*?)\s*from\s*['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]\s*\)/gm;
const HOMES: Readonly<Record<string, string>> = {
  simulator: 'tools/simulator',
  server: 'apps/server',
  web: 'apps/web',
};

export const isTestFile = (path: string) => /\.test\.tsx?$/.test(path);

/**
 * Creates a function that returns the test files that reach a module, with their distance as the number of imports in
 * between. An index that only re-exports names is not counted, so that a test is near the modules that it uses, but not
 * near everything else in the same index.
 */
export function createReach(
  root: string,
  files: readonly string[],
): (module: string) => [test: string, steps: number][] {
  const known = new Set(files);
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const importers = new Map<string, Set<string>>();
  for (const [file, source] of sources) {
    if (isIndex(file)) continue;
    for (const target of targetsOf(file, source)) importers.set(target, (importers.get(target) ?? new Set()).add(file));
  }

  function* targetsOf(file: string, source: string): Generator<string> {
    for (const [, , , names = '', specifier, later] of source.matchAll(statement)) {
      const target = resolve(file, specifier ?? later ?? '');
      if (target === null) continue;
      if (!isIndex(target)) yield target;
      else for (const name of namesOf(names)) yield* homeOf(target, name);
    }
  }

  /** Yields the module from which an index re-exports a name. */
  function* homeOf(index: string, name: string): Generator<string> {
    for (const [, , , names = '', specifier] of (sources.get(index) ?? '').matchAll(statement)) {
      const target = specifier === undefined ? null : resolve(index, specifier);
      if (target === null) continue;
      const isGiven = names.startsWith('*') ? declares(target, name) : namesOf(names).includes(name);
      if (!isGiven) continue;
      if (isIndex(target)) yield* homeOf(target, name);
      else yield target;
    }
  }

  function declares(file: string, name: string): boolean {
    const declared = new RegExp(
      `export (?:async )?(?:abstract )?(?:const|let|function\\*?|class|type|enum) ${name}\\b`,
    );
    return declared.test(sources.get(file) ?? '');
  }

  function resolve(file: string, specifier: string): string | null {
    const own = /^@osprey\/([a-z-]+)$/.exec(specifier)?.[1];
    const path = own
      ? `${HOMES[own] ?? `packages/${own}`}/src/index.ts`
      : specifier.startsWith('.')
        ? join(dirname(file), specifier)
        : '';
    return known.has(path) ? path : null;
  }

  return (module) => {
    const steps = new Map([[module, 0]]);
    for (const [file, count] of steps) {
      for (const by of importers.get(file) ?? []) if (!steps.has(by)) steps.set(by, count + 1);
    }
    return [...steps].filter(([file]) => isTestFile(file));
  };
}

function isIndex(path: string): boolean {
  return /\/src\/index\.ts$/.test(path);
}

function namesOf(clause: string): string[] {
  return [...clause.matchAll(/(?:type\s+)?([\w$]+)(?:\s+as\s+[\w$]+)?/g)].map(([, name]) => name ?? '');
}
