import { createHash } from 'node:crypto';
import { type Actor, AppError, classificationOf, classificationRank } from '@osprey/contract';
import type { Kysely, Selectable } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import type { Database } from '../../base/db/schema.ts';
import { missionFacts } from '../../base/items/mission-facts.ts';
import { visible } from '../../base/items/visibility.ts';
import { overlaysKey } from '../../base/storage/snapshot-overlays.ts';
import type { Storage, StoredStat } from '../../base/storage/storage.ts';
import { summed, type ZipSource } from '../../base/storage/zip-writer.ts';
import { UNNAMED_MAX } from '../../media/formats/zip.ts';
import { indexFolder } from '../../media/index/file-index.ts';
import { ANNOTATIONS_MAX, annotationsFor, archivedAnnotations } from './annotation-marks.ts';
import { archivedClips } from './clip-marks.ts';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchivedMission,
  type ArchivedSensor,
  type ArchiveManifest,
  MANIFEST_NAME,
} from './manifest.ts';
import { filesOf } from './mark-files.ts';
import { archivedBookmarks } from './marks.ts';
import { archivedSnapshotOf, SNAPSHOTS_MAX, snapshotsFor } from './snapshot-marks.ts';

/** Entries of one archive: what is over, small pictures along the flights, is left out and made again at an import. */
export const ENTRIES_MAX = 9000;

/** A file of annotations holds at least so many. */
const ANNOTATIONS_IN_FILE = 2;

type Stored = StoredStat & { key: string };
type FileRow = Selectable<Database['files']>;
type SensorPlan = {
  row: Selectable<Database['sensors']>;
  folder: string;
  files: FileRow[];
  indexes: Stored[];
  pictures: Stored[];
};
type MissionPlan = {
  id: string;
  folder: string;
  mission: Omit<ArchivedMission, 'sensors' | 'marks'>;
  sensors: SensorPlan[];
  /** Annotations of the mission that the actor may read: each has rights of its own. */
  annotations: { id: string; classification: number }[];
  snapshots: Awaited<ReturnType<typeof snapshotsFor>>;
};
export type Contents = { actor: Actor; missions: MissionPlan[]; label: ArchiveManifest['label']; sizeBytes: number };

export type ContentsDeps = { db: Kysely<Database>; storage: Storage };

/** Limits of an import: marks of one mission, and files of an archive. */
const TAKEN = { snapshots: SNAPSHOTS_MAX, annotations: ANNOTATIONS_MAX, files: UNNAMED_MAX };

/**
 * Content of an archive of these missions. The caller has asked `authorize` for each.
 *
 * @throws AppError notFound; ruleRefused if no import would take it
 */
export async function contentsOf(
  deps: ContentsDeps,
  actor: Actor,
  ids: readonly string[],
  taken = TAKEN,
): Promise<Contents> {
  const missions: MissionPlan[] = [];
  let [entries, certain] = [1, 1];
  for (const [index, id] of ids.entries()) {
    const plan = await missionPlan(deps, actor, { id, index });
    // Counts the files of bookmarks, of clips and of annotations, these as if all were as large as can be.
    entries += 2 + Math.ceil(plan.annotations.length / ANNOTATIONS_IN_FILE);
    // Pictures of snapshots, and their fields.
    entries += picturesOf(plan.snapshots).length + 1;
    for (const sensor of plan.sensors) entries += sensor.files.length + sensor.indexes.length;
    for (const sensor of plan.sensors) {
      sensor.pictures = sensor.pictures.slice(0, Math.max(0, ENTRIES_MAX - entries));
      entries += sensor.pictures.length;
    }
    checkMarks(plan, taken);
    certain += picturesOf(plan.snapshots).length;
    for (const { files, indexes } of plan.sensors) certain += files.length + indexes.length;
    missions.push(plan);
  }
  if (certain > taken.files) {
    throw refusal(`The archive would hold more than ${taken.files} files. Please export fewer missions at a time.`);
  }
  const ranks = missions.flatMap(({ mission, annotations, snapshots }) => [
    rankOf(mission.label),
    ...[...annotations, ...snapshots].map(({ classification }) => classification),
  ]);
  const sizes = missions.flatMap(({ sensors }) =>
    sensors.flatMap(({ files, indexes, pictures }) => [
      ...files.map((file) => file.size_bytes),
      ...[...indexes, ...pictures].map((one) => one.sizeBytes),
    ]),
  );
  for (const { snapshots } of missions) sizes.push(...picturesOf(snapshots));
  const sizeBytes = sizes.reduce((sum, one) => sum + one, 0);
  const label = classificationOf(ranks.reduce((high, rank) => Math.max(high, rank), 1));
  return { actor, missions, label, sizeBytes };
}

