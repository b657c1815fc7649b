import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');

type PackageFile = Partial<Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>>;
type Row = { names: string[]; licence: string };

const jsonOf = <T>(path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as T;

/** Packages of these files: our own, and the types of those that bring none, are left out. */
function packagesOf(pattern: string, ...kinds: (keyof PackageFile)[]): string[] {
  const names = globSync(pattern, { cwd: root }).flatMap((path) => {
    const file = jsonOf<PackageFile>(path);
    return kinds.flatMap((kind) => Object.keys(file[kind] ?? {}));
  });
  return [...new Set(names.filter((name) => !/^@(osprey|types)\//.test(name)))].sort();
}

/** Rows of the table below a heading. */
function rowsOf(heading: string): Row[] {
  const section = text.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  const lines = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Package'));
  return lines.map((line) => {
    const [names, , licence] = line.slice(2, -2).split(' | ');
    return { names: names!.split(', '), licence: licence! };
  });
}

const FILES = {
  Server: [
    ...['apps/server/package.json', 'packages/*/package.json', 'tools/*/package.json', 'package.json'].flatMap(
      (files) => packagesOf(files, 'dependencies', 'optionalDependencies'),
    ),
  ],
  'Web client': packagesOf('apps/web/package.json', 'dependencies', 'optionalDependencies'),
  'Build and tests': [
    ...packagesOf('package.json', 'devDependencies'),
    ...packagesOf('{apps,packages,tools}/*/package.json', 'devDependencies'),
  ],
};

describe('docs/dependencies.md', () => {
  it.each(Object.entries(FILES))('names the packages of the package files, each once: %s', (heading, packages) => {
    const named = rowsOf(heading).flatMap(({ names }) => names);

    expect(named.sort()).toEqual([...new Set(packages)].sort());
    expect(named.length).toBeGreaterThan(10);
  });

  it('states the licence that each installed package states', () => {
    const wrong = Object.keys(FILES)
      .flatMap(rowsOf)
      .flatMap(({ names, licence }) => names.map((name) => ({ name, licence, stated: statedBy(name) })))
      .filter(({ licence, stated }) => stated !== null && !licence.split(', ').includes(stated));

    expect(wrong).toEqual([]);
  });

  it('states no licence of a package that is not in its row', () => {
    const tooMany = Object.keys(FILES)
      .flatMap(rowsOf)
      .filter(({ names, licence }) => {
        const stated = names.map(statedBy).filter((one) => one !== null);
        return stated.length > 0 && licence.split(', ').some((one) => !stated.includes(one));
      });

    expect(tooMany).toEqual([]);
  });
});

/** Null where it is not installed: packages of another machine's processor. */
function statedBy(name: string): string | null {
  try {
    return jsonOf<{ license: string }>(`node_modules/${name}/package.json`).license;
  } catch {
    return null;
  }
}
