import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const web = resolve(import.meta.dirname, '../apps/web');

/**
 * The page that checks the package of a case, as one file: it opens from a disk, fetches nothing, and its policy names its
 * one script and its one style by their sums.
 */
export async function buildCheckPage(output: string): Promise<void> {
  const worker = await bundled('worker.ts', {});
  const script = await bundled('main.ts', { WORKER_SOURCE: JSON.stringify(worker) });
  const style = await readFile(join(web, 'src/check/check.css'), 'utf8');
  const policy = [
    "default-src 'none'",
    `script-src '${sumOf(script)}'`,
    `style-src '${sumOf(style)}'`,
    'worker-src blob:',
    'img-src data:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const template = await readFile(join(web, 'check.html'), 'utf8');
  const page = template
    .replace('POLICY', policy)
    .replace(/\s*\/\* STYLE \*\/\s*/, () => style)
    .replace(/\s*\/\* SCRIPT \*\/\s*/, () => script);
  await writeFile(join(output, 'check.html'), page);
}

async function bundled(file: string, define: Record<string, string>): Promise<string> {
  const bundle = await rolldown({
    input: join(web, 'src/check', file),
    platform: 'browser',
    transform: { define },
    logLevel: 'warn',
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  // Text between the tags of a script must not end it.
  return output[0].code.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

const sumOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
