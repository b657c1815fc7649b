// Builds the web client when anything it is made of has changed; otherwise ends within a moment.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

const root = resolve(import.meta.dirname, '..');
const output = join(root, 'dist/web');
const stampFile = join(root, 'dist/web.stamp');

/** What the client is made of, files and folders. */
const SOURCES = [
  'apps/web',
  'packages/contract',
  'packages/geo',
  'packages/klv',
  'packages/bytes',
  'tools/base-map',
  'vite.config.ts',
  'scripts/code-ahead.ts',
  'scripts/inline-icons.ts',
  'package-lock.json',
];
const SKIPPED = new Set(['node_modules', 'dist']);
const PACKED = /\.(?:js|mjs|css|html|svg|json|wasm|pbf)$/;
const PACK_FROM_BYTES = 1024;

async function filesUnder(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => null);
  if (found === null) return [];
  if (found.isFile()) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  const below = entries
    .filter(({ name }) => !SKIPPED.has(name) && !/\.test\.tsx?$/.test(name))
    .map(({ name }) => filesUnder(join(path, name)));
  return (await Promise.all(below)).flat();
}

/** Names and bytes of all sources: times say nothing after a clone. */
async function stampOfSources(): Promise<string> {
  const files = (await Promise.all(SOURCES.map((path) => filesUnder(join(root, path))))).flat().sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file.slice(root.length)}\0`).update(await readFile(file));
  return hash.digest('hex');
}

/** Beside each text the server finds it packed, so that it need not pack while it serves. */
async function pack(): Promise<void> {
  for (const file of await filesUnderOutput()) {
    if (!PACKED.test(file) || (await stat(file)).size < PACK_FROM_BYTES) continue;
    await pipeline(createReadStream(file), createGzip({ level: 9 }), createWriteStream(`${file}.gz`));
  }
}

async function filesUnderOutput(): Promise<string[]> {
  const entries = await readdir(output, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const wanted = await stampOfSources();
const known = await readFile(stampFile, 'utf8').catch(() => null);
if (known !== wanted) {
  process.stderr.write('Building the web client ...\n');
  // First, so that a build that was broken off is not taken for a good one.
  await rm(stampFile, { force: true });
  await mkdir(output, { recursive: true });
  // Only now: loading it takes longer than all of the above.
  const { build } = await import('vite');
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
  const { writeBaseMap } = await import('../tools/base-map/base-map.ts');
  await writeBaseMap(join(output, 'base-map'));
  await pack();
  await writeFile(stampFile, wanted);
}
