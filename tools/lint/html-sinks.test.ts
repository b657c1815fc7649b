import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Each line makes HTML of a string in a way of its own. */
const sinks = [
  'element.innerHTML = words;',
  'element.innerHTML += words;',
  'element.outerHTML = words;',
  'element.srcdoc = words;',
  "element.insertAdjacentHTML('beforeend', words);",
  'element.setHTML(words);',
  'element.setHTMLUnsafe(words);',
  'element.createContextualFragment(words);',
  "new DOMParser().parseFromString(words, 'text/html');",
  'document.write(words);',
  'document.writeln(words);',
];
const harmless = ['element.textContent = words;', 'element.append(words);'];

it('T-111 the lint of the client finds each way to make HTML of a string, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-lint-'));
  await writeFile(
    join(folder, 'biome.json'),
    JSON.stringify({
      root: true,
      plugins: [join(root, 'tools/lint/html-sinks.grit')],
      linter: { rules: { recommended: false } },
    }),
  );
  await writeFile(join(folder, 'page.ts'), [...sinks, ...harmless].join('\n'));

  const biome = join(root, 'node_modules/.bin/biome');
  const { stdout, status } = spawnSync(biome, ['lint', '--reporter=json', 'page.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  await rm(folder, { recursive: true });

  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { location: { start: { line: number } } }[] };
  expect(diagnostics.map(({ location }) => location.start.line)).toEqual(sinks.map((_, index) => index + 1));
  expect(status).toBe(1);
});
