import { Readable } from 'node:stream';
import {
  type Actor,
  AppError,
  type Bookmark,
  type Classification,
  classificationOf,
  classificationRank,
  createExportTicket,
  type ExportTask,
  exportMissionList,
  exportMissions,
  getExport,
  listExports,
  type Mission,
  removeExport,
  resumeExport,
} from '@osprey/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { ceilingRankOf } from '../../base/access/actors.ts';
import type { ItemFacts } from '../../base/access/authorize.ts';
import type { OpenReads } from '../../base/access/open-reads.ts';
import { auditedItem } from '../../base/audit/item-notes.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import type { Database } from '../../base/db/schema.ts';
import { attachment } from '../../base/http/attachment.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { Session } from '../../base/http/session.ts';
import { actorAgain } from '../../base/http/still-allowed.ts';
import type { Contents } from '../../base/items/content.ts';
import type { ExportSlots } from '../../base/jobs/export-slots.ts';
import {
  beginExport,
  exportAction,
  exportInput,
  exportKey,
  exportResult,
  ownExports,
  removeExportFiles,
} from '../../base/jobs/export-tasks.ts';
import type { TaskRow } from '../../base/jobs/tasks.ts';
import { checkExportRoom } from '../../base/storage/export-room.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { writeZip } from '../../base/storage/zip-writer.ts';
import { rangeHeaders, rangeOfFile, watchedRead } from '../../media/play/transfer.ts';
import { authorizeExport, contentsOf, entriesOf, type Planned } from './contents.ts';
import { archiveFileName } from './file-name.ts';
import { csvOf, jsonOf, type ListedMission } from './list-text.ts';
import type { ArchivedMissions } from './missions.ts';
import { exportTickets } from './tickets.ts';

export type ExportRoutesDeps = Http & {
  db: Kysely<Database>;
  storage: Storage;
  contents: Contents;
  missions: ArchivedMissions;
  reads: OpenReads;
  nowMs: () => number;
  /** Key that signs tickets; it stays the same across restarts. */
  ticketKey: Buffer;
  serverName: string;
  /** Limits exports that are streamed while they are made. */
  slots: ExportSlots;
  /** Returns the reason, as a sentence, why the licence currently allows no exports; null if it allows them. */
  exportRefusal: () => string | null;
  /** The id of the one visible mission of this id or name. @throws AppError notFound, missionNameAmbiguous */
  missionId: (actor: Actor, ref: string) => Promise<string>;
  /** A mission as its row in the list, without a token. */
  missionOf: (actor: Actor, id: string) => Promise<Mission>;
  /** Bookmarks of a mission that the actor may read, by time. */
  bookmarksOf: (actor: Actor, missionId: string) => Promise<Bookmark[]>;
};

type Facts = ItemFacts & { id: string; name: string };

