import type { Readable } from 'node:stream';
import { type Actor, AppError, classificationOf } from '@osprey/contract';
import { sql } from 'kysely';
import type { Db } from '../../../base/access/as-system.ts';
import { visible, visibleAnnotations, visibleDocuments } from '../../../base/items/visibility.ts';
import { overlaysKey } from '../../../base/storage/snapshot-overlays.ts';
import { NotStored, type Storage } from '../../../base/storage/storage.ts';
import { pictureKey } from '../../../media/index/picture-files.ts';
import type { FrozenPart } from './frozen.ts';
import { pictureTexts } from './texts.ts';

/** A file of a part: its name within the part's folder. */
export type PartFile = {
  name: string;
  bytes: Buffer | Readable;
  /** Kept hash: a file that is another one by now is not packed. */
  sha256?: string;
};

export type Place = { lon: number; lat: number };

/** A span of a recording as files, which another feature makes. */
export type Span = {
  sizeBytes: number;
  entries: () => AsyncIterable<{ name: string; bytes: Buffer | Readable }>;
  tracks: () => AsyncIterable<AsyncIterable<Place>>;
};

/** `mp4`: clips as MP4 files too. */
type Packed = { mp4: boolean };

export type Spans = {
  clip: (actor: Actor, id: string, how: Packed) => Promise<Span>;
  track: (
    actor: Actor,
    of: { missionId: string; sensorId: string; span: readonly [inUs: number, outUs: number] },
  ) => Promise<Span>;
};

export type PartFilesDeps = { db: Db; storage: Storage; spans: Spans };

/**
 * The files of a part as its maker may read it now, one after the other.
 *
 * @throws AppError notFound where it is hidden by now, ruleRefused where it cannot be packed
 */
export async function* partFiles(
  deps: PartFilesDeps,
  actor: Actor,
  part: FrozenPart,
  { mp4 }: Packed,
): AsyncGenerator<PartFile> {
  const { kind, subjectId } = part;
  if (kind === 'note') {
    yield { name: 'note.md', bytes: Buffer.from(`# ${part.title}\n\n${part.text ?? ''}\n`) };
    return;
  }
  if (subjectId === null) throw new AppError('notFound');
  if (kind === 'document' || kind === 'snapshot') yield* documentFiles(deps, actor, subjectId);
  else if (kind === 'annotation') yield annotationFile(await annotationOf(deps.db, actor, subjectId));
  else if (kind === 'bookmark') yield* bookmarkFiles(deps, actor, subjectId);
  else yield* (await spanOf(deps.spans, actor, part, { mp4 })).entries();
}

/** The span of a clip or a track; null for other parts. */
export async function spanOf(spans: Spans, actor: Actor, part: FrozenPart, how: Packed): Promise<Span> {
  const { kind, subjectId, missionId, startTime, endTime } = part;
  if (kind === 'clip' && subjectId !== null) return spans.clip(actor, subjectId, how);
  if (subjectId === null || missionId === null || startTime === null || endTime === null) {
    throw new AppError('notFound');
  }
  return spans.track(actor, { missionId, sensorId: subjectId, span: [startTime, endTime] });
}

