import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { directItemReads, isNodeOnly, mayImport, mustRunInBrowsers, roomOf, walls } from './rules.ts';
import { foreignTables, ownersOf } from './tables.ts';

/** Imported files by importing file. */
type Edges = Map<string, string[]>;

export type Import = { specifier: string; line: number /** Fetched when it is called. */; isDynamic: boolean };

const importPattern =
  /^\s*(?:import|export)\b[^'"]*?from\s*['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]\s*\)|^\s*import\s*['"]([^'"]+)['"]/gm;

export function importsOf(source: string): Import[] {
  return [...source.matchAll(importPattern)].map((found) => ({
    specifier: found[1] ?? found[2] ?? found[3] ?? '',
    line: source.slice(0, found.index).split('\n').length + (found[0].match(/^\s*\n/g)?.length ?? 0),
    isDynamic: found[2] !== undefined,
  }));
}

/**
 * Returns the path of the imported file relative to the root of the checkout; null for modules that are not part of the
 * project.
 */
function resolveImport(file: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return normalize(join(dirname(file), specifier.replace(/\?.*$/, '')));
  const own = /^@osprey\/([a-z-]+)/.exec(specifier)?.[1];
  if (own === undefined) return null;
  const homes: Record<string, string> = { simulator: 'tools/simulator', server: 'apps/server', web: 'apps/web' };
  return `${homes[own] ?? `packages/${own}`}/src/index.ts`;
}

/** Tests, and the folders of their builders. */
const isTest = (path: string) => /\.test\.tsx?$/.test(path) || /\/(?:test|testing|test-support)\//.test(path);

/**
 * Returns existing files of the checkout that match one of the patterns: those tracked by git, and new ones that are
 * not ignored.
 */
export function filesOf(root: string, patterns: readonly string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return listed.split('\n').filter((path) => path !== '' && existsSync(join(root, path)));
}

/** Returns one line `file:line: sentence` for each broken rule; empty if all rules are kept. */
export function findProblems(root: string): string[] {
  const problems: string[] = [];
  const edges: Edges = new Map();
  const declaring = filesOf(root, ['apps/server/src/*/tables.ts']);
  const { owners, problems: disputes } = ownersOf(
    new Map(declaring.map((file) => [file, readFileSync(join(root, file), 'utf8')])),
  );
  problems.push(...disputes);
  for (const file of filesOf(root, ['*.ts', '*.tsx'])) {
    const room = roomOf(file);
    if (room === null || isTest(file)) continue;
    const source = readFileSync(join(root, file), 'utf8');
    const targets: string[] = [];
    const imports = importsOf(source);
    if (room === 'web/pages') problems.push(...crowded(file, imports));
    if (/^(?:packages|server|web)\//.test(room)) problems.push(...testImports(file, imports));
    for (const { specifier, line } of imports) {
      if (isNodeOnly(specifier) && mustRunInBrowsers(room)) {
        problems.push(`${file}:${line}: ${specifier} exists in Node only, ${room} runs in browsers too`);
      }
      const target = resolveImport(file, specifier);
      if (target === null) continue;
      const targetRoom = roomOf(target);
      if (targetRoom !== null && !mayImport(room, targetRoom)) {
        problems.push(`${file}:${line}: ${room} may not import ${targetRoom} (${specifier})`);
      }
      targets.push(target);
    }
    edges.set(file, targets);
    if (room.startsWith('server/')) {
      for (const line of directItemReads(source)) {
        problems.push(`${file}:${line}: an item table is read outside visible(db, actor) and asSystem(db, reason)`);
      }
      // Skip migrations, which name tables as they were when the migration was written.
      if (!file.includes('/migrations/')) problems.push(...foreignTables(file, source, owners));
    }
  }
  return [...problems, ...findBreaches(edges, walls), ...findCycles(edges)];
}

/**
 * Maximum number of imports of a page, which should only combine features; a page with more does the work of a feature.
 */
const PAGE_IMPORTS_MAX = 25;

/** Returns one line if a file of the pages has too many imports; dynamic imports are not counted. */
export function crowded(file: string, imports: readonly Import[]): string[] {
  const count = imports.filter(({ isDynamic }) => !isDynamic).length;
  return count > PAGE_IMPORTS_MAX ? [`${file}: ${count} imports, a page has at most ${PAGE_IMPORTS_MAX}`] : [];
}

/** Returns one line for each import of a test tool or of a builder of tests by a file of the product. */
export const testImports = (file: string, imports: readonly Import[]): string[] =>
  imports
    .filter(
      ({ specifier }) =>
        /^(?:vitest|@testing-library)\b/.test(specifier) || isTest(resolveImport(file, specifier) ?? ''),
    )
    .map(({ specifier, line }) => `${file}:${line}: ${specifier} is for tests: its users belong in test/ or testing/`);

/**
 * Returns one line for each file that a process reaches but may not use, with the chain of imports that leads there.
 */
export function findBreaches(edges: Edges, around: typeof walls): string[] {
  return around.flatMap(({ from, only }) => {
    if (!edges.has(from)) return [`${from}: does not exist, but a wall names it`];
    const ways = waysFrom(from, edges);
    return [...ways.keys()]
      .filter((file) => file !== from && file.startsWith('apps/') && !only.some((place) => file.startsWith(place)))
      .map((file) => `${from}: may not reach ${file} (${wayTo(file, ways).join(' -> ')})`);
  });
}

/** Returns every file that can be reached, with the file that imports it. */
function waysFrom(from: string, edges: Edges): Map<string, string | null> {
  const ways = new Map<string, string | null>([[from, null]]);
  for (const file of ways.keys()) {
    for (const target of edges.get(file) ?? []) if (!ways.has(target)) ways.set(target, file);
  }
  return ways;
}

function wayTo(file: string, ways: Map<string, string | null>): string[] {
  const before = ways.get(file) ?? null;
  return before === null ? [file] : [...wayTo(before, ways), file];
}

/** Returns one line for each import cycle, found by a depth-first search that marks the files on the stack. */
function findCycles(edges: Edges): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const stack: string[] = [];
  const cycles: string[] = [];

  const visit = (file: string) => {
    state.set(file, 'open');
    stack.push(file);
    for (const target of edges.get(file) ?? []) {
      if (!edges.has(target)) continue;
      if (state.get(target) === 'open') {
        cycles.push(`${file}: imports in a circle: ${[...stack.slice(stack.indexOf(target)), target].join(' -> ')}`);
      } else if (state.get(target) === undefined) visit(target);
    }
    stack.pop();
    state.set(file, 'done');
  };

  for (const file of edges.keys()) if (state.get(file) === undefined) visit(file);
  return cycles;
}
