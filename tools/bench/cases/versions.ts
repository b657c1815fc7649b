import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Actor, CasePart } from '@osprey/contract';
import type { addCase } from '../../../apps/server/test/cases.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** The commit in which all parts of a case were read with one query. */
export const EARLIER = 'e3948b17';

export type Db = Parameters<typeof addCase>[0];
export type PartsOf = (actor: Actor, caseId: string) => Promise<CasePart[]>;

/** A version of the server, loaded from the sources in its own folder, so that two versions run side by side. */
export type Version = {
  startPostgres: (options: { folder: string }) => Promise<{
    url: (database: string) => string;
    stop: () => Promise<void>;
  }>;
  connect: (options: { url: string; statementTimeoutMs: number }) => Db;
  migrate: (db: Db) => Promise<void>;
  /** Returns the function that lists a case's parts in the same way as the route; stored files are in `folder`. */
  partsOf: (db: Db, folder: string) => PartsOf;
};

export async function versionIn(root: string): Promise<Version> {
  const module = (path: string) => import(pathToFileURL(join(root, 'apps/server/src', path)).href);
  const { startPostgres } = await module('base/db/postgres-server.ts');
  const { connect } = await module('base/db/connect.ts');
  const { migrate } = await module('base/db/migrate.ts');
  const { folderStorage } = await module('base/storage/folder.ts');
  const { caseParts } = await module('features/cases/parts.ts');
  const { spanExtents } = await module('features/cases/span-extents.ts');
  const { sensorAnchors } = await module('media/anchors/sensor-anchors.ts');
  const { sensorIndexes } = await module('media/play/sensor-index-cache.ts');
  const { telemetryReader } = await module('telemetry/reader.ts');
  const hasContents = existsSync(join(root, 'apps/server/src/compose/contents.ts'));
  const { productContents } = hasContents ? await module('compose/contents.ts') : {};
  return {
    ...{ startPostgres, connect, migrate },
    partsOf(db, folder) {
      const storage = folderStorage({ root: folder });
      const damaged = () => undefined;
      const indexes = sensorIndexes({ storage, damaged });
      const telemetry = telemetryReader({ storage, damaged });
      const { times } = sensorAnchors({ db, storage, indexes });
      // Listing parts needs nothing else from the process.
      const contents = productContents?.({ db, storage, indexes, telemetry, config: {}, events: {} });
      return caseParts({ db, contents, storage, times, extentOfSpan: spanExtents({ indexes, telemetry }) });
    },
  };
}

export const ownVersion = (): Promise<Version> => versionIn(ROOT);

/** Checks out the sources of the earlier commit into the folder; they use the packages installed here. */
export async function earlierVersion(folder: string): Promise<Version> {
  const paths = ['apps/server', 'packages', 'package.json'];
  const input = execFileSync('git', ['-C', ROOT, 'archive', EARLIER, ...paths], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input });
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@osprey'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== '@osprey') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  for (const name of readdirSync(join(folder, 'packages'))) {
    symlinkSync(join(folder, 'packages', name), join(modules, '@osprey', name));
  }
  return versionIn(folder);
}
