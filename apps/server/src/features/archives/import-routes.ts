import { randomUUID } from 'node:crypto';
import { addAbortListener } from 'node:events';
import type { Readable } from 'node:stream';
import { AppError, type ImportTask, listImports, removeImport } from '@osprey/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { ceilingRankOf } from '../../base/access/actors.ts';
import { authorize } from '../../base/access/authorize.ts';
import type { Database } from '../../base/db/schema.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { TaskRow } from '../../base/jobs/tasks.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { type Admission, everySpaceStep } from '../../uploads/admission.ts';
import { displayName } from '../../uploads/display-name.ts';
import { receive, TooManyBytes } from '../../uploads/receive.ts';
import * as protocol from '../../uploads/tus-protocol.ts';
import { type TusRequest, tusRoute } from '../../uploads/tus-session.ts';
import type { TusStore } from '../../uploads/tus-store.ts';
import { importKey, importResult } from './import-task.ts';

const PATH = '/api/imports';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Maximum number of unfinished imports of one user. */
const OPEN_MAX = 5;

export type ImportRoutesDeps = Http & {
  db: Kysely<Database>;
  storage: Storage;
  admission: Admission;
  /** Ensures that only one request at a time writes to an upload. */
  uploads: Pick<TusStore, 'alone'>;
};

/**
 * Serves imports of archives. Archives are uploaded by tus, resumably, and read by the worker; their reports are kept
 * for their user.
 */
export function importRoutes(deps: ImportRoutesDeps): void {
  const { db, storage } = deps;
  const one = `${PATH}/:id`;
  tusRoute(deps, { method: 'POST', url: PATH, bodyType: null, handle: (context) => create(deps, context) });
  tusRoute(deps, { method: 'HEAD', url: one, bodyType: null, handle: (context) => notify(deps, context) });
  tusRoute(deps, {
    method: 'PATCH',
    url: one,
    bodyType: protocol.OFFSET_TYPE,
    handle: (context) => appendChunk(deps, context),
  });

  callRoute(deps, listImports, async ({ actor }) => {
    const rows = await ownTasks(db, actor.id)
      // Reports name missions, so a session sees no imports that were ordered by a session with a higher ceiling.
      .where('ceiling', '<=', ceilingRankOf(actor))
      .orderBy('created', 'desc')
      .limit(100)
      .execute();
    return rows.map(toImport);
  });

  callRoute(deps, removeImport, async ({ input: { params }, actor }) => {
    const gone = await db
      .deleteFrom('tasks')
      .where('id', '=', params.id)
      .where('kind', '=', 'import')
      .where('user_id', '=', actor.id)
      .returning('id')
      .executeTakeFirst();
    if (gone === undefined) throw new AppError('notFound');
    await storage.remove(importKey(gone.id));
    return { message: 'The import was removed.' };
  });
}

async function create(deps: ImportRoutesDeps, { actor, request, reply }: TusRequest): Promise<void> {
  const { db, nowUs } = deps;
  authorize(actor, 'mission.createAny');
  const size = protocol.readCount(request.headers, 'Upload-Length');
  if (size === 0) throw new AppError('emptyFile');
  await deps.admission.check({ userId: actor.id, bytes: size });
  const open = await ownTasks(db, actor.id).where('state', 'in', ['uploading', 'waiting', 'running']).execute();
  if (open.length >= OPEN_MAX) throw new AppError('tooManyRequests', { seconds: '60' });
  const id = randomUUID();
  const row = {
    id,
    kind: 'import',
    user_id: actor.id,
    state: 'uploading',
    title: displayName(protocol.readMetadata(request.headers).get('filename') ?? ''),
    input: JSON.stringify({}),
    result: null,
    error: null,
    size_bytes: size,
    offset_bytes: 0,
    storage_key: importKey(id),
    created: nowUs(),
    ended: null,
    heartbeat: nowUs(),
    ceiling: ceilingRankOf(actor),
  };
  await db.insertInto('tasks').values(row).execute();
  await reply.code(201).header('Location', `${PATH}/${id}`).send();
}

