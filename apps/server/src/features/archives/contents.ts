import { createHash } from 'node:crypto';
import { type Actor, AppError, classificationOf, classificationRank } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { authorize } from '../../base/access/authorize.ts';
import type { Database } from '../../base/db/schema.ts';
import type { ArchivedContent, ArchivePlan, ArchiveWriting, Contents } from '../../base/items/content.ts';
import { missionFacts } from '../../base/items/mission-facts.ts';
import type { Storage, StoredStat } from '../../base/storage/storage.ts';
import { type Summed, summing, type ZipSource } from '../../base/storage/zip-writer.ts';
import { UNNAMED_MAX } from '../../media/formats/zip.ts';
import { indexFolder } from '../../media/index/file-index.ts';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchivedMission,
  type ArchivedSensor,
  type ArchiveManifest,
  MANIFEST_NAME,
} from './manifest.ts';
import { listWriter } from './mark-files.ts';
import type { ArchivedMissions, FileRow, SensorRow } from './missions.ts';

/**
 * Maximum number of entries in one archive. If there are more, small pictures along the flights are left out; an import
 * creates them again.
 */
export const ENTRIES_MAX = 9000;

type Stored = StoredStat & { key: string };
type SensorPlan = {
  row: SensorRow;
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
  marks: { archive: ArchivedContent; plan: ArchivePlan }[];
};
export type Planned = { actor: Actor; missions: MissionPlan[]; label: ArchiveManifest['label']; sizeBytes: number };

export type ContentsDeps = { storage: Storage; contents: Contents; missions: ArchivedMissions };

/** Returns the kinds of contents that the archive of a mission includes. */
export const archivesOf = (contents: Contents): ArchivedContent[] => contents.flatMap(({ archive }) => archive ?? []);

/**
 * Plans the content of an archive of these missions. The caller has checked `authorize` for each.
 *
 * @throws AppError notFound; ruleRefused if no import would accept it
 */
export async function contentsOf(
  deps: ContentsDeps,
  actor: Actor,
  ids: readonly string[],
  filesMax = UNNAMED_MAX,
): Promise<Planned> {
  const missions: MissionPlan[] = [];
  let [entries, certain] = [1, 1];
  for (const [index, id] of ids.entries()) {
    const plan = await missionPlan(deps, actor, { id, index });
    const own = plan.marks.reduce((sum, mark) => sum + mark.plan.sizes.length, 0);
    // Lists are counted with the maximum number of files they may need.
    entries += own + plan.marks.reduce((sum, mark) => sum + mark.plan.lists, 0);
    for (const sensor of plan.sensors) entries += sensor.files.length + sensor.indexes.length;
    for (const sensor of plan.sensors) {
      sensor.pictures = sensor.pictures.slice(0, Math.max(0, ENTRIES_MAX - entries));
      entries += sensor.pictures.length;
    }
    checkMarks(plan);
    certain += own;
    for (const { files, indexes } of plan.sensors) certain += files.length + indexes.length;
    missions.push(plan);
  }
  if (certain > filesMax) {
    throw refusal(`The archive would hold more than ${filesMax} files. Please export fewer missions at a time.`);
  }
  const ranks = missions.flatMap(({ mission, marks }) => [
    rankOf(mission.label),
    ...marks.flatMap(({ plan }) => plan.listed.map(({ classification }) => classification)),
  ]);
  const sizes = missions.flatMap(({ sensors }) =>
    sensors.flatMap(({ files, indexes, pictures }) => [
      ...files.map((file) => file.size_bytes),
      ...[...indexes, ...pictures].map((one) => one.sizeBytes),
    ]),
  );
  for (const { marks } of missions) for (const { plan } of marks) sizes.push(...plan.sizes);
  const sizeBytes = sizes.reduce((sum, one) => sum + one, 0);
  const label = classificationOf(ranks.reduce((high, rank) => Math.max(high, rank), 1));
  return { actor, missions, label, sizeBytes };
}

/** @throws AppError ruleRefused */
function checkMarks({ mission, marks }: MissionPlan): void {
  for (const { archive, plan } of marks) {
    const { name, max } = archive;
    if (plan.listed.length <= max) continue;
    throw refusal(
      `Mission ${mission.name} has more than ${max} ${name}, which is the most that an archive takes. Please delete some first.`,
    );
  }
}

const refusal = (reason: string) => new AppError('ruleRefused', { reason });

const rankOf = (label: string | null): number => (label === null ? 1 : classificationRank(label as never));

