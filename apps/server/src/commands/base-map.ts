import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfig } from '../base/config/config.ts';
import { fineBaseMap } from '../compose/tiles.ts';
import { runConsole } from './console.ts';

const help = `npm run base-map -- fine

Makes coast, lakes and rivers to zoom 10 for the maps of this server, from the Debian package gmt-gshhg-full (GSHHG, LGPL).
It takes some minutes and writes base-map.mbtiles (about 0.12 GB) into the data folder. A running server shows it on each
map that is opened afterwards. To take it away, remove that file.
`;

const SOURCE = '/usr/share/gmt-gshhg';
/** Debian packages needed, with the source file and the program taken from them. */
const NEEDED = { 'gmt-gshhg-full': join(SOURCE, 'binned_GSHHS_f.nc'), 'netcdf-bin': '/usr/bin/nccopy' };
const HEAP_MB = 3000;

class BaseMapCommandError extends Error {
  override name = 'BaseMapCommandError';
}

const writeLine = (text: string): void => void process.stdout.write(`${text}\n`);

/** Installs missing packages as root; other users get the command to run. */
function installNeeded(): void {
  const missing = () => Object.entries(NEEDED).flatMap(([name, file]) => (existsSync(file) ? [] : [name]));
  const requested = missing();
  if (requested.length === 0) return;
  const line = `apt-get install -y --no-install-recommends ${requested.join(' ')}`;
  if (process.getuid?.() === 0) {
    writeLine(`Installing ${requested.join(', ')} ...`);
    const [program = '', ...args] = line.split(' ');
    spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  if (missing().length > 0) throw new BaseMapCommandError(`Please run: sudo ${line}\nThen the same command again.`);
}

async function main([what]: readonly string[]): Promise<void> {
  if (what !== 'fine') throw new BaseMapCommandError(help.trimEnd());
  const config = readConfig(process.env);
  installNeeded();
  mkdirSync(config.dataDir, { recursive: true });
  const maker = resolve(import.meta.dirname, '../../../../tools/base-map/main.ts');
  const args = [`--max-old-space-size=${HEAP_MB}`, '--disable-warning=ExperimentalWarning', maker];
  const { status } = spawnSync(process.execPath, [...args, SOURCE, fineBaseMap(config)], { stdio: 'inherit' });
  if (status !== 0) throw new BaseMapCommandError('The base map could not be made; the reason is above.');
  writeLine('Reload open pages to see it.');
}

await runConsole({ help, expected: [BaseMapCommandError], main });
