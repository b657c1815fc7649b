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
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import type { MissionFacts } from '../../base/items/mission-facts.ts';
import { visibleDocuments } from '../../base/items/visibility.ts';
import { overlaysKey } from '../../base/storage/snapshot-overlays.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { refuse, type Zip } from '../../media/formats/zip.ts';
import { archivedRights, rightsWithin } from './derived-rights.ts';
import { fileOf } from './import-plan.ts';
import type { ArchivedMission } from './manifest.ts';
import { archivedFrame, authorsNamed, frameIn, importedFrame, marksIn, notYetMade, placesFor } from './mark-files.ts';

/** Limit of one mission in an archive. */
export const SNAPSHOTS_MAX = 5000;
/** A picture that is longer is no snapshot of a video. */
const PICTURE_MAX_BYTES = 64 * 1024 * 1024;

const JPEG_START = Buffer.from([0xff, 0xd8, 0xff]);
/** Items of a metadata set. */
const VALUES_MAX = 1000;

const pictureEntry = z.strictObject({
  path: z.string().min(1).max(255),
  sizeBytes: z.int().positive().max(PICTURE_MAX_BYTES),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** One snapshot in `snapshots.json`; its picture is an entry of its own. */
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
  /** The second picture, with overlays; archives made before there was one have no field. */
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

/** One or two. */
export const picturesIn = ({ file, overlays }: ArchivedSnapshot) => (overlays === null ? [file] : [file, overlays]);

/** Snapshots of a mission that the actor may read, with their labels and where their pictures are stored. */
export const snapshotsFor = (db: Kysely<Database>, actor: Actor, missionId: string) =>
  visibleDocuments(db, actor)
    .innerJoin('snapshots', 'snapshots.document_id', 'documents.id')
    .where('snapshots.mission_id', '=', missionId)
    .select(['documents.id', 'documents.classification', 'documents.size_bytes as sizeBytes'])
    .select(['documents.storage_key as key', 'snapshots.overlays_bytes as overlaysBytes'])
    .orderBy('taken_time')
    .orderBy('documents.id')
    .execute();

type Written = { path: string; sizeBytes: number; sha256: string };

/** One snapshot as an archive holds it; null where it was taken away or raised meanwhile. */
export async function archivedSnapshotOf(
  db: Kysely<Database>,
  actor: Actor,
  { id, rank, originals }: { id: string; rank: number; originals: ReadonlyMap<string, string> },
) {
  const row = await visibleDocuments(db, actor)
    .innerJoin('snapshots', 'snapshots.document_id', 'documents.id')
    .where('documents.id', '=', id)
    .where('documents.classification', '<=', rank)
    .selectAll('documents')
    .select(['sensor_name', 'file_id', 'run', 'pts', 'taken_time', 'picture', 'telemetry'])
    .select(
      sql<string[]>`array(select name from document_usergroups join usergroups on usergroups.id = usergroup_id
        where document_id = documents.id order by name)`.as('groups'),
    )
    .executeTakeFirst();
  if (row === undefined) return null;
  return (file: Written, overlays: Written | null) => ({
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
}

/** The snapshots of a mission of an archive, one by one, whose pictures are there. @throws AppError badArchive */
export async function* snapshotsOf(
  zip: Zip,
  mission: Pick<ArchivedMission, 'marks'>,
): AsyncGenerator<ArchivedSnapshot> {
  const reading = { kind: 'snapshots', schema: archivedSnapshot, max: SNAPSHOTS_MAX };
  for await (const one of marksIn(zip, mission, reading)) {
    for (const { path, sizeBytes } of picturesIn(one)) {
      if (fileOf(zip, path).sizeBytes !== sizeBytes) throw refuse('a file is not as long as its manifest says');
    }
    yield one;
  }
}

/** Before anything is made of it. @throws AppError badArchive where the picture is no JPEG, or not the one that is named */
export async function checkPicture(zip: Zip, file: z.output<typeof pictureEntry>): Promise<void> {
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  for await (const bytes of zip.read(fileOf(zip, file.path))) {
    hash.update(bytes);
    if (head.byteLength < JPEG_START.byteLength) head = Buffer.concat([head, bytes.subarray(0, JPEG_START.byteLength)]);
  }
  if (hash.digest('hex') !== file.sha256) throw refuse('a file has another checksum than its manifest says');
  if (!head.subarray(0, JPEG_START.byteLength).equals(JPEG_START))
    throw refuse('a picture of its snapshots is not a JPEG');
}

export type CreateSnapshot = (
  actor: Actor,
  file: { id: string; key: string; fileName: string; sha256: string },
  wanted: NewDocument,
  also: (tx: Db, documentId: string) => Promise<void>,
) => Promise<unknown>;

type Deps = { db: Kysely<Database>; storage: Storage; createSnapshot: CreateSnapshot };
type Making = { taskId: string; actor: Actor; zip: Zip; mission: MissionFacts; archived: ArchivedMission };

/** Makes them, once however often it is tried. Answers how many could not be made. */
export async function makeSnapshots({ db, storage, createSnapshot }: Deps, making: Making): Promise<number> {
  const { taskId, actor, zip, mission, archived } = making;
  const { sensorIds, paths } = await placesFor(db, mission.id, archived.sensors);
  const rows = { table: 'documents', kind: 'snapshot', taskId, missionId: mission.id } as const;
  let refused = 0;
  for await (const { id, one } of notYetMade(db, snapshotsOf(zip, archived), rows)) {
    const { title, description, platformName, tags, geometry, frame } = one;
    const rights = await rightsWithin(db, actor, { mission, archived: one });
    const facts = { ...mission, ...rights, draft: false, locked: true };
    const restricted = one.restricted && access.can(actor, 'document.lock', facts).allowed;
    const wanted = { title, description, platformName, tags, geometry, documentType: 'Image' as const };
    const authorOf = await authorsNamed(db, [one.author]);
    const key = `imports/${taskId}.${id}.part`;
    const { sha256 } = await storage.put(key, zip.read(fileOf(zip, one.file.path)));
    const second = overlaysKey(id);
    if (one.overlays) await storage.put(second, zip.read(fileOf(zip, one.overlays.path)));
    const file = { id, key, fileName: one.file.name, sha256 };
    try {
      await createSnapshot(actor, file, { ...wanted, ...rights, restricted }, async (tx) => {
        await asSystem(tx, 'import')
          .updateTable('documents')
          .set({ ...authorOf(one.author), creation_time: one.created })
          .where('id', '=', id)
          .execute();
        await tx
          .insertInto('snapshots')
          .values({
            document_id: id,
            mission_id: mission.id,
            sensor_id: sensorIds.get(one.sensor) ?? null,
            sensor_name: one.sensor,
            ...importedFrame(taskId, paths, frame),
            taken_time: one.time,
            picture: one.picture,
            overlays_sha256: one.overlays?.sha256 ?? null,
            overlays_bytes: one.overlays?.sizeBytes ?? null,
            telemetry: one.telemetry && JSON.stringify(one.telemetry),
          })
          .execute();
      });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      await storage.remove(key);
      await storage.remove(second);
      refused += 1;
    }
  }
  return refused;
}