async function notify({ db }: ImportRoutesDeps, { actor, request, reply }: TusRequest): Promise<void> {
  authorize(actor, 'mission.createAny');
  const row = await upload(db, request, actor.id);
  await offsetOf(reply, row).header('Upload-Length', String(row.size_bytes)).send();
}

async function appendChunk(deps: ImportRoutesDeps, { actor, request, reply }: TusRequest): Promise<void> {
  const { db, storage } = deps;
  authorize(actor, 'mission.createAny');
  const offset = protocol.readCount(request.headers, 'Upload-Offset');
  const { id } = await upload(db, request, actor.id);
  await deps.uploads.alone(id, async (signal) => {
    const row = await upload(db, request, actor.id);
    const size = row.size_bytes ?? 0;
    if (offset !== row.offset_bytes) throw new AppError('uploadMoved');
    const done = row.state === 'uploading' ? await store({ row, size, signal }) : offset;
    if (row.state === 'uploading' && done === size) {
      await db.updateTable('tasks').set({ state: 'waiting' }).where('id', '=', id).execute();
    }
    await reply.code(204).header('Upload-Offset', String(done)).send();
  });

  async function store({ row, size, signal }: { row: TaskRow; size: number; signal: AbortSignal }): Promise<number> {
    await deps.admission.check({ userId: actor.id, bytes: size - offset, uploadId: row.id });
    const body = request.body as Readable | undefined;
    const file = await storage.append(importKey(row.id));
    const checkRoom = everySpaceStep(offset, (sizeBytes) =>
      deps.admission.check({ userId: actor.id, bytes: size - sizeBytes, uploadId: row.id }),
    );
    const stop = () => body?.destroy();
    // The next writer may already have aborted this one; `addAbortListener` detects that too.
    const listening = addAbortListener(signal, stop);
    try {
      // Bytes after the confirmed offset may be incomplete.
      if (file.sizeBytes() > offset) await file.truncate(offset);
      if (file.sizeBytes() < offset) throw new AppError('notFound');
      const durable = async (sizeBytes: number) => {
        const at = { offset_bytes: sizeBytes, progress: (100 * sizeBytes) / size, heartbeat: deps.nowUs() };
        await db.updateTable('tasks').set(at).where('id', '=', row.id).execute();
        await checkRoom(sizeBytes);
      };
      const source = body?.iterator({ destroyOnReturn: false });
      if (source) await receive({ source, file, hash: null, maxBytes: size, durable });
      return file.sizeBytes();
    } catch (error) {
      if (error instanceof TooManyBytes) throw new AppError('bodyTooLarge', {}, error);
      if (!(error instanceof AppError) && body?.destroyed) throw new AppError('uploadMoved', {}, error);
      throw error;
    } finally {
      listening[Symbol.dispose]();
      await file.close();
    }
  }
}

const offsetOf = (reply: FastifyReply, row: TaskRow): FastifyReply =>
  reply.header('Upload-Offset', String(row.offset_bytes ?? 0));

/** Reads an upload of this user; uploads of other users count as absent. @throws AppError notFound */
async function upload(db: Kysely<Database>, request: FastifyRequest, userId: string): Promise<TaskRow> {
  const { id } = request.params as { id: string };
  const row = UUID.test(id) ? await ownTasks(db, userId).where('id', '=', id).executeTakeFirst() : undefined;
  if (row === undefined) throw new AppError('notFound');
  return row;
}

const ownTasks = (db: Kysely<Database>, userId: string) =>
  db.selectFrom('tasks').selectAll().where('kind', '=', 'import').where('user_id', '=', userId);

const toImport = (row: TaskRow): ImportTask => ({
  _id: row.id,
  state: row.state as ImportTask['state'],
  title: row.title,
  progress: row.progress,
  sizeBytes: row.size_bytes ?? 0,
  error: row.error,
  missions: row.result === null ? [] : importResult.parse(row.result).missions,
  created: row.created,
});
