// Builds web client and server when anything they are made of has changed; otherwise ends within a moment.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, createGzip } from 'node:zlib';

const root = resolve(import.meta.dirname, '..');

type Part = {
  /** Name of its folder below dist, and of its stamp. */
  name: string;
  title: string;
  /** Its sources, files and folders. */
  sources: readonly string[];
  make: (output: string) => Promise<void>;
};

const parts: readonly Part[] = [
  {
    name: 'web',
    title: 'the web client',
    sources: [
      'apps/web',
      'packages/contract',
      'packages/ais',
      'packages/geo',
      'packages/klv',
      'packages/bytes',
      'packages/case-package',
      'tools/base-map',
      'vite.config.ts',
      'vite.conference.config.ts',
      'scripts/check-page.ts',
      'scripts/code-ahead.ts',
      'scripts/import-cycle.ts',
      'scripts/inline-icons.ts',
      'scripts/page-groups.ts',
      'scripts/pages.ts',
      'package-lock.json',
    ],
    make: makeWeb,
  },
  {
    name: 'server',
    title: 'the server',
    sources: ['apps/server/src', 'packages', 'scripts/build-server.ts', 'package-lock.json'],
    // Only now, as with the client.
    make: async (output) => (await import('./build-server.ts')).buildServer(output),
  },
];

const SKIPPED = new Set(['node_modules', 'dist']);
const PACKED = /\.(?:js|mjs|css|html|svg|json|wasm|pbf)$/;
/** Read by pages; the tiles of the base map gain nothing by brotli. */
const BROTLI = /\.(?:js|mjs|css|html|svg)$/;
const PACK_FROM_BYTES = 1024;
const brotli = promisify(brotliCompress);

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

/** Names and bytes of all sources: file times are not reliable after a clone. */
async function stampOf(sources: readonly string[]): Promise<string> {
  const files = (await Promise.all(sources.map((path) => filesUnder(join(root, path))))).flat().sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file.slice(root.length)}\0`).update(await readFile(file));
  return hash.digest('hex');
}

/** Packed copies of each text, so that the server need not pack while it serves. Brotli takes a sixth less than gzip. */
async function pack(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const packOne = async (file: string) => {
    const { size } = await stat(file);
    if (!PACKED.test(file) || size < PACK_FROM_BYTES) return;
    await pipeline(createReadStream(file), createGzip({ level: 9 }), createWriteStream(`${file}.gz`));
    if (!BROTLI.test(file)) return;
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: size };
    await writeFile(`${file}.br`, await brotli(await readFile(file), { params }));
  };
  // As many at a time as libuv has threads.
  for (let at = 0; at < files.length; at += 4) await Promise.all(files.slice(at, at + 4).map(packOne));
}

async function makeWeb(output: string): Promise<void> {
  // Only now: loading it takes longer than to see that there is nothing to build.
  const { build } = await import('vite');
  const { buildClient } = await import('../vite.config.ts');
  await buildClient();
  await build({ configFile: join(root, 'vite.conference.config.ts'), logLevel: 'warn' });
  const { buildCheckPage } = await import('./check-page.ts');
  await buildCheckPage(output);
  const { writeBaseMap } = await import('../tools/base-map/base-map.ts');
  await writeBaseMap(join(output, 'base-map'));
  await pack(output);
}

for (const { name, title, sources, make } of parts) {
  const output = join(root, 'dist', name);
  const stampFile = `${output}.stamp`;
  const requested = await stampOf(sources);
  const existing = await readFile(stampFile, 'utf8').catch(() => null);
  if (existing === requested) continue;
  process.stderr.write(`Building ${title} ...\n`);
  // First, so that a build that was broken off is not taken for a good one.
  await rm(stampFile, { force: true });
  await mkdir(output, { recursive: true });
  await make(output);
  await writeFile(stampFile, requested);
}
