import {
  type Actor,
  AppError,
  type Classification,
  type ImportedMission,
  importedMission,
  type NewMission,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { actorUnder } from '../../base/access/actors.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import type { Database } from '../../base/db/schema.ts';
import type { ArchivedContent, ArchiveReading, Contents } from '../../base/items/content.ts';
import { type MissionFacts, missionFacts } from '../../base/items/mission-facts.ts';
import type { TaskContext, TaskDefinition, TaskOutcome, TaskRow } from '../../base/jobs/tasks.ts';
import { removeStarting } from '../../base/storage/remove-starting.ts';
import { uploadReserve } from '../../base/storage/space-rule.ts';
import { openZip, refuse, type Zip } from '../../media/formats/zip.ts';
import { type AcceptDeps, acceptFiles, type Received } from '../../uploads/accept.ts';
import type { Admission } from '../../uploads/admission.ts';
import { displayName } from '../../uploads/display-name.ts';
import { createJudge } from '../../uploads/judge.ts';
import { archivesOf } from './contents.ts';
import {
  fileOf,
  idFor,
  isNameTaken,
  nameFor,
  originalsOf,
  type PlannedMission,
  planMission,
  readManifest,
} from './import-plan.ts';
import type { ArchivedMission, ArchivedOriginal } from './manifest.ts';
import { importedFrame, marksIn, placesFor } from './mark-files.ts';
import type { ArchivedMissions } from './missions.ts';

/** Largest ratio of the unpacked to the packed size of an archive. */
const GROWTH_MAX = 20;
const NAME_TRIES = 100;

export const importKey = (taskId: string): string => `imports/${taskId}.zip`;
export const importResult = z.object({ missions: z.array(importedMission) });

export type ImportTaskDeps = AcceptDeps & {
  db: Kysely<Database>;
  /** Free bytes that imports must leave; null for the rule of the storage. */
  reserveBytes: number | null;
  checkQuota: Admission['checkQuota'];
  systemHigh: Classification;
  createMission: (
    actor: Actor,
    requested: NewMission,
    options: { id: string; creationTime: number; mayHide: boolean },
  ) => Promise<string>;
  contents: Contents;
  missions: ArchivedMissions;
  /** Audit of the process itself, for rows written by contents. */
  ownAudit: Pick<RequestAudit, 'write'>;
  /** Resolves when the row is committed. */
  audit: (note: { action: string; itemId: string; label: Classification; reason: string }) => Promise<void>;
};

/**
 * Defines the task that creates missions from an archive. The archive's own statements are not trusted: every recording
 * is hashed and checked like an upload before the first mission is created, and indexes and pictures are rebuilt from
 * the recordings.
 */
export function importTaskDefinition(deps: ImportTaskDeps): TaskDefinition {
  return {
    kind: 'import',
    run: (context) => run(deps, context),
    ended: (task) => discard(deps, task),
  };
}

type Work = { deps: ImportTaskDeps; actor: Actor; zip: Zip; task: TaskRow };

async function run(deps: ImportTaskDeps, context: TaskContext): Promise<TaskOutcome> {
  const { task } = context;
  const actor = await actorUnder(deps.db, task.user_id, task.ceiling);
  if (actor === undefined) throw new AppError('forbidden');
  const zip = await openZip(deps.storage, importKey(task.id));
  try {
    const work: Work = { deps, actor, zip, task };
    const manifest = await readManifest(zip);
    // Checked before the first mission is created, since any fault refuses the whole archive.
    const lists = manifest.missions.flatMap((archived) =>
      archivesOf(deps.contents).map((archive) => ({ archive, reading: readingOf(zip, archived, archive) })),
    );
    let ownBytes = 0;
    for (const { archive, reading } of lists) ownBytes += await archive.check(reading);
    const received = await unpack(work, { missions: manifest.missions, ownBytes }, context);
    // Runs after the archive's compression ratio was checked, since a file may unpack to a large size.
    for (const { archive, reading } of lists) await archive.checkFiles?.(reading, context.signal);
    const missions: ImportedMission[] = [];
    for (const [index, archived] of manifest.missions.entries()) {
      context.signal.throwIfAborted();
      missions.push(await makeMission(work, { archived, index, received }));
    }
    await discard(deps, task);
    return { result: { missions } satisfies z.output<typeof importResult> };
  } finally {
    await zip.close();
  }
}

const readingOf = (zip: Zip, archived: ArchivedMission, { name, max }: ArchivedContent): ArchiveReading => ({
  list: (schema) => marksIn(zip, archived, { kind: name, schema, max }),
  sizeOf: (path) => fileOf(zip, path).sizeBytes,
  bytes: (path) => zip.read(fileOf(zip, path)),
});

const partKey = (taskId: string, index: number | string): string => `imports/${taskId}.${index}.part`;

/**
 * Unpacks every recording of the archive; returns their hashes and kinds by path. Recordings imported in an earlier
 * attempt are skipped.
 */
async function unpack(
  { deps, zip, task }: Work,
  { missions, ownBytes }: { missions: readonly ArchivedMission[]; ownBytes: number },
  { signal, progress }: TaskContext,
): Promise<Map<string, Received>> {
  const { storage } = deps;
  const originals = originalsOf(missions);
  const total = originals.reduce((sum, { sizeBytes }) => sum + sizeBytes, ownBytes);
  const { freeBytes, totalBytes } = await storage.space();
  if (total > freeBytes - (deps.reserveBytes ?? uploadReserve(totalBytes))) throw new AppError('diskFull');
  if (total > GROWTH_MAX * (task.size_bytes ?? 0)) throw refuse('it would unpack to far more than it is');
  // Files imported in an earlier attempt.
  const taken = await deps.missions.existingFiles(originals.map(({ path }) => idFor(task.id, path)));
  const coming = originals.reduce(
    (sum, { path, sizeBytes }) => sum + (taken.has(idFor(task.id, path)) ? 0 : sizeBytes),
    ownBytes,
  );
  // The archive's own upload does not count, since it is removed once it is read.
  await deps.checkQuota({ userId: task.user_id, bytes: coming, uploadId: task.id });
  const received = new Map<string, Received>();
  let read = 0;

  async function* counted(original: ArchivedOriginal) {
    for await (const bytes of zip.read(fileOf(zip, original.path))) {
      signal.throwIfAborted();
      read += bytes.byteLength;
      progress((100 * read) / Math.max(1, total));
      yield bytes;
    }
  }

  for (const [index, original] of originals.entries()) {
    const id = idFor(task.id, original.path);
    if (taken.has(id)) continue;
    const key = partKey(task.id, index);
    const stored = await storage.put(key, counted(original));
    if (stored.sha256 !== original.sha256) throw refuse('a file has another checksum than its manifest says');
    const kind = await createJudge(storage, key, original.name).complete();
    if (kind !== original.kind) throw refuse('a file is of another kind than its manifest says');
    const name = displayName(original.name);
    const { lastModified, created, remark, timeOffset, coordinatesExchanged, reading } = original;
    const decided = { timeOffset, coordinatesExchanged, reading };
    received.set(original.path, { id, key, kind, name, ...stored, lastModified, created, remark, ...decided });
  }
  return received;
}

type Making = { archived: ArchivedMission; index: number; received: Map<string, Received> };

async function makeMission(
  { deps, actor, zip, task }: Work,
  { archived, index, received }: Making,
): Promise<ImportedMission> {
  const { db } = deps;
  const id = idFor(task.id, `mission/${index}`);
  const plan = await planMission(db, actor, { archived, systemHigh: deps.systemHigh });
  const notes: string[] = [];
  const name = await created(deps, { actor, id, archived, plan }).catch((error) => {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    notes.push(sentenceOf(error));
    return null;
  });
  const report = {
    name: name ?? archived.name,
    securityClassification: plan.label,
    marked: plan.requested.securityClassification !== undefined,
    usergroups: plan.kept,
    usergroupsLeftOut: plan.leftOut,
  };
  if (name === null) return { _id: null, ...report, files: 0, notes };
  if (name !== archived.name) notes.push(`The name ${archived.name} was taken.`);
  if (!report.marked)
    notes.push('It had no chosen label that is known here: it counts as the highest label, unmarked.');
  if (archived.audience === 'groups' && plan.kept.length === 0) notes.push('It is shared with nobody.');
  const files = await takeFiles(deps, { id, archived, received, userId: actor.id });
  const mission = await missionFacts(db, id, 'import');
  if (mission !== null) notes.push(...(await makeContents({ deps, actor, zip, task }, mission, archived)));
  const known = archivesOf(deps.contents).map((archive) => archive.name);
  const unknown = archived.marks.filter(({ kind }) => !known.includes(kind)).map(({ kind }) => kind);
  if (unknown.length > 0) notes.push(`This version of Osprey does not read its ${[...new Set(unknown)].join(', ')}.`);
  await deps.audit({ action: 'mission.import', itemId: id, label: plan.label, reason: task.title.slice(0, 200) });
  deps.changed('missions', [id]);
  return { _id: id, ...report, files, notes };
}

/** Creates the contents of a mission. Returns a sentence for each kind of which the actor may not create all. */
async function makeContents(
  { deps, actor, zip, task }: Work,
  mission: MissionFacts,
  archived: ArchivedMission,
): Promise<string[]> {
  const { sensorIds, paths } = await placesFor(deps.db, mission.id, archived.sensors);
  const notes: string[] = [];
  for (const { kind, archive } of deps.contents) {
    if (archive === undefined) continue;
    const refused = await archive.make({
      ...readingOf(zip, archived, archive),
      ...{ actor, audit: deps.ownAudit, mission, sensorIds },
      idOf: (index) => idFor(task.id, `${kind}/${mission.id}/${index}`),
      keyOf: (id) => partKey(task.id, id),
      frameOf: (frame) => importedFrame(task.id, paths, frame),
    });
    if (refused > 0) {
      notes.push(`You may not add ${refused} of its ${archive.name} with their labels and usergroups.`);
    }
  }
  return notes;
}

const sentenceOf = (error: AppError): string =>
  error.code === 'forbidden' ? 'You may not add a mission with this label and these usergroups.' : error.message;

type Creating = { actor: Actor; id: string; archived: ArchivedMission; plan: PlannedMission };

/** Makes the mission unless an earlier try did; returns its name. */
async function created(deps: ImportTaskDeps, { actor, id, archived, plan }: Creating): Promise<string> {
  const existing = await deps.missions.nameOf(id);
  if (existing !== undefined) return existing;
  const options = { id, creationTime: archived.creationTime, mayHide: true };
  for (let attempt = 0; ; attempt++) {
    const name = nameFor(archived.name, attempt);
    try {
      await deps.createMission(actor, { ...plan.requested, name }, options);
      return name;
    } catch (error) {
      if (!isNameTaken(error) || attempt === NAME_TRIES) throw error;
    }
  }
}

type Taking = { id: string; archived: ArchivedMission; received: Map<string, Received>; userId: string };

/**
 * Adds the recordings to the mission; from here on they are processed like uploads. Returns the number of files that
 * the mission has.
 */
async function takeFiles(deps: ImportTaskDeps, { id, archived, received, userId }: Taking): Promise<number> {
  const mission = await missionFacts(deps.db, id, 'import');
  if (mission === null) return 0;
  let count = 0;
  for (const sensor of archived.sensors) {
    const sensorId = await deps.missions.shiftSensor(id, sensor.name, sensor.timeShift);
    if (sensorId === undefined) continue;
    count += sensor.originals.length;
    const files = sensor.originals.flatMap(({ path }) => received.get(path) ?? []);
    if (files.length === 0) continue;
    await acceptFiles(deps, { mission, sensorId, sensorName: sensor.name }, files, userId);
  }
  return count;
}

/** Removes the archive's files that did not become part of a mission. */
async function discard({ storage }: ImportTaskDeps, task: TaskRow): Promise<void> {
  await removeStarting(storage, `imports/${task.id}.`);
}