/** Serves archives and lists of missions to users who may export each of the named missions. */
export function exportRoutes(deps: ExportRoutesDeps): void {
  const { db, storage } = deps;
  const tickets = exportTickets({ key: deps.ticketKey, nowMs: deps.nowMs });

  callRoute(deps, exportMissions, async ({ input: { body }, actor, session, request, reply, audit }) => {
    const missions = await findMissions(actor, body.missions);
    if (body.archiveFormat !== 'zip') throw refusal('Only archiveFormat "zip" can be exported.');
    if (body.content !== 'processed') throw refusal('Only content "processed" can be exported.');
    refuseUnlicensed();
    const contents = await contentsOf(deps, actor, ids(missions));
    await checkExportRoom(storage, body.async ? contents.sizeBytes : 0);
    await deps.slots.check(actor.id);
    if (body.async) {
      await note(audit, missions, 'archive');
      const title = missions.map(({ name }) => name).join(', ');
      return { id: await beginExport(deps, actor, { title, input: { missions: ids(missions) } }) };
    }
    // Take the slot before any await, so that concurrent requests cannot all pass the limit check.
    const release = deps.slots.enter(actor.id);
    try {
      await note(audit, missions, 'archive');
      const zip = await send({ actor, session, request, reply }, missions, contents);
      zip.once('close', release);
      return zip;
    } catch (error) {
      release();
      throw error;
    }
  });

  callRoute(deps, exportMissionList, async ({ input: { body }, actor, reply, audit }) => {
    const missions = await findMissions(actor, body.missions);
    refuseUnlicensed();
    await checkExportRoom(storage);
    await note(audit, missions, 'list');
    const rows: ListedMission[] = [];
    for (const { id } of missions) {
      const mission = await deps.missionOf(actor, id);
      rows.push({ mission, bookmarks: body.includeBookmarks ? await deps.bookmarksOf(actor, id) : null });
    }
    const label = highestOf(missions.map(({ securityClassification }) => securityClassification));
    const name = { label, names: missions.map((one) => one.name), nowUs: deps.nowUs() };
    saved(reply, archiveFileName(name, body.format));
    reply.type(body.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8');
    return Readable.from([body.format === 'csv' ? csvOf(rows) : jsonOf(rows)]);
  });

  callRoute(deps, listExports, async ({ actor }) => {
    const rows = await ownExports(db, actor.id).orderBy('created', 'desc').limit(100).execute();
    const labels = await deps.missions.labels(actor, rows.flatMap(missionsOf));
    const ceiling = ceilingRankOf(actor);
    // The title of an export names its missions, so exports that include a mission now hidden from the actor are left
    // out. The label of a mission that no longer exists is unknown, so such an export is hidden from sessions with a
    // lower ceiling than that of its order.
    const isKnown = (row: TaskRow) =>
      missionsOf(row).every((id) => (labels.has(id) ? labels.get(id) !== 'hidden' : row.ceiling <= ceiling));
    const shown = rows.filter((row) => isKnown(row) && rankIn(row) <= classificationRank(actor.clearance));
    return shown.map((row) => toExport(row, labelOf(row, labels, actor)));
  });

  callRoute(deps, createExportTicket, async ({ input: { params }, actor, session }) => {
    const { missions, action } = await findFinished(actor, params.id);
    await authorizeExport(db, actor, missions, action);
    return { ticket: tickets.give(params.id, session.id ?? '') };
  });

  callRoute(deps, getExport, async ({ input: { params, query }, actor, session, request, reply, audit }) => {
    const { task, missions, action } = await findFinished(actor, params.id);
    const facts = await authorizeExport(db, actor, missions, action);
    refuseUnlicensed();
    const complete = { sizeBytes: task.size_bytes ?? 0, tag: task.id };
    const range = rangeOfFile(request, reply, complete);
    const isHead = request.method === 'HEAD';
    const asked = { exportId: task.id, session: session.id ?? '', goesOn: isHead || range.start > 0 };
    // A cookie alone is not enough, since browsers send it automatically and a link on another site could trigger the
    // download.
    if (session.kind === 'cookie' && !tickets.opens(query.ticket ?? '', asked)) throw new AppError('notFound');
    if (!isHead) for (const one of facts) await audit.read('export.download', one);
    const { fileName } = exportResult.parse(task.result);
    const writeHead = () => rangeHeaders(saved(reply, fileName).type('application/zip'), complete, range);
    if (isHead) {
      writeHead();
      return Readable.from([]);
    }
    return watched({ actor, session, request, reply }, { missions: facts, action }, () => {
      writeHead();
      return storage.read(exportKey(task.id), { start: range.start, end: range.end, isComplete: true });
    });
  });

  callRoute(deps, removeExport, async ({ input: { params }, actor }) => {
    const open = await ownExports(db, actor.id)
      .where('id', '=', params.id)
      .where('state', 'in', ['waiting', 'running'])
      .executeTakeFirst();
    if (open !== undefined && isClips(open)) {
      await db
        .updateTable('tasks')
        .set({ state: 'cancelled', ended: deps.nowUs(), error: null })
        .where('id', '=', open.id)
        .where('state', 'in', ['waiting', 'running'])
        .execute();
      return { message: 'The export was cancelled. It can be resumed.' };
    }
    const gone = await db
      .deleteFrom('tasks')
      .where('id', '=', params.id)
      .where('kind', '=', 'export')
      .where('user_id', '=', actor.id)
      .returning('id')
      .executeTakeFirst();
    if (gone === undefined) throw new AppError('notFound');
    await removeExportFiles(storage, gone.id);
    return { message: 'The export was removed.' };
  });

  callRoute(deps, resumeExport, async ({ input: { params }, actor, audit }) => {
    const task = await ownExports(db, actor.id)
      .where('id', '=', params.id)
      .where('state', 'in', ['cancelled', 'failed'])
      .executeTakeFirst();
    if (task === undefined || !isClips(task)) throw new AppError('notFound');
    const { missions } = exportInput.parse(task.input);
    const facts = await authorizeExport(db, actor, missions, 'clip.export');
    refuseUnlicensed();
    await checkExportRoom(storage);
    await deps.slots.check(actor.id);
    for (const { id: itemId, securityClassification: itemLabel, usergroups } of facts) {
      await audit.write({
        action: 'clip.export',
        itemId,
        itemLabel,
        usergroups,
        result: 'zip in the background, resumed',
      });
    }
    await db
      .updateTable('tasks')
      .set({ state: 'waiting', attempts: 0, ended: null, error: null, heartbeat: null })
      .where('id', '=', task.id)
      .where('state', 'in', ['cancelled', 'failed'])
      .execute();
    return { message: 'The export goes on.' };
  });

  /** @throws AppError notFound when one of them is hidden or absent: nothing is exported then */
  async function findMissions(actor: Actor, refs: readonly string[]): Promise<Facts[]> {
    const found = new Set<string>();
    for (const ref of refs) found.add(await deps.missionId(actor, ref));
    return authorizeExport(db, actor, [...found]);
  }

  function refuseUnlicensed(): void {
    const reason = deps.exportRefusal();
    if (reason !== null) throw refusal(reason);
  }

  function send(asking: Asking, missions: readonly Facts[], contents: Planned): Promise<Readable> {
    const nowUs = deps.nowUs();
    return watched(asking, { missions, action: 'mission.export' }, () => {
      const names = missions.map(({ name }) => name);
      saved(asking.reply, archiveFileName({ label: contents.label, names, nowUs })).type('application/zip');
      return writeZip(entriesOf({ storage }, contents, { server: deps.serverName, nowUs }));
    });
  }

  /** Begins a transfer that ends as soon as the actor loses the right to any of its missions. @throws AppError */
  function watched(asking: Asking, { missions, action }: Exported, begin: () => Readable): Promise<Readable> {
    const again = async () => {
      const actor = await actorAgain(deps, asking.request, { media: asking.request.method === 'GET' });
      await authorizeExport(db, actor, ids(missions), action);
    };
    return watchedRead(deps.reads, asking, missions, { again, begin });
  }

  /** Reads a finished export of the actor. @throws AppError notFound, also for exports of others */
  async function findFinished(actor: Actor, id: string) {
    const task = await ownExports(db, actor.id).where('id', '=', id).where('state', '=', 'done').executeTakeFirst();
    if (task === undefined) throw new AppError('notFound');
    if (rankIn(task) > classificationRank(actor.clearance)) throw new AppError('notFound');
    const input = exportInput.parse(task.input);
    return { task, missions: input.missions, action: exportAction(input) };
  }
}

type Asking = { actor: Actor; session: Session; request: FastifyRequest; reply: FastifyReply };

type Exported = { missions: readonly Facts[]; action: ReturnType<typeof exportAction> };

const refusal = (reason: string) => new AppError('ruleRefused', { reason });
const ids = (missions: readonly Facts[]): string[] => missions.map(({ id }) => id);

async function note(audit: RequestAudit, missions: readonly Facts[], result: string): Promise<void> {
  for (const mission of missions) await audit.write({ action: 'mission.export', ...auditedItem(mission), result });
}

const highestOf = (labels: readonly Classification[]): Classification =>
  classificationOf(Math.max(1, ...labels.map(classificationRank)));

function saved(reply: FastifyReply, fileName: string): FastifyReply {
  return reply
    .header('content-disposition', attachment(fileName))
    .header('cache-control', 'private, no-store')
    .header('content-security-policy', "sandbox; default-src 'none'");
}

const isClips = ({ input }: TaskRow): boolean => exportInput.parse(input).clips !== undefined;

const missionsOf = ({ input }: TaskRow): string[] => exportInput.parse(input).missions;

/**
 * Returns the rank of a finished archive's label, which may be above those of its missions; 1 for an unfinished one.
 */
const rankIn = ({ result }: TaskRow): number =>
  result === null ? 1 : classificationRank(exportResult.parse(result).label ?? 'UNCLASSIFIED');

type Labels = ReadonlyMap<string, Classification | 'hidden'>;

/** The label of a mission that no longer exists was not above the user's clearance. */
const labelOf = (row: TaskRow, labels: Labels, { clearance }: Actor): Classification =>
  highestOf([
    classificationOf(rankIn(row)),
    ...missionsOf(row).map((id) => {
      const label = labels.get(id);
      return label === undefined || label === 'hidden' ? clearance : label;
    }),
  ]);

const toExport = (row: TaskRow, securityClassification: Classification): ExportTask => ({
  _id: row.id,
  kind: isClips(row) ? 'clips' : 'archive',
  securityClassification,
  state: row.state as ExportTask['state'],
  title: row.title,
  progress: row.progress,
  sizeBytes: row.size_bytes,
  fileName: row.result === null ? null : exportResult.parse(row.result).fileName,
  error: row.error,
  created: row.created,
});
