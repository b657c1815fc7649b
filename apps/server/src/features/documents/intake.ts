import { createHash, randomUUID } from 'node:crypto';
import type { MultipartFile } from '@fastify/multipart';
import { type Actor, AppError, documentForm, type NewDocument, newDocument } from '@osprey/contract';
import type { FastifyRequest } from 'fastify';
import { fieldTexts } from '../../base/http/call-route.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { type Admission, everySpaceStep } from '../../uploads/admission.ts';
import { shownName } from '../../uploads/display-name.ts';
import { receive } from '../../uploads/receive.ts';
import { runOut } from '../../uploads/run-out.ts';
import { isComplete, type TusStore } from '../../uploads/tus-store.ts';
import type { DocumentChanges, DocumentFile } from './changes.ts';
import { contentOf, LOOK_BYTES } from './sniff.ts';

/** A field holds lists of ids, or a drawn geometry, as JSON text. */
const FIELD_BYTES = 1024 * 1024;
const FIELDS_MAX = 20;

export const originalKey = (documentId: string): string => `documents/${documentId}/original`;

export type IntakeDeps = {
  storage: Storage;
  admission: Admission;
  uploads: TusStore;
  changes: DocumentChanges;
};

/** What a form brought: checked fields, and the file under its upload key. */
type Form = { wanted: NewDocument; upload: string | undefined; file: Arrived | null };
type Arrived = Omit<DocumentFile, 'content' | 'storageKey'> & { key: string };

/**
 * Takes a document from a multipart form, with the file in it or as a resumable upload that the form names. Answers its
 * id; whatever fails, no bytes stay behind.
 *
 * @throws AppError invalid, emptyFile, diskFull, forbidden, notFound, and what sharing is refused with
 */
export async function takeDocument(deps: IntakeDeps, actor: Actor, request: FastifyRequest): Promise<string> {
  if (!request.isMultipart()) throw new AppError('invalid', { body: 'Send the document as a multipart form' });
  const { wanted, upload, file } = await readForm(deps, actor, request);
  if (file !== null) return keep(deps, actor, wanted, file);
  if (upload === undefined) throw new AppError('invalid', { file: 'A document needs a file' });
  return deps.uploads.alone(upload, () => keepUpload(deps, actor, wanted, upload));
}

async function readForm(deps: IntakeDeps, actor: Actor, request: FastifyRequest): Promise<Form> {
  await deps.admission.check({ userId: actor.id, bytes: Number(request.headers['content-length'] ?? 0) });
  const fields: Record<string, unknown> = {};
  let file: Arrived | null = null;
  try {
    const limits = { fieldSize: FIELD_BYTES, fields: FIELDS_MAX, files: 1, fileSize: Number.POSITIVE_INFINITY };
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') {
        if (part.valueTruncated) throw new AppError('invalid', { [part.fieldname]: 'Too long' });
        fields[part.fieldname] = part.value;
        continue;
      }
      // Fields that came before the file are judged before its bytes are taken.
      if ('title' in fields) await deps.changes.mayCreate(actor, parseFields(fields).wanted);
      file = await takePart(deps, actor, part);
    }
    const { wanted, upload } = parseFields(fields);
    await deps.changes.mayCreate(actor, wanted);
    return { wanted, upload, file };
  } catch (error) {
    if (file !== null) await deps.storage.remove(file.key);
    runOut(request);
    throw error;
  }
}

/** @throws AppError invalid, with the text of each field */
function parseFields(fields: Record<string, unknown>) {
  const parsed = documentForm.safeParse(fields);
  if (!parsed.success) throw new AppError('invalid', fieldTexts(parsed.error));
  const { upload, ...rest } = parsed.data;
  return { wanted: newDocument.parse(rest), upload };
}

async function takePart({ storage, admission }: IntakeDeps, actor: Actor, part: MultipartFile): Promise<Arrived> {
  const id = randomUUID();
  const key = `uploads/${id}.part`;
  const fileName = shownName(part.filename ?? '');
  const hash = createHash('sha256');
  const file = await storage.append(key);
  const durable = everySpaceStep(0, (sizeBytes) =>
    admission.check({ userId: actor.id, bytes: 0, received: sizeBytes }),
  );

  try {
    try {
      const source = part.file.iterator({ destroyOnReturn: false });
      await receive({ source, file, hash, maxBytes: Number.POSITIVE_INFINITY, durable });
    } finally {
      await file.close();
    }
    if (file.sizeBytes() === 0) throw new AppError('emptyFile');
    return { id, key, fileName, sizeBytes: file.sizeBytes(), sha256: hash.digest('hex') };
  } catch (error) {
    await storage.remove(key);
    throw error;
  }
}

/** File first, row second: a row never names bytes that are not there. */
async function keep(deps: IntakeDeps, actor: Actor, wanted: NewDocument, file: Arrived): Promise<string> {
  const { key, ...rest } = file;
  const storageKey = originalKey(file.id);
  try {
    const content = await look(deps.storage, key);
    await deps.storage.move(key, storageKey);
    await deps.changes.create(actor, wanted, { ...rest, content, storageKey });
    return file.id;
  } catch (error) {
    await deps.storage.remove(key);
    await deps.storage.remove(storageKey);
    throw error;
  }
}

/** A refused form leaves the upload where it is: the next try may name it again. */
async function keepUpload(deps: IntakeDeps, actor: Actor, wanted: NewDocument, uploadId: string): Promise<string> {
  const { storage, uploads, changes } = deps;
  const row = await uploads.find(uploadId, actor.id);
  if (row === undefined || row.sensor_id !== null) throw new AppError('notFound');
  if (!isComplete(row)) throw new AppError('invalid', { upload: 'The upload is not whole yet' });
  const storageKey = originalKey(row.id);
  if (await changes.isMade(row.id)) {
    // Made by a try whose answer was lost with the server.
    await uploads.remove(row);
    return row.id;
  }
  await putBack(storage, row.storage_key, storageKey);
  const content = await look(storage, row.storage_key);
  const sha256 = await uploads.sha256(row);
  await storage.move(row.storage_key, storageKey);
  const file = { id: row.id, storageKey, fileName: row.name, content, sizeBytes: row.size_bytes, sha256 };
  try {
    await changes.create(actor, wanted, file);
  } catch (error) {
    await storage.move(storageKey, row.storage_key);
    throw error;
  }
  await uploads.remove(row);
  return row.id;
}

/** A server that was killed before the row was written has left the bytes where the document would have them. */
async function putBack(storage: Storage, uploadKey: string, storageKey: string): Promise<void> {
  if ((await storage.stat(uploadKey)) !== null || (await storage.stat(storageKey)) === null) return;
  await storage.move(storageKey, uploadKey);
}

async function look(storage: Storage, key: string) {
  const file = await storage.open(key);
  try {
    const head = Buffer.alloc(Math.min(LOOK_BYTES, file.sizeBytes));
    await file.read(head, 0);
    const tail = Buffer.alloc(Math.min(LOOK_BYTES, file.sizeBytes));
    await file.read(tail, file.sizeBytes - tail.byteLength);
    return contentOf(head, tail, file.sizeBytes <= LOOK_BYTES);
  } finally {
    await file.close();
  }
}
