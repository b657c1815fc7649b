import { createHash, randomUUID } from 'node:crypto';
import { type Actor, AppError, type NewDocument, newDocument } from '@osprey/contract';
import type { z } from 'zod';
import { auditedItem } from '../../base/audit/item-notes.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import { fieldTexts } from '../../base/http/call-route.ts';
import { factsOfDocument } from '../../base/items/document-facts.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { type Admission, everySpaceStep } from '../../uploads/admission.ts';
import { shownName } from '../../uploads/display-name.ts';
import { hashOf, receive } from '../../uploads/receive.ts';
import type { AlsoWrite, DocumentChanges } from './changes.ts';
import type { DocumentRepository } from './repository.ts';
import type { StoredDocument } from './rows.ts';
import { contentOf, INSPECTED_BYTES } from './sniff.ts';

/** Bytes that have not been stored yet. */
export type GivenBytes = { fileName: string; bytes: AsyncIterable<Uint8Array> };

/**
 * A complete file in the storage. It is moved to its document. If the document is refused or already exists, the file
 * stays at its key.
 */
export type GivenFile = {
  fileName: string;
  key: string;
  /**
   * Becomes the id of the document, so that a retry after a crash creates no second document. Only one call at a time
   * may use an id. If omitted, a new id is generated.
   */
  id?: string;
  /** SHA-256 in hex, if the bytes were hashed while they were received. If omitted, the file is read to compute it. */
  sha256?: string;
};

/** The actor who creates the document, and the writer of its audit row. */
export type DocumentOrigin = { actor: Actor; audit: Pick<RequestAudit, 'write'> };

export type DocumentCreatorDeps = {
  storage: Storage;
  admission: Admission;
  documents: Pick<DocumentRepository, 'read'>;
  changes: Pick<DocumentChanges, 'mayCreate' | 'isMade' | 'create'>;
  /** Notifies open clients which rows to fetch again. */
  changed: (noun: 'documents', ids: string[]) => void;
};

export type DocumentCreator = ReturnType<typeof documentCreator>;

export const originalKey = (documentId: string): string => `documents/${documentId}/original`;

/** Creates documents from files that come from forms, from uploads or from server code. */
export function documentCreator({ storage, admission, documents, changes, changed }: DocumentCreatorDeps) {
  /**
   * Stores bytes under a temporary key as long as there is space. The caller must have checked for space before the
   * first byte, and must remove the file if it does not become a document.
   *
   * @throws AppError emptyFile, diskFull, quotaReached, unsupportedFile; the temporary file is then removed
   */
  async function receiveFile(actor: Actor, { fileName, bytes }: GivenBytes): Promise<Required<GivenFile>> {
    const id = randomUUID();
    const key = `uploads/${id}.part`;
    const hash = createHash('sha256');
    const shown = shownName(fileName);
    const file = await storage.append(key);
    const durable = everySpaceStep(0, (sizeBytes) =>
      admission.check({ userId: actor.id, bytes: 0, received: sizeBytes }),
    );
    try {
      try {
        await receive({ source: bytes, file, hash, maxBytes: Number.POSITIVE_INFINITY, durable });
      } finally {
        await file.close();
      }
      if (file.sizeBytes() === 0) throw new AppError('emptyFile');
      return { id, key, fileName: shown, sha256: hash.digest('hex') };
    } catch (error) {
      await storage.remove(key);
      throw error;
    }
  }

  /** Moves the file before writing the row, so that a row never refers to missing bytes. */
  async function keep(actor: Actor, requested: NewDocument, file: GivenFile, also?: AlsoWrite): Promise<string> {
    const { key, id = randomUUID() } = file;
    const storageKey = originalKey(id);
    const { content, sizeBytes } = await inspect(storage, key);
    await admission.checkQuota({ userId: actor.id, bytes: sizeBytes, uploadId: id });
    const sha256 = file.sha256 ?? (await hashOf(storage.read(key)));
    const fileName = shownName(file.fileName);
    await storage.move(key, storageKey);
    try {
      await changes.create(actor, requested, { id, storageKey, fileName, content, sizeBytes, sha256 }, also);
    } catch (error) {
      await storage.move(storageKey, key);
      throw error;
    }
    return id;
  }

  /** Writes the audit row of a new document and notifies open clients. */
  async function announce({ actor, audit }: DocumentOrigin, id: string): Promise<StoredDocument> {
    const row = await documents.read(actor, id);
    await audit.write({ action: 'document.create', ...auditedItem(factsOfDocument(row)) });
    changed('documents', [id]);
    return row;
  }

  /**
   * Creates a document from a file, by the same rules as an upload: fields, rights, disk space, audit, event, and the
   * job that reads the file. The bytes of a refused document are removed. `also` writes the rows that belong to the
   * document in its transaction.
   *
   * @throws AppError invalid with a message for each field, forbidden, emptyFile, diskFull, quotaReached,
   * unsupportedFile, and refusals of sharing
   */
  async function createDocument(
    by: DocumentOrigin,
    file: GivenBytes | GivenFile,
    fields: z.input<typeof newDocument>,
    also?: AlsoWrite,
  ): Promise<StoredDocument> {
    const parsed = newDocument.safeParse(fields);
    if (!parsed.success) throw new AppError('invalid', fieldTexts(parsed.error));
    const requested = parsed.data;
    await changes.mayCreate(by.actor, requested);
    if ('key' in file) {
      // The document exists already; moving the file would replace its bytes.
      if (file.id !== undefined && (await changes.isMade(file.id))) return announce(by, file.id);
      return announce(by, await keep(by.actor, requested, file, also));
    }
    await admission.check({ userId: by.actor.id, bytes: 0 });
    const received = await receiveFile(by.actor, file);
    let id: string;
    try {
      id = await keep(by.actor, requested, received, also);
    } catch (error) {
      await storage.remove(received.key);
      throw error;
    }
    return announce(by, id);
  }

  return { receiveFile, createDocument, announce };
}

/** @throws AppError emptyFile */
async function inspect(storage: Storage, key: string) {
  const file = await storage.open(key);
  try {
    const { sizeBytes } = file;
    if (sizeBytes === 0) throw new AppError('emptyFile');
    const head = Buffer.alloc(Math.min(INSPECTED_BYTES, sizeBytes));
    await file.read(head, 0);
    const tail = Buffer.alloc(Math.min(INSPECTED_BYTES, sizeBytes));
    await file.read(tail, sizeBytes - tail.byteLength);
    return { content: contentOf(head, tail, sizeBytes <= INSPECTED_BYTES), sizeBytes };
  } finally {
    await file.close();
  }
}