/** Lengths of the pictures of snapshots, of one or two each. */
const picturesOf = (snapshots: MissionPlan['snapshots']): number[] =>
  snapshots.flatMap(({ sizeBytes, overlaysBytes }) =>
    overlaysBytes === null ? sizeBytes : [sizeBytes, overlaysBytes],
  );

/** @throws AppError ruleRefused */
function checkMarks({ mission, ...marks }: MissionPlan, taken: typeof TAKEN): void {
  for (const kind of ['snapshots', 'annotations'] as const) {
    const max = taken[kind];
    if (marks[kind].length <= max) continue;
    throw refusal(
      `Mission ${mission.name} has more than ${max} ${kind}, which is the most that an archive takes. Please delete some first.`,
    );
  }
}

const refusal = (reason: string) => new AppError('ruleRefused', { reason });

const rankOf = (label: string | null): number => (label === null ? 1 : classificationRank(label as never));

async function missionPlan({ db, storage }: ContentsDeps, actor: Actor, { id, index }: { id: string; index: number }) {
  const row = await visible(db, actor).selectAll('missions').where('missions.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('notFound');
  const groups = await db
    .selectFrom('mission_usergroups')
    .innerJoin('usergroups', 'usergroups.id', 'mission_usergroups.usergroup_id')
    .where('mission_id', '=', id)
    .select('usergroups.name')
    .orderBy('usergroups.name')
    .execute();
  const folder = `${number(index)}-${safeName(row.name)}`;
  const sensorRows = await asSystem(db, 'export')
    .selectFrom('sensors')
    .selectAll()
    .where('mission_id', '=', id)
    .orderBy('position')
    .orderBy('name')
    .execute();
  const sensors: SensorPlan[] = [];
  for (const [position, sensor] of sensorRows.entries()) {
    sensors.push(await sensorPlan({ db, storage }, sensor, `${folder}/${number(position)}-${safeName(sensor.name)}`));
  }
  const plan: MissionPlan = {
    id,
    folder,
    mission: {
      id,
      name: row.name,
      description: row.description,
      label: classificationOf(row.classification),
      marked: row.marked,
      audience: row.audience,
      usergroups: groups.map(({ name }) => name),
      platform: { name: row.platform_name, type: row.platform_type, presentation: { color: row.platform_color } },
      rating: row.rating,
      countryCode: row.country_code,
      countryName: row.country_name,
      tags: row.tags,
      sortOrder: row.sort_order,
      creationTime: row.creation_time,
    },
    sensors,
    annotations: await annotationsFor(db, actor, id),
    snapshots: await snapshotsFor(db, actor, id),
  };
  return plan;
}

async function sensorPlan({ db, storage }: ContentsDeps, row: SensorPlan['row'], folder: string): Promise<SensorPlan> {
  const files = await asSystem(db, 'export')
    .selectFrom('files')
    .selectAll()
    .where('sensor_id', '=', row.id)
    // An archive that is being unpacked is not a recording yet.
    .where('kind', '!=', 'archive')
    .orderBy('created')
    .orderBy('name')
    .execute();
  const indexes: Stored[] = [];
  for await (const stored of storage.list(indexFolder(row.id))) indexes.push(stored);
  const pictures: Stored[] = [];
  for await (const stored of storage.list(`pictures/${row.mission_id}`)) {
    if (lastPart(stored.key).startsWith(row.id)) pictures.push(stored);
  }
  const byKey = (a: Stored, b: Stored) => a.key.localeCompare(b.key, 'en', { numeric: true });
  return { row, folder, files, indexes: indexes.sort(byKey), pictures: pictures.sort(byKey) };
}

export type WritingOptions = { server: string; nowUs: number; wrote?: (bytes: number) => void };

/** The entries of the archive in order, its manifest last. @throws AppError when a recording is not what it was */
export async function* entriesOf(
  { db, storage }: ContentsDeps,
  contents: Contents,
  { server, nowUs, wrote }: WritingOptions,
): AsyncGenerator<ZipSource> {
  const date = new Date(nowUs / 1000);
  const missions: ArchivedMission[] = [];

  async function* store<T extends { path: string; sizeBytes: number; sha256: string }>(
    key: string,
    entry: T,
  ): AsyncGenerator<ZipSource, T> {
    const done = { ...entry };
    async function* counted() {
      for await (const bytes of storage.read(key) as AsyncIterable<Uint8Array>) {
        wrote?.(bytes.byteLength);
        yield bytes;
      }
    }
    yield { name: entry.path, date, bytes: summed(counted(), (sum) => Object.assign(done, sum)) };
    return done;
  }

  for (const { mission, folder: missionFolder, sensors, annotations, snapshots } of contents.missions) {
    const archived: ArchivedSensor[] = [];
    /** Paths of the originals by the ids of their files. */
    const paths = new Map<string, string>();
    for (const { row, folder, files, indexes, pictures } of sensors) {
      const sensor: ArchivedSensor = {
        name: row.name,
        description: row.description,
        type: row.type as ArchivedSensor['type'],
        timeShift: row.time_shift,
        originals: [],
        indexes: [],
        pictures: [],
      };
      for (const [index, file] of files.entries()) {
        const written = yield* store(file.storage_key, {
          path: `${folder}/${number(index)}-${safeName(file.name)}`,
          sizeBytes: 0,
          sha256: '',
          name: file.name,
          kind: file.kind as 'ts',
          lastModified: file.last_modified,
          created: file.created,
          remark: file.remark,
          timeOffset: file.time_offset,
          coordinatesExchanged: file.coordinates_exchanged,
          reading: file.reading,
        });
        // Better no archive than one that hides a failing disk: its checksums would be right for damaged bytes.
        if (file.sha256 !== null && file.sha256 !== written.sha256) {
          throw new AppError('ruleRefused', {
            reason: `The stored file ${file.name} is damaged: its checksum has changed.`,
          });
        }
        sensor.originals.push(written);
        paths.set(file.id, written.path);
      }
      for (const [list, place] of [
        ['indexes', indexes],
        ['pictures', pictures],
      ] as const) {
        for (const { key } of place) {
          const path = `${folder}/${list}/${lastPart(key)}`;
          sensor[list].push(yield* store(key, { path, sizeBytes: 0, sha256: '' }));
        }
      }
      archived.push(sensor);
    }
    const marks: ArchivedMission['marks'] = [];
    const bookmarks = await archivedBookmarks(db, mission.id, paths);
    const clips = await archivedClips(db, mission.id, paths);
    const ids = annotations.map(({ id }) => id);
    const rank = classificationRank(contents.label);
    yield* marksOf('bookmarks', bookmarks);
    yield* marksOf('clips', clips);
    yield* marksOf('annotations', archivedAnnotations(db, contents.actor, { ids, rank, originals: paths }));
    const shown: object[] = [];
    for (const [index, { id, key, sizeBytes, overlaysBytes }] of snapshots.entries()) {
      const entryOf = await archivedSnapshotOf(db, contents.actor, { id, rank, originals: paths });
      if (entryOf === null) continue;
      const path = `${missionFolder}/snapshots/${number(index)}`;
      const file = yield* store(key, { path, sizeBytes, sha256: '' });
      const second = { path: `${path}-overlays`, sizeBytes: overlaysBytes ?? 0, sha256: '' };
      shown.push(entryOf(file, overlaysBytes === null ? null : yield* store(overlaysKey(id), second)));
    }
    yield* marksOf('snapshots', shown);
    missions.push({ ...mission, sensors: archived, marks });

    /** In as many files as they need. */
    async function* marksOf(kind: string, list: Iterable<object> | AsyncIterable<object>): AsyncGenerator<ZipSource> {
      let files = 0;
      for await (const bytes of filesOf(list)) {
        files += 1;
        const path = `${missionFolder}/${kind}-${files}.json`;
        yield { name: path, date, bytes };
        marks.push({ kind, path, sizeBytes: bytes.byteLength, sha256: sha256Of(bytes) });
      }
    }
  }
  const manifest: ArchiveManifest = {
    format: ARCHIVE_FORMAT,
    version: ARCHIVE_VERSION,
    label: contents.label,
    created: date.toISOString(),
    server,
    missions,
  };
  yield { name: MANIFEST_NAME, date, bytes: Buffer.from(JSON.stringify(manifest, null, 1)) };
}

/** Whether the actor may export each of these missions, or clips of them, now. @throws AppError notFound, forbidden */
export async function authorizeExport(
  db: Kysely<Database>,
  actor: Actor,
  ids: readonly string[],
  action: 'mission.export' | 'clip.export' = 'mission.export',
) {
  const facts = [];
  for (const id of ids) {
    const one = await missionFacts(db, id, 'export');
    if (one === null) throw new AppError('notFound');
    if (action === 'clip.export') authorize(actor, action, { ...one, authorId: null });
    else authorize(actor, action, one);
    facts.push(one);
  }
  return facts;
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const number = (index: number): string => String(index + 1).padStart(2, '0');
const lastPart = (key: string): string => key.split('/').at(-1) ?? key;

/** A name that every file system takes; the manifest holds the name as it is. */
function safeName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^\.+/, '_');
  return Array.from(plain).slice(0, 40).join('') || '_';
}
