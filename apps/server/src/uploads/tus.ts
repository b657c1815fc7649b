import { createHash } from 'node:crypto';
import { addAbortListener } from 'node:events';
import type { Readable } from 'node:stream';
import { AppError, uploadPurposes } from '@osprey/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorize } from '../base/access/authorize.ts';
import type { Http } from '../base/http/call-route.ts';
import { actorAgain } from '../base/http/still-allowed.ts';
import { NotStored } from '../base/storage/storage.ts';
import { readLastModified } from '../media/formats/last-modified.ts';
import { type AcceptDeps, acceptFiles, uploadedKey } from './accept.ts';
import { type Admission, bytesMadeOf, everySpaceStep } from './admission.ts';
import { displayName, shownName } from './display-name.ts';
import { createJudge } from './judge.ts';
import { uploadProgress } from './progress.ts';
import { receive, TooManyBytes } from './receive.ts';
import type { FileKind } from './sniff.ts';
import { type Target, targetOfUpload } from './target.ts';
import * as protocol from './tus-protocol.ts';
import { type TusRequest, tusRoute } from './tus-session.ts';
import { EXPIRES_MS, isComplete, isFinished, type TusStore, type UploadRow } from './tus-store.ts';

const PATH = '/api/uploads';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export type TusRoutesDeps = Http & AcceptDeps & { admission: Admission; uploads: TusStore };

/**
 * Resumable uploads: tus 1.0 with creation, expiration, checksum and termination. Metadata: `filename`, `lastModified`,
 * and either `sensorId`, or a `purpose` of document or tiles. A file with a purpose waits for the POST to documents or
 * map/files that names it.
 */
export function tusRoutes(deps: TusRoutesDeps): void {
  deps.app.addContentTypeParser(protocol.OFFSET_TYPE, (_request, payload, done) => done(null, payload));

  deps.app.route({
    method: 'OPTIONS',
    url: PATH,
    config: { policy: 'public.use' },
    handler: async (_request, reply) =>
      reply
        .code(204)
        .header('Tus-Resumable', protocol.TUS_VERSION)
        .header('Tus-Version', protocol.TUS_VERSION)
        .header('Tus-Extension', protocol.TUS_EXTENSIONS)
        .header('Tus-Checksum-Algorithm', protocol.CHECKSUM_ALGORITHMS.join(','))
        .send(),
  });
  const one = `${PATH}/:id`;
  tusRoute(deps, { method: 'POST', url: PATH, bodyType: null, handle: (context) => create(deps, context) });
  tusRoute(deps, { method: 'HEAD', url: one, bodyType: null, handle: (context) => notify(deps, context) });
  tusRoute(deps, {
    method: 'PATCH',
    url: one,
    bodyType: protocol.OFFSET_TYPE,
    handle: (context) => appendChunk(deps, context),
  });
  tusRoute(deps, { method: 'DELETE', url: one, bodyType: null, handle: (context) => terminate(deps, context) });
}

async function create(deps: TusRoutesDeps, { actor, request, reply }: TusRequest): Promise<void> {
  const metadata = protocol.readMetadata(request.headers);
  const purpose = metadata.get('purpose') ?? '';
  if (purpose === uploadPurposes.tiles) authorize(actor, 'tiles.manage');
  const sensorId = Object.keys(uploadPurposes).includes(purpose) ? null : (metadata.get('sensorId') ?? '');
  await targetOfUpload(deps.db, actor, sensorId);
  const size = protocol.readCount(request.headers, 'Upload-Length');
  if (size === 0) throw new AppError('emptyFile');
  const name = (sensorId === null ? shownName : displayName)(metadata.get('filename') ?? '');
  const madeBytes = sensorId === null ? 0 : bytesMadeOf(name, size);
  await deps.admission.check({ userId: actor.id, bytes: size, madeBytes });
  const row = await deps.uploads.create({
    user_id: actor.id,
    sensor_id: sensorId,
    name,
    size_bytes: size,
    last_modified: readLastModified(metadata.get('lastModified')),
  });
  await expires(reply, row).code(201).header('Location', `${PATH}/${row.id}`).send();
}

async function notify(deps: TusRoutesDeps, { actor, request, reply }: TusRequest): Promise<void> {
  const existing = await findUpload(deps, request, actor.id);
  await deps.uploads.alone(existing.id, async () => {
    const row = await findUpload(deps, request, actor.id);
    const target = await permitted(deps, row, () => targetOfUpload(deps.db, actor, row.sensor_id));
    // All bytes arrived, but finishing was interrupted. A client that queries the offset now will send nothing more, so
    // the upload is finished here.
    if (target && isComplete(row) && !isFinished(row)) await finish(deps, row, { target, request });
    const offset = String(row.offset_bytes);
    await expires(reply, row).header('Upload-Offset', offset).header('Upload-Length', row.size_bytes).send();
  });
}