export const isSpan = ({ kind }: Pick<FrozenPart, 'kind'>): boolean => kind === 'clip' || kind === 'track';

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 1)}\n`);
const iso = (us: number | null): string | null => (us === null ? null : new Date(us / 1000).toISOString());

async function* documentFiles({ db, storage }: PartFilesDeps, actor: Actor, id: string): AsyncGenerator<PartFile> {
  const row = await visibleDocuments(db, actor)
    .leftJoin('snapshots', 'snapshots.document_id', 'documents.id')
    .where('documents.id', '=', id)
    .selectAll('documents')
    .select(['snapshots.sensor_name', 'snapshots.taken_time', 'snapshots.picture', 'snapshots.telemetry'])
    .select('snapshots.overlays_sha256')
    .select(['snapshots.file_id', 'snapshots.run', 'snapshots.pts'])
    .executeTakeFirst();
  if (row === undefined) throw new AppError('notFound');
  const name = safeName(row.file_name);
  yield { name, bytes: storage.read(row.storage_key), sha256: row.sha256 };
  const overlays = row.overlays_sha256 !== null && {
    ...{ file: `${name}.overlays.jpg`, sha256: row.overlays_sha256, madeBy: pictureTexts.overlays },
  };
  if (overlays) yield { name: overlays.file, bytes: storage.read(overlaysKey(row.id)), sha256: overlays.sha256 };
  const about = {
    ...{ title: row.title, description: row.description, type: row.document_type, fileName: row.file_name },
    ...{ label: classificationOf(row.classification), platform: row.platform_name, tags: row.tags },
    ...{ author: row.author, created: iso(row.creation_time), sha256: row.sha256, geometry: row.geometry },
  };
  const snapshot = row.taken_time !== null && {
    ...{ sensor: row.sensor_name, taken: iso(row.taken_time), picture: row.picture, telemetry: row.telemetry },
    ...(overlays && { overlays }),
    frame: row.file_id === null ? null : { file: row.file_id, run: row.run, pts: row.pts },
  };
  // `.about` keeps the name different from that of the part's own file.
  yield { name: `${name}.about.json`, bytes: json({ ...about, ...(snapshot && { snapshot }) }) };
}

async function annotationOf(db: Db, actor: Actor, id: string) {
  const row = await visibleAnnotations(db, actor)
    .where('annotations.id', '=', id)
    .selectAll('annotations')
    .executeTakeFirst();
  if (row === undefined) throw new AppError('notFound');
  return row;
}

function annotationFile(row: Awaited<ReturnType<typeof annotationOf>>): PartFile {
  const about = {
    ...{ title: row.title, description: row.description, annotationType: row.annotation_type, tags: row.tags },
    ...{ label: classificationOf(row.classification), author: row.author, created: iso(row.creation_time) },
    ...{ startTime: iso(row.start_time), endTime: iso(row.end_time) },
  };
  return {
    name: 'annotation.geojson',
    bytes: json({ type: 'FeatureCollection', ...about, features: row.features }),
  };
}

async function* bookmarkFiles({ db, storage }: PartFilesDeps, actor: Actor, id: string): AsyncGenerator<PartFile> {
  const row = await visible(db, actor)
    .innerJoin('bookmarks', 'bookmarks.mission_id', 'missions.id')
    .leftJoin('sensors', 'sensors.id', 'bookmarks.sensor_id')
    .where('bookmarks.id', '=', id)
    .where('bookmarks.deleted_time', 'is', null)
    .selectAll('bookmarks')
    .select(['missions.name as mission_name', 'missions.classification'])
    .select(sql<string | null>`sensors.name`.as('sensor_name'))
    .executeTakeFirst();
  if (row === undefined) throw new AppError('notFound');
  yield {
    name: 'bookmark.json',
    bytes: json({
      ...{ title: row.title, text: row.text, tags: row.tags, color: row.color, time: iso(row.last_time) },
      ...{ label: classificationOf(row.classification), mission: row.mission_name, sensor: row.sensor_name },
      frame: row.file_id === null ? null : { file: row.file_id, run: row.run, pts: row.pts },
      ...{ author: row.author, created: iso(row.created) },
    }),
  };
  if (row.thumbnail === null) return;
  const picture = await wholeFile(storage, pictureKey(row.mission_id, row.thumbnail));
  if (picture !== null) yield { name: 'picture.jpg', bytes: picture };
}

/** Pictures of this server are small. Null for an absent one. */
export async function wholeFile(storage: Pick<Storage, 'read'>, key: string): Promise<Buffer | null> {
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of storage.read(key) as AsyncIterable<Uint8Array>) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof NotStored) return null;
    throw error;
  }
}

/** Turns a name into one that every file system accepts. */
export function safeName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^[._]+/, '');
  const end = /\.[A-Za-z0-9]{1,8}$/.exec(plain)?.[0] ?? '';
  return `${
    Array.from(plain.slice(0, plain.length - end.length))
      .slice(0, 40)
      .join('') || 'file'
  }${end}`;
}
