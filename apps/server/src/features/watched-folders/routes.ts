import {
  AppError,
  classificationOf,
  createWatchFolder,
  deleteWatchFolder,
  type IntakeFile,
  importList,
  intakeReport,
  listWatchFolders,
  updateWatchFolder,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import { ceilingRankOf } from '../../base/access/actors.ts';
import type { Database } from '../../base/db/schema.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import { visible } from '../../base/items/visibility.ts';
import type { WatchFolders } from './folders.ts';
import { readList } from './list.ts';

const REPORTED_MAX = 500;
/** Maximum number of pending lists of one user. */
const LISTS_MAX = 5;

export type WatchedFolderRoutesDeps = Http & { db: Kysely<Database>; folders: WatchFolders };

/** Routes for watched folders, lists of missions, and the outcomes of their files. */
export function watchedFolderRoutes(deps: WatchedFolderRoutesDeps): void {
  const { db, folders, nowUs } = deps;

  callRoute(deps, listWatchFolders, async ({ actor }) => ({
    roots: folders.roots,
    folders: await folders.list(actor),
  }));
  callRoute(deps, createWatchFolder, ({ input: { body }, actor }) => folders.create(actor, body));
  callRoute(deps, updateWatchFolder, ({ input: { params, body }, actor }) => folders.update(actor, params.id, body));
  callRoute(deps, deleteWatchFolder, async ({ input: { params }, actor }) => {
    await folders.remove(actor, params.id);
    return { message: 'The folder is no longer watched.' };
  });

  callRoute(deps, intakeReport, async ({ actor }) => {
    const existing = new Map(
      (await folders.list(actor)).map(({ _id, securityClassification }) => [_id, securityClassification]),
    );
    if (existing.size === 0) return [];
    const rows = await db
      .selectFrom('intake_files')
      .selectAll()
      .where('folder_id', 'in', [...existing.keys()])
      .orderBy('time', 'desc')
      .orderBy('name')
      .limit(REPORTED_MAX)
      .execute();
    const ids = [...new Set(rows.flatMap(({ mission_id }) => mission_id ?? []))];
    const missions =
      ids.length === 0
        ? []
        : await visible(db, actor)
            .select(['missions.id', 'missions.name', 'missions.classification', 'missions.marked'])
            .where('missions.id', 'in', ids)
            .execute();
    const seen = new Map(missions.map((mission) => [mission.id, mission]));
    const labelOf = ({ mission_id, folder_id }: (typeof rows)[number]) => {
      const mission = seen.get(mission_id ?? '');
      if (mission) return { securityClassification: classificationOf(mission.classification), marked: mission.marked };
      const label = existing.get(folder_id) ?? null;
      return { securityClassification: label ?? folders.systemHigh, marked: label !== null };
    };
    // A file is left out if the reader may not see its mission, since its name may reveal the content.
    return rows
      .filter(({ mission_id }) => mission_id === null || seen.has(mission_id))
      .map(
        (row): IntakeFile => ({
          _id: row.id,
          folder: row.folder_id,
          name: row.name,
          sizeBytes: row.size_bytes,
          outcome: row.outcome,
          reason: row.reason,
          mission: row.mission_id === null ? null : { _id: row.mission_id, name: seen.get(row.mission_id)?.name ?? '' },
          ...labelOf(row),
          time: row.time,
        }),
      );
  });

  callRoute(deps, importList, async ({ input: { params, body }, actor }) => {
    const folder = await folders.read(actor, params.id);
    const rows = readList(body.format, body.text);
    const open = await db
      .selectFrom('tasks')
      .select('id')
      .where('kind', '=', 'list')
      .where('user_id', '=', actor.id)
      .where('state', 'in', ['waiting', 'running'])
      .execute();
    if (open.length >= LISTS_MAX)
      throw new AppError('ruleRefused', { reason: 'Please wait until your other lists are read.' });
    await db
      .insertInto('tasks')
      .values({
        kind: 'list',
        user_id: actor.id,
        state: 'waiting',
        title: `${rows.length} rows`,
        input: JSON.stringify({ folder: folder.id, rows }),
        result: null,
        error: null,
        size_bytes: null,
        offset_bytes: null,
        storage_key: null,
        created: nowUs(),
        ended: null,
        heartbeat: null,
        ceiling: ceilingRankOf(actor),
      })
      .execute();
    return { message: `${rows.length} row(s) are being read. What became of them stands in the report.` };
  });
}