async function missionPlan(
  { storage, contents, missions }: ContentsDeps,
  actor: Actor,
  { id, index }: { id: string; index: number },
): Promise<MissionPlan> {
  const recorded = await missions.read(actor, id);
  if (recorded === undefined) throw new AppError('notFound');
  const { row, usergroups } = recorded;
  const folder = `${number(index)}-${safeName(row.name)}`;
  const sensors: SensorPlan[] = [];
  for (const [position, sensor] of recorded.sensors.entries()) {
    const name = safeName(sensor.row.name);
    sensors.push({
      ...sensor,
      ...(await madeFiles(storage, sensor.row)),
      folder: `${folder}/${number(position)}-${name}`,
    });
  }
  const marks: MissionPlan['marks'] = [];
  for (const archive of archivesOf(contents)) marks.push({ archive, plan: await archive.plan(actor, id) });
  return {
    id,
    folder,
    mission: {
      id,
      name: row.name,
      description: row.description,
      label: classificationOf(row.classification),
      marked: row.marked,
      audience: row.audience,
      usergroups,
      platform: { name: row.platform_name, type: row.platform_type, presentation: { color: row.platform_color } },
      rating: row.rating,
      countryCode: row.country_code,
      countryName: row.country_name,
      tags: row.tags,
      sortOrder: row.sort_order,
      creationTime: row.creation_time,
    },
    sensors,
    marks,
  };
}

/** Indexes and pictures that were made of a sensor's files. */
async function madeFiles(storage: Storage, row: SensorRow): Promise<Pick<SensorPlan, 'indexes' | 'pictures'>> {
  const indexes: Stored[] = [];
  for await (const stored of storage.list(indexFolder(row.id))) indexes.push(stored);
  const pictures: Stored[] = [];
  for await (const stored of storage.list(`pictures/${row.mission_id}`)) {
    if (lastPart(stored.key).startsWith(row.id)) pictures.push(stored);
  }
  const byKey = (a: Stored, b: Stored) => a.key.localeCompare(b.key, 'en', { numeric: true });
  return { indexes: indexes.sort(byKey), pictures: pictures.sort(byKey) };
}

export type WritingOptions = { server: string; nowUs: number; wrote?: (bytes: number) => void };

/**
 * Yields the entries of the archive in order, with its manifest last. @throws AppError if a recording has changed since
 * it was stored
 */
export async function* entriesOf(
  { storage }: Pick<ContentsDeps, 'storage'>,
  planned: Planned,
  { server, nowUs, wrote }: WritingOptions,
): AsyncGenerator<ZipSource> {
  const date = new Date(nowUs / 1000);
  const missions: ArchivedMission[] = [];

  /** Returns an entry for a stored file. `done` returns its length and checksum once the entry is written. */
  function stored<T extends { path: string }>(key: string, of: T) {
    const { onRead, sum } = summing();
    const onWrite = (bytes: Uint8Array) => wrote?.(bytes.byteLength);
    const entry: ZipSource = { name: of.path, date, bytes: () => storage.read(key), onRead, onWrite };
    return { entry, done: () => ({ ...of, ...sum() }) };
  }

  async function* store<T extends { path: string }>(key: string, of: T): AsyncGenerator<ZipSource, T & Summed> {
    const { entry, done } = stored(key, of);
    yield entry;
    return done();
  }

  for (const { id: missionId, mission, folder: missionFolder, sensors, marks: kinds } of planned.missions) {
    const archived: ArchivedSensor[] = [];
    /** Paths of the originals by file id. */
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
          name: file.name,
          kind: file.kind as 'ts',
          lastModified: file.last_modified,
          created: file.created,
          remark: file.remark,
          timeOffset: file.time_offset,
          coordinatesExchanged: file.coordinates_exchanged,
          reading: file.reading,
        });
        // The export fails, since an archive would hide a failing disk: its checksums would match the damaged bytes.
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
          sensor[list].push(yield* store(key, { path }));
        }
      }
      archived.push(sensor);
    }
    const marks: ArchivedMission['marks'] = [];
    for (const { archive, plan } of kinds) {
      const writing: ArchiveWriting = {
        ...{ actor: planned.actor, missionId, rank: classificationRank(planned.label), originals: paths },
        ids: plan.listed.map(({ id }) => id),
        store(key, name) {
          const { entry, done } = stored(key, { path: `${missionFolder}/${name}` });
          return { entry, sum: done };
        },
      };
      const list = listWriter();
      let files = 0;
      for await (const written of archive.write(writing)) {
        if ('entry' in written) yield written.entry;
        else yield* fileWith(list.add(written.one));
      }
      yield* fileWith(list.end());

      /** Yields the next file of the list; a list is split into as many files as it needs. */
      function* fileWith(bytes: Buffer | null): Generator<ZipSource> {
        if (bytes === null) return;
        files += 1;
        const path = `${missionFolder}/${archive.name}-${files}.json`;
        yield { name: path, date, bytes };
        marks.push({ kind: archive.name, path, sizeBytes: bytes.byteLength, sha256: sha256Of(bytes) });
      }
    }
    missions.push({ ...mission, sensors: archived, marks });
  }
  const manifest: ArchiveManifest = {
    format: ARCHIVE_FORMAT,
    version: ARCHIVE_VERSION,
    label: planned.label,
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

/** Converts a name to one that every file system accepts; the manifest contains the original name. */
function safeName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^\.+/, '_');
  return Array.from(plain).slice(0, 40).join('') || '_';
}
