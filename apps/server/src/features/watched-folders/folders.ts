import { mkdir, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import {
  type Actor,
  AppError,
  type Classification,
  classificationOf,
  classificationRank,
  type newWatchFolder,
  platform,
  shareProblem,
  type WatchFolder,
} from '@osprey/contract';
import type { Kysely, Selectable } from 'kysely';
import type { z } from 'zod';
import { knowsGroup } from '../../base/access/known-groups.ts';
import type { Database } from '../../base/db/schema.ts';

export type FolderRow = Selectable<Database['watch_folders']>;
type Requested = z.output<typeof newWatchFolder>;

/** A watched folder given in the configuration. */
export type ConfiguredFolder = {
  path: string;
  label: number | null;
  /** Names of usergroups. */
  groups: string[];
  platform: string | null;
};

export type FoldersDeps = {
  db: Kysely<Database>;
  nowUs: () => number;
  dataDir: string;
  configured: readonly ConfiguredFolder[];
  /** Label of folders that have none. */
  systemHigh: Classification;
};

/**
 * Watched folders of the server. They must be below the configured roots, so that users cannot make the server read
 * other folders of the machine.
 */
export function watchFolders({ db, nowUs, dataDir, configured, systemHigh }: FoldersDeps) {
  const inbox = resolve(dataDir, 'inbox');
  const roots = [inbox, ...configured.map(({ path }) => resolve(path))];

  /** Returns the real path of a folder, with links resolved. @throws AppError ruleRefused */
  async function checkPath(path: string): Promise<string> {
    await mkdir(inbox, { recursive: true, mode: 0o700 });
    const real = await realpath(resolve(inbox, path)).catch(() => null);
    const isFolder = real !== null && (await stat(real)).isDirectory();
    const bases = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
    // The message does not reveal whether the folder exists outside of the roots.
    if (!isFolder || !bases.some((base) => isInside(real, base))) {
      const reason = `There is no such folder below ${roots.join(' or ')}.`;
      throw new AppError('ruleRefused', { reason });
    }
    return real;
  }

  async function refuseShare(actor: Actor, requested: Requested): Promise<void> {
    if (requested.securityClassification === null) {
      // Actors may only set up folders that they could see themselves.
      if (classificationRank(systemHigh) > classificationRank(actor.clearance)) throw new AppError('forbidden');
      return;
    }
    const rows = await db.selectFrom('usergroups').select(['id', 'name', 'classification']).execute();
    const existing = rows
      .filter(({ id }) => knowsGroup(actor, id))
      .map(({ id, name, classification }) => ({
        _id: id,
        name,
        securityClassification: classificationOf(classification),
      }));
    const problem = shareProblem(
      actor,
      { ...requested, securityClassification: requested.securityClassification },
      existing,
    );
    if (problem === null) return;
    if (problem.code !== 'labelAboveGroup') throw new AppError(problem.code);
    throw new AppError('labelAboveGroup', {
      label: requested.securityClassification,
      groups: problem.groups.join(', '),
    });
  }

  /**
   * Returns whether an actor may know a folder. Names of folders and files reveal their content, so folders above the
   * actor's clearance are not listed.
   */
  const isKnownTo = (actor: Actor, { classification }: FolderRow): boolean =>
    (classification ?? classificationRank(systemHigh)) <= classificationRank(actor.clearance);

  /** @throws AppError notFound */
  async function read(actor: Actor, id: string): Promise<FolderRow> {
    const row = await db.selectFrom('watch_folders').selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined || !isKnownTo(actor, row)) throw new AppError('notFound');
    return row;
  }

  async function changeable(actor: Actor, id: string): Promise<FolderRow> {
    const row = await read(actor, id);
    if (row.from_configuration) {
      throw new AppError('ruleRefused', { reason: 'This folder is set in OSPREY_WATCH. Change it there.' });
    }
    return row;
  }

  const columns = (actor: Actor, requested: Requested, path: string) => ({
    path,
    classification: requested.securityClassification && classificationRank(requested.securityClassification),
    audience: requested.audience,
    usergroups: requested.usergroups,
    platform: JSON.stringify(requested.platform),
    move_files: requested.moveFiles,
    enabled: requested.enabled,
    user_id: actor.id,
    problem: null,
  });

  return {
    roots,
    systemHigh,
    read,

    async list(actor: Actor): Promise<WatchFolder[]> {
      const rows = await db.selectFrom('watch_folders').selectAll().orderBy('path').execute();
      return rows.filter((row) => isKnownTo(actor, row)).map(toFolder);
    },

    async create(actor: Actor, requested: Requested): Promise<WatchFolder> {
      await refuseShare(actor, requested);
      const row = { ...columns(actor, requested, await checkPath(requested.path)), created: nowUs() };
      return toFolder(
        await db
          .insertInto('watch_folders')
          .values(row)
          .returningAll()
          .executeTakeFirstOrThrow()
          .catch((error) => {
            if ((error as { constraint?: string }).constraint !== 'watch_folders_path') throw error;
            throw new AppError('ruleRefused', { reason: 'This folder is already watched.' }, error);
          }),
      );
    },

    async update(actor: Actor, id: string, requested: Requested): Promise<WatchFolder> {
      await changeable(actor, id);
      await refuseShare(actor, requested);
      const row = columns(actor, requested, await checkPath(requested.path));
      await db.updateTable('watch_folders').set(row).where('id', '=', id).execute();
      return toFolder(await read(actor, id));
    },

    async remove(actor: Actor, id: string): Promise<void> {
      await changeable(actor, id);
      await db.deleteFrom('watch_folders').where('id', '=', id).execute();
    },

    /** Updates the rows to match the configuration, when the worker starts. */
    async configure(): Promise<void> {
      await mkdir(inbox, { recursive: true, mode: 0o700 });
      const paths: string[] = [];
      for (const one of configured) {
        const path = await realpath(resolve(one.path)).catch(() => resolve(one.path));
        const found = one.groups.length === 0 ? [] : await groupsNamed(db, one.groups);
        const row = {
          classification: one.label,
          audience: 'groups' as const,
          usergroups: found,
          platform: JSON.stringify(platform.parse(one.platform === null ? {} : { name: one.platform })),
          from_configuration: true,
          enabled: true,
        };
        await db
          .insertInto('watch_folders')
          .values({ ...row, path, user_id: null, problem: null, created: nowUs() })
          .onConflict((conflict) => conflict.column('path').doUpdateSet(row))
          .execute();
        paths.push(path);
      }
      let gone = db.deleteFrom('watch_folders').where('from_configuration', '=', true);
      if (paths.length > 0) gone = gone.where('path', 'not in', paths);
      await gone.execute();
    },
  };
}

export type WatchFolders = ReturnType<typeof watchFolders>;

const groupsNamed = async (db: Kysely<Database>, names: readonly string[]): Promise<string[]> =>
  (
    await db
      .selectFrom('usergroups')
      .select('id')
      .where('name', 'in', [...names])
      .execute()
  ).map(({ id }) => id);

export const isInside = (path: string, base: string): boolean =>
  path === base || path.startsWith(base.endsWith(sep) ? base : join(base, sep));

const toFolder = (row: FolderRow): WatchFolder => ({
  _id: row.id,
  path: row.path,
  securityClassification: row.classification === null ? null : classificationOf(row.classification),
  audience: row.audience,
  usergroups: row.usergroups,
  platform: platform.parse(row.platform),
  moveFiles: row.move_files,
  enabled: row.enabled,
  fromConfiguration: row.from_configuration,
  problem: row.problem,
});
