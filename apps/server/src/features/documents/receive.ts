import { type Actor, AppError, documentForm, type NewDocument, newDocument } from '@osprey/contract';
import type { FastifyRequest } from 'fastify';
import { fieldTexts } from '../../base/http/call-route.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { Admission } from '../../uploads/admission.ts';
import { runOut } from '../../uploads/run-out.ts';
import { isComplete, type TusStore } from '../../uploads/tus-store.ts';
import type { DocumentChanges } from './changes.ts';
import { type DocumentCreator, type DocumentOrigin, type GivenFile, originalKey } from './create.ts';
import type { StoredDocument } from './rows.ts';

/** Maximum size of a form field, which may hold lists of ids or a drawn geometry as JSON text. */
const FIELD_BYTES = 1024 * 1024;
const FIELDS_MAX = 20;

export type NewDocumentDeps = {
  storage: Storage;
  admission: Admission;
  uploads: TusStore;
  changes: DocumentChanges;
  creator: DocumentCreator;
};

/** Content of a form: its validated fields, and either the id of an upload or the received file. */
type Form = { requested: NewDocument; upload: string | undefined; file: GivenFile | null };

/**
 * Creates a document from a multipart form, which contains the file or names a resumable upload. After a failure, the
 * received bytes are removed.
 *
 * @throws AppError invalid, emptyFile, diskFull, forbidden, notFound, and refusals of sharing
 */
export async function receiveDocument(
  deps: NewDocumentDeps,
  by: DocumentOrigin,
  request: FastifyRequest,
): Promise<StoredDocument> {
  if (!request.isMultipart()) throw new AppError('invalid', { body: 'Send the document as a multipart form' });
  const { requested, upload, file } = await readForm(deps, by.actor, request);
  if (file !== null) return keepPart(deps, by, requested, file);
  if (upload === undefined) throw new AppError('invalid', { file: 'A document needs a file' });
  return deps.uploads.alone(upload, () => keepUpload(deps, by, requested, upload));
}

async function readForm(deps: NewDocumentDeps, actor: Actor, request: FastifyRequest): Promise<Form> {
  await deps.admission.check({ userId: actor.id, bytes: Number(request.headers['content-length'] ?? 0) });
  const fields: Record<string, unknown> = {};
  let file: GivenFile | null = null;
  try {
    const limits = { fieldSize: FIELD_BYTES, fields: FIELDS_MAX, files: 1, fileSize: Number.POSITIVE_INFINITY };
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') {
        if (part.valueTruncated) throw new AppError('invalid', { [part.fieldname]: 'Too long' });
        fields[part.fieldname] = part.value;
        continue;
      }
      // Check the fields that precede the file before receiving its bytes.
      if ('title' in fields) await deps.changes.mayCreate(actor, parseFields(fields).requested);
      const bytes = part.file.iterator({ destroyOnReturn: false });
      file = await deps.creator.receiveFile(actor, { fileName: part.filename ?? '', bytes });
    }
    const { requested, upload } = parseFields(fields);
    await deps.changes.mayCreate(actor, requested);
    return { requested, upload, file };
  } catch (error) {
    if (file !== null) await deps.storage.remove(file.key);
    runOut(request);
    throw error;
  }
}

/** @throws AppError invalid, with a message for each field */
function parseFields(fields: Record<string, unknown>) {
  const parsed = documentForm.safeParse(fields);
  if (!parsed.success) throw new AppError('invalid', fieldTexts(parsed.error));
  const { upload, ...rest } = parsed.data;
  return { requested: newDocument.parse(rest), upload };
}

async function keepPart(
  { storage, creator }: NewDocumentDeps,
  by: DocumentOrigin,
  requested: NewDocument,
  file: GivenFile,
) {
  try {
    return await creator.createDocument(by, file, requested);
  } catch (error) {
    await storage.remove(file.key);
    throw error;
  }
}

/**
 * Creates a document from a complete upload. If it is refused, the upload is kept, so that the next attempt may name it
 * again.
 */
async function keepUpload(deps: NewDocumentDeps, by: DocumentOrigin, requested: NewDocument, uploadId: string) {
  const { storage, uploads, changes, creator } = deps;
  const row = await uploads.find(uploadId, by.actor.id);
  if (row === undefined || row.sensor_id !== null) throw new AppError('notFound');
  if (!isComplete(row)) throw new AppError('invalid', { upload: 'The upload is not whole yet' });
  if (await changes.isMade(row.id)) {
    // An earlier request created the document, but the server stopped before it sent the response.
    await uploads.remove(row);
    return creator.announce(by, row.id);
  }
  await putBack(storage, row.storage_key, originalKey(row.id));
  const sha256 = await uploads.sha256(row);
  const file = { id: row.id, key: row.storage_key, fileName: row.name, sha256 };
  const document = await creator.createDocument(by, file, requested);
  await uploads.remove(row);
  return document;
}

/**
 * Moves the bytes back to the upload's key, if the server was killed after moving them to the document's key and before
 * writing the row.
 */
async function putBack(storage: Storage, uploadKey: string, storageKey: string): Promise<void> {
  if ((await storage.stat(uploadKey)) !== null || (await storage.stat(storageKey)) === null) return;
  await storage.move(storageKey, uploadKey);
}