async function terminate(deps: TusRoutesDeps, { actor, request, reply }: TusRequest): Promise<void> {
  const existing = await findUpload(deps, request, actor.id);
  await deps.uploads.alone(existing.id, async () => {
    await deps.uploads.remove(await findUpload(deps, request, actor.id));
    await reply.code(204).send();
  });
}

async function appendChunk(deps: TusRoutesDeps, { actor, request, reply }: TusRequest): Promise<void> {
  const offset = protocol.readCount(request.headers, 'Upload-Offset');
  const checksum = protocol.readChecksum(request.headers);
  const existing = await findUpload(deps, request, actor.id);
  await deps.uploads.alone(existing.id, async (signal) => {
    const row = await findUpload(deps, request, actor.id);
    const target = await permitted(deps, row, () => targetOfUpload(deps.db, actor, row.sensor_id));
    if (offset !== row.offset_bytes) throw new AppError('uploadMoved');
    if (!isComplete(row)) {
      const madeBytes = target ? bytesMadeOf(row.name, row.size_bytes) : 0;
      await deps.admission.check({
        userId: actor.id,
        bytes: row.size_bytes - offset,
        madeBytes,
        uploadId: row.id,
      });
      const body = (request.body as Readable | undefined) ?? null;
      const storing = () => store(deps, { row, body, checksum, target, signal });
      const ask = async () => {
        const now = await actorAgain(deps, request, { media: false });
        await targetOfUpload(deps.db, now, row.sensor_id);
      };
      const allowed = () => permitted(deps, row, () => whileAllowed(ask, () => body?.destroy(), storing));
      row.offset_bytes = await judged(deps, row, allowed);
    }
    if (target && isComplete(row) && !isFinished(row)) await finish(deps, row, { target, request });
    await expires(reply, row).code(204).header('Upload-Offset', String(row.offset_bytes)).send();
  });
}

/**
 * Interval of checks of a sender's rights in milliseconds; when the rights are lost, receiving stops within a second.
 */
const RIGHTS_MS = 400;

/** Runs `work`, but aborts it as soon as it is no longer allowed, and then throws the reason. */
async function whileAllowed<T>(ask: () => Promise<void>, cut: () => void, work: () => Promise<T>): Promise<T> {
  let refused: AppError | null = null;
  let asking = false;
  const refuse = (error: unknown) => {
    // Other failures of the check, such as an unavailable database, do not mean that rights were lost.
    if (!(error instanceof AppError) || !cutting.has(error.code)) return;
    refused = error;
    cut();
  };
  const timer = setInterval(() => {
    if (asking) return;
    asking = true;
    ask()
      .catch(refuse)
      .finally(() => {
        asking = false;
      });
  }, RIGHTS_MS);
  const answer = await work()
    .catch((error) => {
      throw refused ?? error;
    })
    .finally(() => clearInterval(timer));
  if (refused) throw refused;
  return answer;
}

type Storing = {
  row: UploadRow;
  body: Readable | null;
  checksum: protocol.Checksum | null;
  target: Target | null;
  signal: AbortSignal;
};

/**
 * Receives the bytes of one PATCH request. Returns the durable length of the upload. If a checksum does not match, the
 * file is left as it was before.
 */
async function store(deps: TusRoutesDeps, { row, body, checksum, target, signal }: Storing): Promise<number> {
  const { uploads, storage } = deps;
  const { file, hash } = await uploads.open(row);
  const before = hash?.copy() ?? null;
  const partHash = checksum && createHash(checksum.algorithm);
  // No check for a document (`target` is null): its kind is determined when the document is created.
  const judge = target && createJudge(storage, row.storage_key, row.name);
  const reported = target && uploadProgress(deps.flow, target, row.size_bytes);
  let durableSize = row.offset_bytes;
  const checkRoom = everySpaceStep(row.offset_bytes, (sizeBytes) =>
    deps.admission.check({ userId: row.user_id, bytes: row.size_bytes - sizeBytes, uploadId: row.id }),
  );

  async function durable(sizeBytes: number): Promise<void> {
    // If there is a checksum, bytes count as received only after it has been verified.
    if (checksum === null) {
      await uploads.setOffset(row.id, sizeBytes);
      durableSize = sizeBytes;
    }
    reported?.(sizeBytes);
    await judge?.grown(sizeBytes);
    await checkRoom(sizeBytes);
  }

  const stop = () => body?.destroy();
  // `addAbortListener` also calls `stop` if the next writer has already aborted this one.
  const abortListener = addAbortListener(signal, stop);
  try {
    if (body !== null) {
      // The body is kept open when the file is refused, since the sender can read the reply only after it has sent the
      // rest.
      const bytes = body.iterator({ destroyOnReturn: false });
      const source = partHash === null ? bytes : alsoHash(bytes, partHash);
      await receive({ source, file, hash, maxBytes: row.size_bytes, durable });
    }
    if (checksum !== null && !partHash?.digest().equals(checksum.digest)) throw new AppError('checksumMismatch');
    if (durableSize !== file.sizeBytes()) await uploads.setOffset(row.id, file.sizeBytes());
    return file.sizeBytes();
  } catch (error) {
    if (checksum !== null) await file.truncate(row.offset_bytes);
    if (checksum !== null && before !== null) uploads.useHash(row.id, before);
    else if (durableSize !== file.sizeBytes()) uploads.forgetHash(row.id);
    if (error instanceof TooManyBytes) throw new AppError('bodyTooLarge', {}, error);
    // The connection was lost, so nobody reads the reply; the received bytes are kept.
    if (!(error instanceof AppError) && body?.destroyed) throw new AppError('uploadMoved', {}, error);
    throw error;
  } finally {
    abortListener[Symbol.dispose]();
    await file.close();
  }
}

