import { createHash } from 'node:crypto';
import {
  type Actor,
  AppError,
  access,
  classificationOf,
  micros,
  type NewDocument,
  newDocument,
  pictureSources,
  sensorName,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../base/access/as-system.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import type { Database } from '../../base/db/schema.ts';
import { archivedFrame, archivedRights, authorsNamed, frameIn, rightsWithin } from '../../base/items/archived.ts';
import type { ArchivedContent, ArchiveMaking, ArchiveReading, StoredSum } from '../../base/items/content.ts';
import { groupNamesOfDocument } from '../../base/items/document-facts.ts';
import { visibleDocuments } from '../../base/items/visibility.ts';
import { overlaysKey } from '../../base/storage/snapshot-overlays.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { refuse } from '../../media/formats/zip.ts';

/** Maximum size of a picture; no snapshot of a video is larger. */
const PICTURE_MAX_BYTES = 64 * 1024 * 1024;

const JPEG_START = Buffer.from([0xff, 0xd8, 0xff]);
/** Maximum number of items in a metadata set. */
const VALUES_MAX = 1000;

const pictureEntry = z.strictObject({
  path: z.string().min(1).max(255),
  sizeBytes: z.int().positive().max(PICTURE_MAX_BYTES),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** One snapshot in `snapshots-1.json`; its picture is a separate entry of the archive. */
const archivedSnapshot = z.strictObject({
  ...newDocument.omit({ securityClassification: true, usergroups: true, documentType: true }).shape,
  ...archivedRights,
  created: micros,
  author: z.string().max(256),
  file: pictureEntry.extend({ name: z.string().min(1).max(255) }),
  sensor: sensorName,
  frame: archivedFrame.nullable(),
  time: micros,
  picture: z.enum(pictureSources),
  /** The second picture, with overlays. Archives made before this feature existed lack the field. */
  overlays: pictureEntry.nullable().default(null),
  telemetry: z
    .strictObject({
      time: micros,
      values: z
        .record(z.string().max(64), z.union([z.number(), z.string().max(4096)]))
        .refine((values) => Object.keys(values).length <= VALUES_MAX),
      hex: z
        .string()
        .max(65_536)
        .regex(/^[0-9a-f]*$/)
        .nullable(),
    })
    .nullable(),
});
type ArchivedSnapshot = z.output<typeof archivedSnapshot>;

/** Returns the one or two pictures of a snapshot. */
const picturesIn = ({ file, overlays }: ArchivedSnapshot) => (overlays === null ? [file] : [file, overlays]);

/** Creates a document from a complete file in the storage; `also` writes in the same transaction. */
export type CreateDocument = (
  by: { actor: Actor; audit: Pick<RequestAudit, 'write'> },
  file: { id: string; key: string; fileName: string; sha256: string },
  requested: NewDocument,
  also: (tx: Db, documentId: string) => Promise<void>,
) => Promise<unknown>;

export type SnapshotArchiveDeps = {
  db: Kysely<Database>;
  storage: Storage;
  createDocument: CreateDocument;
  /** Returns whether a document was created by an earlier attempt, and stores the origin of new ones. */
  imported: {
    isMade: (id: string) => Promise<boolean>;
    keepOrigin: (
      tx: Db,
      id: string,
      origin: { author_id: string | null; author: string; creation_time: number },
    ) => Promise<void>;
  };
};

/** Archives the snapshots of a mission that the actor may read. */
export const snapshotArchive = (deps: SnapshotArchiveDeps): ArchivedContent => ({
  name: 'snapshots',
  max: 5000,

  async plan(actor, missionId) {
    const rows = await visibleDocuments(deps.db, actor)
      .innerJoin('snapshots', 'snapshots.document_id', 'documents.id')
      .where('snapshots.mission_id', '=', missionId)
      .select(['documents.id', 'documents.classification', 'documents.size_bytes', 'snapshots.overlays_bytes'])
      .orderBy('taken_time')
      .orderBy('documents.id')
      .execute();
    const sizes = rows.flatMap(({ size_bytes, overlays_bytes }) =>
      overlays_bytes === null ? size_bytes : [size_bytes, overlays_bytes],
    );
    return { listed: rows.map(({ id, classification }) => ({ id, classification })), sizes, lists: 1 };
  },

  async *write({ actor, ids, rank, originals, store }) {
    for (const [index, id] of ids.entries()) {
      const row = await rowOf(deps.db, actor, { id, rank });
      if (row === null) continue;
      const name = `snapshots/${String(index + 1).padStart(2, '0')}`;
      const picture = store(row.storage_key, name);
      yield { entry: picture.entry };
      const second = row.overlays_bytes === null ? null : store(overlaysKey(id), `${name}-overlays`);
      if (second !== null) yield { entry: second.entry };
      const sums = { file: picture.sum(), overlays: second === null ? null : second.sum() };
      yield { one: archivedOf(row, { ...sums, originals }) };
    }
  },

  async check(reading) {
    let sizeBytes = 0;
    for await (const one of whole(reading)) for (const picture of picturesIn(one)) sizeBytes += picture.sizeBytes;
    return sizeBytes;
  },

  async checkFiles(reading, signal) {
    for await (const one of whole(reading)) {
      signal.throwIfAborted();
      for (const picture of picturesIn(one)) await checkPicture(reading, picture);
    }
  },

  async make(making) {
    let [index, refused] = [0, 0];
    for await (const one of whole(making)) {
      const id = making.idOf(index);
      index += 1;
      if (!(await deps.imported.isMade(id)) && !(await makeOne(deps, making, { id, one }))) refused += 1;
    }
    return refused;
  },
});

/** Yields the snapshots of the list, checking that their pictures are present in full. @throws AppError badArchive */
async function* whole({ list, sizeOf }: ArchiveReading): AsyncGenerator<ArchivedSnapshot> {
  for await (const one of list(archivedSnapshot)) {
    for (const { path, sizeBytes } of picturesIn(one)) {
      if (sizeOf(path) !== sizeBytes) throw refuse('a file is not as long as its manifest says');
    }
    yield one;
  }
}

/** @throws AppError badArchive if the picture is not a JPEG, or its hash differs from that in the list */
async function checkPicture({ bytes }: ArchiveReading, file: z.output<typeof pictureEntry>): Promise<void> {
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  for await (const chunk of bytes(file.path)) {
    hash.update(chunk);
    if (head.byteLength < JPEG_START.byteLength) head = Buffer.concat([head, chunk.subarray(0, JPEG_START.byteLength)]);
  }
  if (hash.digest('hex') !== file.sha256) throw refuse('a file has another checksum than its manifest says');
  if (!head.subarray(0, JPEG_START.byteLength).equals(JPEG_START))
    throw refuse('a picture of its snapshots is not a JPEG');
}

/** Creates one snapshot; returns false if the actor may not create it. */
async function makeOne(
  { db, storage, createDocument, imported }: SnapshotArchiveDeps,
  { actor, audit, mission, bytes, keyOf, sensorIds, frameOf }: ArchiveMaking,
  { id, one }: { id: string; one: ArchivedSnapshot },
): Promise<boolean> {
  const { title, description, platformName, tags, geometry } = one;
  const rights = await rightsWithin(db, actor, { mission, archived: one });
  const facts = { ...mission, ...rights, draft: false, locked: true };
  const restricted = one.restricted && access.can(actor, 'document.lock', facts).allowed;
  const requested = { title, description, platformName, tags, geometry, documentType: 'Image' as const };
  const authorOf = await authorsNamed(db, [one.author]);
  const key = keyOf(id);
  const { sha256 } = await storage.put(key, bytes(one.file.path));
  const second = overlaysKey(id);
  if (one.overlays) await storage.put(second, bytes(one.overlays.path));
  const file = { id, key, fileName: one.file.name, sha256 };
  try {
    await createDocument({ actor, audit }, file, { ...requested, ...rights, restricted }, async (tx) => {
      await imported.keepOrigin(tx, id, { ...authorOf(one.author), creation_time: one.created });
      await tx
        .insertInto('snapshots')
        .values({
          ...{ document_id: id, mission_id: mission.id },
          ...{ sensor_id: sensorIds.get(one.sensor) ?? null, sensor_name: one.sensor },
          ...frameOf(one.frame),
          ...{ taken_time: one.time, picture: one.picture },
          overlays_sha256: one.overlays?.sha256 ?? null,
          overlays_bytes: one.overlays?.sizeBytes ?? null,
          telemetry: one.telemetry && JSON.stringify(one.telemetry),
        })
        .execute();
    });
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    await storage.remove(key);
    await storage.remove(second);
    return false;
  }
}

/**
 * Returns the row of a snapshot; null if the actor has lost access meanwhile, or its label was raised above that of the
 * archive.
 */
async function rowOf(db: Kysely<Database>, actor: Actor, { id, rank }: { id: string; rank: number }) {
  const row = await visibleDocuments(db, actor)
    .innerJoin('snapshots', 'snapshots.document_id', 'documents.id')
    .where('documents.id', '=', id)
    .where('documents.classification', '<=', rank)
    .selectAll('documents')
    .select(['sensor_name', 'file_id', 'run', 'pts', 'taken_time', 'picture', 'telemetry', 'overlays_bytes'])
    .select(groupNamesOfDocument.as('groups'))
    .executeTakeFirst();
  return row ?? null;
}

type Row = NonNullable<Awaited<ReturnType<typeof rowOf>>>;
type Pictures = { file: StoredSum; overlays: StoredSum | null; originals: ReadonlyMap<string, string> };

const archivedOf = (row: Row, { file, overlays, originals }: Pictures): object => ({
  ...{ title: row.title, description: row.description, platformName: row.platform_name, tags: row.tags },
  ...{ label: classificationOf(row.classification), marked: row.marked },
  ...{ audience: row.audience, usergroups: row.groups, restricted: row.edit_lock },
  ...{ geometry: row.geometry, created: row.creation_time, author: row.author },
  file: { ...file, name: row.file_name },
  overlays,
  sensor: row.sensor_name,
  frame: frameIn(originals, { file: row.file_id, run: row.run, pts: row.pts }),
  ...{ time: row.taken_time, picture: row.picture, telemetry: row.telemetry },
});
