import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../config.ts';

const ROOT_FOLDER = '/var/lib/osprey';

/** Where our own cluster lies: for root, where PostgreSQL's account can reach it. */
export function databaseFolder({ databaseDir, dataDir }: Pick<Config, 'databaseDir' | 'dataDir'>): string {
  if (databaseDir !== null) return databaseDir;
  if (process.getuid?.() !== 0) return join(dataDir, 'postgres');
  return join(ROOT_FOLDER, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
}
