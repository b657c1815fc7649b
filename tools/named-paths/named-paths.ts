import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesOf } from '../check-imports/imports.ts';

/** A pattern of files, relative to the root of the checkout, and the file and line that name it. */
export type Named = { pattern: string; file: string; line: number };

/** Files that are searched for paths: sources, settings, scripts, documents. */
const TEXTS = ['*.ts', '*.tsx', '*.mjs', '*.js', '*.json', '*.md', '*.html', '*.grit'];
/** Files excluded from the search, since they contain package names or invented paths. */
const PASSED_OVER = ['package-lock.json', 'tools/check-imports/imports.test.ts', 'tools/named-paths/'];

/** Paths that are outside the checkout: in the test data, and in an installed package. */
const ELSEWHERE = ['tools/make_big.py', 'scripts/hydrate-symlinks.js'];

const fromRoot = /(?<![\w@./-])(?:apps|packages|tools|scripts|e2e)\/[\w@.*{},/-]*[\w*}]/g;
const fromClient = /(?<=['"])\/src\/[\w./-]+\.tsx?(?=['"])/g;
/** Matches paths in documents, which name files of server and client relative to their folder `src`. */
const fromSources = /`((?!(?:apps|packages|tools|scripts|e2e)\/)(?:[\w-]+\/)+[\w.-]+\.tsx?)`/g;
const replaced = /\bvi\.(?:mock|doMock|doUnmock|importActual)\(\s*['"](\.[^'"]+)['"]/g;

export const textsOf = (root: string): string[] =>
  filesOf(root, TEXTS).filter((path) => !PASSED_OVER.some((start) => path.startsWith(start)));

/**
 * Returns the paths that a text names: from the root, from apps/web (as Vite writes them), and in module mocks of a
 * test.
 */
export function namedIn(file: string, text: string): Named[] {
  const at = (index: number) => text.slice(0, index).split('\n').length;
  const found = [
    ...[...text.matchAll(fromRoot)].map(({ 0: pattern, index }) => ({ pattern, index })),
    ...[...text.matchAll(fromClient)].map(({ 0: path, index }) => ({ pattern: `apps/web${path}`, index })),
    ...[...(file.endsWith('.md') ? text.matchAll(fromSources) : [])].map(({ 1: path = '', index }) => ({
      pattern: `apps/*/src/${path}`,
      index,
    })),
    ...[...text.matchAll(replaced)].map(({ 1: path = '', index }) => ({ pattern: join(dirname(file), path), index })),
  ];
  return found.map(({ pattern, index }) => ({ pattern, file, line: at(index) }));
}

/** Expands alternatives: `a.{ts,tsx}` names two files, and both must exist. */
function alternatives(pattern: string): string[] {
  const found = /^(.*?)\{([^{}]*)\}(.*)$/.exec(pattern);
  if (found === null) return [pattern];
  const [, before = '', choices = '', after = ''] = found;
  return choices.split(',').flatMap((choice) => alternatives(`${before}${choice}${after}`));
}

/** Returns one line for each named path that matches no file. */
export function lostNames(root: string, names: readonly Named[]): string[] {
  const known = new Map<string, boolean>();
  const isThere = (pattern: string) => {
    const answer = known.get(pattern) ?? globSync(pattern, { cwd: root }).length > 0;
    known.set(pattern, answer);
    return answer;
  };
  return names
    .flatMap(({ pattern, ...place }) => alternatives(pattern).map((one) => ({ pattern: one, ...place })))
    .filter(({ pattern }) => !ELSEWHERE.includes(pattern) && !isThere(pattern))
    .map(({ pattern, file, line }) => `${file}:${line}: ${pattern} matches no file`);
}

type Knip = { workspaces: Record<string, { entry?: string[] }> };

/** Returns the entries of knip.json, whose paths are relative to the folder of their workspace. */
export function knipEntries(root: string): Named[] {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'knip.json'), 'utf8')) as Knip;
  return Object.entries(workspaces).flatMap(([folder, { entry = [] }]) =>
    entry.map((pattern) => ({ pattern: join(folder, pattern), file: 'knip.json', line: 1 })),
  );
}
