import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Each line makes a number of a text in a way of its own. */
const numbers = [
  'Number(cell);',
  'cells.map(Number);',
  'parseFloat(cell);',
  'Number.parseFloat(cell);',
  'parseInt(cell);',
  'parseInt(cell, 10);',
  'Number.parseInt(cell);',
  'Number.parseInt(cell, 10);',
];
const harmless = ['numberOf(cell);', 'Number.isFinite(value);', 'Number.parseInt(colour, 16);', 'Number.NaN;'];

it('the lint of the reading folders finds each way to make a number of a text, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-lint-'));
  await writeFile(
    join(folder, 'biome.json'),
    JSON.stringify({
      root: true,
      plugins: [join(root, 'tools/lint/number-of-input.grit')],
      linter: { rules: { recommended: false } },
    }),
  );
  await writeFile(join(folder, 'reader.ts'), [...numbers, ...harmless].join('\n'));

  const biome = join(root, 'node_modules/.bin/biome');
  const { stdout, status } = spawnSync(biome, ['lint', '--reporter=json', 'reader.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  await rm(folder, { recursive: true });

  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { location: { start: { line: number } } }[] };
  expect(diagnostics.map(({ location }) => location.start.line)).toEqual(numbers.map((_, index) => index + 1));
  expect(status).toBe(1);
});

it.each(['base/formats', 'features/annotations/reader', 'features/documents/reader', 'media/formats/sidecars'])(
  'it is on in %s',
  async (folder) => {
    const config = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8')) as {
      overrides: { includes: string[]; plugins: string[] }[];
    };
    const { includes } = config.overrides.find(({ plugins }) => plugins.includes('./tools/lint/number-of-input.grit'))!;
    const [top, ...rest] = folder.split('/');
    expect(includes.some((one) => one.startsWith(`apps/server/src/${top}/`) && one.includes(rest.at(-1)!))).toBe(true);
  },
);
