import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { hasCluster } from './postgres-server.ts';

const ROOT_FOLDER = '/var/lib/osprey';
/** Permission bit that lets all accounts enter a directory. */
const PASSABLE = 0o001;

type Place = Pick<Config, 'databaseDir' | 'dataDir'>;

/**
 * Returns the directory of the server's own PostgreSQL cluster. It is inside the data directory, unless the server runs
 * as root and PostgreSQL's account cannot enter that. An existing cluster in either place continues to be used even if
 * the permissions change.
 */
export function databaseFolder({ databaseDir, dataDir }: Place): string {
  if (databaseDir !== null) return databaseDir;
  const inside = join(dataDir, 'postgres');
  if (process.getuid?.() !== 0) return inside;
  const apart = apartFrom(dataDir);
  if (hasCluster(apart)) return apart;
  return hasCluster(inside) || isPassable(dataDir) ? inside : apart;
}

/**
 * Returns the directory where a backup is restored to verify it. A new cluster is created there each time, so an
 * existing cluster does not affect the choice.
 */
export function scratchFolder({ databaseDir, dataDir }: Place): string {
  const isApart = databaseDir === null && process.getuid?.() === 0 && !isPassable(dataDir);
  return `${isApart ? apartFrom(dataDir) : databaseFolder({ databaseDir, dataDir })}-scratch`;
}

/**
 * Whether other accounts may enter the directory, judging by its mode. A missing directory counts as enterable, since
 * it will be created with such a mode.
 */
export function isPassable(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found !== undefined && (found.mode & PASSABLE) === 0) return false;
  return dirname(folder) === folder || isPassable(dirname(folder));
}

const apartFrom = (dataDir: string): string =>
  join(ROOT_FOLDER, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));

/**
 * Returns the directory of the server's own cluster if it is on a separate volume. Null if it shares the volume of the
 * recordings, or if the database is external.
 */
export async function databaseVolume(config: Readonly<Config>): Promise<string | null> {
  if (config.databaseUrl !== null) return null;
  const folder = databaseFolder(config);
  const [own, data] = await Promise.all([folder, config.dataDir].map((path) => stat(path).catch(() => null)));
  return own && own.dev !== data?.dev ? folder : null;
}
