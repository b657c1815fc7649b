import { createHash, randomUUID } from 'node:crypto';
import multipart, { type MultipartFile } from '@fastify/multipart';
import { AppError, uploadFiles } from '@osprey/contract';
import type { FastifyRequest } from 'fastify';
import { callRoute, type Http } from '../base/http/call-route.ts';
import { actorAgain } from '../base/http/still-allowed.ts';
import { readLastModified } from '../media/formats/last-modified.ts';
import { type AcceptDeps, acceptFiles, type Received } from './accept.ts';
import { type Admission, everySpaceStep } from './admission.ts';
import { displayName } from './display-name.ts';
import { createJudge } from './judge.ts';
import { uploadProgress } from './progress.ts';
import { receive } from './receive.ts';
import { runOut } from './run-out.ts';
import { type Target, targetByNames, targetBySensor } from './target.ts';

/** Maximum number of files in one form; more files require several forms. */
const FILES_MAX = 1000;
const FIELDS_MAX = 100;

export type UploadRoutesDeps = Http & AcceptDeps & { admission: Admission };

/** Uploads by form: any number of files under any field names, of which either all or none are accepted. */
export async function uploadRoutes(deps: UploadRoutesDeps): Promise<void> {
  await deps.app.register(multipart, {
    limits: { fileSize: Number.POSITIVE_INFINITY, files: FILES_MAX, fields: FIELDS_MAX, fieldSize: 4096 },
    throwFileSizeLimit: false,
  });

  callRoute(deps, uploadFiles, async ({ input: { params, query }, actor, request }) => {
    const target = await targetByNames(deps.db, actor, params.mission, params.sensor);
    if (!request.isMultipart()) throw new AppError('invalid', { body: 'Send the files as a multipart form' });
    const announced = Number(request.headers['content-length'] ?? 0);
    await deps.admission.check({ userId: actor.id, bytes: announced });
    const files: Received[] = [];
    try {
      for await (const part of request.files()) {
        const lastModified = readLastModified(query.lastModified?.[files.length]);
        files.push(await takePart(deps, { part, target, userId: actor.id, lastModified, before: sizeOf(files) }));
      }
      if (files.length === 0) throw new AppError('invalid', { body: 'The form holds no file' });
      await stillAllowed(deps, request, target.sensorId);
      await deps.admission.check({ userId: actor.id, bytes: 0, received: sizeOf(files) });
      return { files: await acceptFiles(deps, target, files, actor.id) };
    } catch (error) {
      for (const { key } of files) await deps.storage.remove(key);
      runOut(request);
      throw error;
    }
  });
}

const sizeOf = (files: readonly Received[]): number => files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

type Part = {
  part: MultipartFile;
  target: Target;
  userId: string;
  lastModified: number | null;
  /** Number of bytes in the form's files before this one. */
  before: number;
};

/** Receives one file of a form into its upload key, durable and checked. If that fails, its bytes are removed. */
async function takePart(
  deps: UploadRoutesDeps,
  { part, target, userId, lastModified, before }: Part,
): Promise<Received> {
  const id = randomUUID();
  const key = `uploads/${id}.part`;
  const name = displayName(part.filename ?? '');
  const hash = createHash('sha256');
  const judge = createJudge(deps.storage, key, name);
  const reported = uploadProgress(deps.flow, target, null);
  const file = await deps.storage.append(key);
  const checkRoom = everySpaceStep(0, (sizeBytes) =>
    deps.admission.check({ userId, bytes: 0, received: before + sizeBytes }),
  );

  async function durable(sizeBytes: number): Promise<void> {
    reported(sizeBytes);
    await judge.grown(sizeBytes);
    await checkRoom(sizeBytes);
  }

  try {
    try {
      // The stream is kept open when the file is refused, since the sender can read the reply only after it has sent
      // the rest.
      const source = part.file.iterator({ destroyOnReturn: false });
      await receive({ source, file, hash, maxBytes: Number.POSITIVE_INFINITY, durable });
    } finally {
      await file.close();
    }
    const kind = await judge.complete();
    return { id, key, kind, name, sizeBytes: file.sizeBytes(), sha256: hash.digest('hex'), lastModified };
  } catch (error) {
    await deps.storage.remove(key);
    throw error;
  }
}

/** Checks the user's rights again at the end of an upload, since a long upload may outlast them. */
async function stillAllowed(deps: UploadRoutesDeps, request: FastifyRequest, sensorId: string): Promise<void> {
  await targetBySensor(deps.db, await actorAgain(deps, request, { media: false }), sensorId);
}
