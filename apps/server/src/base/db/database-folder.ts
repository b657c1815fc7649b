import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { hasCluster } from './postgres-server.ts';

const ROOT_FOLDER = '/var/lib/osprey';
/** Everybody may pass through. */
const PASSABLE = 0o001;

type Place = Pick<Config, 'databaseDir' | 'dataDir'>;

/**
 * Folder of our own cluster: in the data folder, but elsewhere for root if PostgreSQL's account cannot enter that. An
 * existing cluster in one of the two places stays, even if the folder's rights change.
 */
export function databaseFolder({ databaseDir, dataDir }: Place): string {
  if (databaseDir !== null) return databaseDir;
  const inside = join(dataDir, 'postgres');
  if (process.getuid?.() !== 0) return inside;
  const apart = apartFrom(dataDir);
  if (hasCluster(apart)) return apart;
  return hasCluster(inside) || isPassable(dataDir) ? inside : apart;
}

/** Where a backup is restored to for its proof. It is a new cluster each time, so it needs a place for new ones. */
export function scratchFolder({ databaseDir, dataDir }: Place): string {
  const isApart = databaseDir === null && process.getuid?.() === 0 && !isPassable(dataDir);
  return `${isApart ? apartFrom(dataDir) : databaseFolder({ databaseDir, dataDir })}-scratch`;
}

/** Whether others may enter the folder, by its mode; a missing folder counts, since it gets that mode when it is made. */
export function isPassable(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found !== undefined && (found.mode & PASSABLE) === 0) return false;
  return dirname(folder) === folder || isPassable(dirname(folder));
}

const apartFrom = (dataDir: string): string =>
  join(ROOT_FOLDER, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));

/**
 * The folder of our own cluster if it is on a volume of its own; null on the volume of the recordings, or with an
 * external one.
 */
export async function databaseVolume(config: Readonly<Config>): Promise<string | null> {
  if (config.databaseUrl !== null) return null;
  const folder = databaseFolder(config);
  const [own, data] = await Promise.all([folder, config.dataDir].map((path) => stat(path).catch(() => null)));
  return own && own.dev !== data?.dev ? folder : null;
}
