import { dirname, relative, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

const root = resolve(import.meta.dirname, '..');

/**
 * The server as one file for each of its processes, and some that they share. The sources run as they are; but five
 * processes that read some thousand small files took longer to start than all that they do then.
 */
export async function buildServer(output: string): Promise<void> {
  const bundle = await rolldown({
    input: { main: resolve(root, 'apps/server/src/main.ts') },
    platform: 'node',
    // This package loads a binary for the machine from its own folder.
    external: ['@node-rs/argon2'],
    plugins: [fromWhereItWas(output)],
    logLevel: 'warn',
  });
  await bundle.write({
    dir: output,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    cleanDir: true,
  });
  await bundle.close();
}

/** Code that looks for a file next to its source, such as a child process, finds it from the built file too. */
function fromWhereItWas(output: string): Plugin {
  const way = (path: string) => JSON.stringify(relative(output, path));
  return {
    name: 'from-where-it-was',
    transform(code, id) {
      if (!id.startsWith(root) || id.includes('node_modules') || !code.includes('import.meta.')) return null;
      return code
        .replaceAll('import.meta.dirname', `(import.meta.dirname + '/' + ${way(dirname(id))})`)
        .replaceAll('import.meta.url', `new URL(${way(id)}, import.meta.url).href`);
    },
  };
}
