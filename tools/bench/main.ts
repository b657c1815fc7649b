import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILT } from '../test-support/product.ts';
import type { Bench } from './bench-line.ts';

const folder = import.meta.dirname;
const all = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'bench.ts')))
  .map((entry) => entry.name)
  .sort();

const requested = process.argv.slice(2).filter((name) => !name.startsWith('-'));
const options = process.argv.slice(2).filter((name) => name.startsWith('-'));
const unknown = requested.filter((name) => !all.includes(name));
if (process.argv.includes('--help') || unknown.length > 0) {
  if (unknown.length > 0) process.stderr.write(`Unknown bench ${unknown.join(', ')}.\n`);
  process.stderr.write(
    `npm run bench -- [name ...] [--seconds=20 of live-fanout and live-latency]   names: ${all.join(', ')}\n`,
  );
  process.exit(unknown.length > 0 ? 2 : 0);
}

// Measure the built server, which is the one that users run.
Object.assign(process.env, BUILT);
for (const name of requested.length > 0 ? requested : all) {
  try {
    const { bench } = (await import(pathToFileURL(join(folder, name, 'bench.ts')).href)) as { bench: Bench };
    for (const line of await bench(options)) {
      process.stdout.write(`${JSON.stringify(line)}\n`);
      if (line.failure === undefined) continue;
      process.stderr.write(`${line.name}: ${line.failure}\n`);
      process.exitCode = 1;
    }
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