async function* alsoHash(source: AsyncIterable<Uint8Array>, hash: { update: (bytes: Uint8Array) => unknown }) {
  for await (const bytes of source) {
    hash.update(bytes);
    yield bytes;
  }
}

/** Turns a complete upload into a file of its sensor. If this is repeated after a crash, the result is the same. */
async function finish(
  deps: TusRoutesDeps,
  row: UploadRow,
  { target, request }: { target: Target; request: FastifyRequest },
): Promise<void> {
  const place = await placeOf(deps, row, target.sensorId);
  const kind = await judged(deps, row, () => createJudge(deps.storage, place, row.name).complete());
  const sha256 = await deps.uploads.sha256({ ...row, storage_key: place });
  await permitted(deps, row, async () => {
    const actor = await actorAgain(deps, request, { media: false });
    return targetOfUpload(deps.db, actor, row.sensor_id);
  });
  const file = { id: row.id, key: place, kind, name: row.name, sizeBytes: row.size_bytes, sha256 };
  await acceptFiles(deps, target, [{ ...file, lastModified: row.last_modified }], row.user_id);
  await deps.uploads.finish(row.id, uploadedKey(target.sensorId, row.id, kind));
}

/**
 * Finds the key under which the bytes of the upload are stored: the upload key or, if a crash happened after the move
 * and before the rows were written, a final key.
 */
async function placeOf({ storage }: TusRoutesDeps, row: UploadRow, sensorId: string): Promise<string> {
  const kinds: FileKind[] = ['ts', 'mp4', 'mkv', 'archive', 'manifest', 'sidecar', 'ais'];
  const places = [row.storage_key, ...kinds.map((kind) => uploadedKey(sensorId, row.id, kind))];
  for (const place of places) if ((await storage.stat(place)) !== null) return place;
  throw new NotStored('Not stored');
}

async function findUpload({ uploads }: TusRoutesDeps, request: FastifyRequest, userId: string): Promise<UploadRow> {
  const { id } = request.params as { id: string };
  const row = UUID.test(id) ? await uploads.find(id, userId) : undefined;
  if (row === undefined) throw new AppError('notFound');
  return row;
}

const refusedRights = new Set(['forbidden', 'notFound', 'notSignedIn']);
/**
 * Error codes that stop receiving. A changed password (`unauthorized`) also stops it, but the received bytes are kept.
 */
const cutting = new Set([...refusedRights, 'unauthorized']);
const refusedFile = new Set(['emptyFile', 'unsupportedFile', 'badArchive', 'badManifest', 'badFile']);

/** Runs `work`, and removes the upload with its received bytes if the account has lost the right to upload. */
const permitted = <T>(deps: TusRoutesDeps, row: UploadRow, work: () => Promise<T>): Promise<T> =>
  removing(deps, row, refusedRights, work);

/** Runs `work`, and removes the upload if its file is refused. */
const judged = <T>(deps: TusRoutesDeps, row: UploadRow, work: () => Promise<T>): Promise<T> =>
  removing(deps, row, refusedFile, work);

async function removing<T>(deps: TusRoutesDeps, row: UploadRow, codes: Set<string>, work: () => Promise<T>) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && codes.has(error.code)) await deps.uploads.remove(row);
    throw error;
  }
}

const expires = (reply: FastifyReply, row: UploadRow): FastifyReply =>
  reply.header('Upload-Expires', new Date(row.updated / 1000 + EXPIRES_MS).toUTCString());
