import { createHash } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  type Actor,
  AppError,
  type Classification,
  classificationOf,
  type NewMission,
  newMission,
  platform,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import { actorsById } from '../../base/access/actors.ts';
import type { Database } from '../../base/db/schema.ts';
import { missionFacts } from '../../base/items/mission-facts.ts';
import { missionIsThere } from '../../base/items/missions.ts';
import { sensorsOfMission, visibleFiles } from '../../base/items/sensors.ts';
import { isContainer } from '../../media/formats/containers/survey.ts';
import { type AcceptDeps, acceptFiles, type Received } from '../../uploads/accept.ts';
import { bytesMadeOf } from '../../uploads/admission.ts';
import { displayName } from '../../uploads/display-name.ts';
import { takeLocalFile } from '../../uploads/local-file.ts';
import type { FolderRow } from './folders.ts';

const NAME_TRIES = 100;
const NAME_LENGTH = 60;

export type WatchedFolderDeps = AcceptDeps & {
  db: Kysely<Database>;
  createMission: (actor: Actor, requested: NewMission, options: { id: string; mayHide: boolean }) => Promise<string>;
  /** Checks that the disk has space for the file and for the files created from it. @throws AppError diskFull */
  admit: (userId: string, bytes: number, madeBytes: number) => Promise<void>;
  /** Writes an audit row; resolves when it is committed. */
  audit: (note: { action: string; itemId: string; label: Classification; reason: string }) => Promise<void>;
};

/** A file of a watched folder, as found by the scan. */
export type ScannedFile = { name: string; path: string; sizeBytes: number; modifiedMs: number };

export type Outcome = {
  outcome: 'taken' | 'duplicate' | 'refused';
  reason: string | null;
  missionId: string | null;
  sha256: string | null;
};

/**
 * Returns the account in whose name a folder creates missions: the account that set it up, or the first superAdmin for
 * a folder of the configuration.
 */
export async function actorOf({ db }: Pick<WatchedFolderDeps, 'db'>, folder: FolderRow): Promise<Actor | null> {
  if (folder.user_id === null && !folder.from_configuration) return null;
  const id =
    folder.user_id ??
    (
      await db
        .selectFrom('users')
        .select('id')
        .where('role', '=', 'superAdmin')
        .where('disabled', '=', false)
        .where('deleted_time', 'is', null)
        .orderBy('registered')
        .executeTakeFirst()
    )?.id;
  return id === undefined ? null : ((await actorsById(db, [id])).get(id)?.actor ?? null);
}

/** Description of a mission in a list; omitted values are taken from the folder. */
export type Described = Partial<Omit<NewMission, 'name' | 'sensors'>> & { name: string };

export type Taking = {
  folder: FolderRow;
  actor: Actor;
  files: readonly ScannedFile[];
  described: Described;
  signal?: AbortSignal;
  /** Telemetry files of the recording, if there is only one, and a function that receives the outcome of each. */
  companionFiles?: { files: readonly ScannedFile[]; settled: (file: ScannedFile, outcome: Outcome) => void };
};

/**
 * Creates one mission from the files, all of them or none. Files already stored in a mission that the actor may see are
 * not stored again.
 */
export async function takeMission(deps: WatchedFolderDeps, taking: Taking): Promise<Outcome> {
  const { folder, actor, files } = taking;
  const received: Received[] = [];
  try {
    await deps.admit(
      actor.id,
      files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      files.reduce((sum, { name, sizeBytes }) => sum + bytesMadeOf(name, sizeBytes), 0),
    );
    for (const file of files) received.push(await receivedOf(deps, folder, file, taking.signal));
    const sha256 = received[0]?.sha256 ?? null;
    const existing = await knownAs(deps, actor, received);
    if (existing !== null) {
      await remove(deps, received);
      return duplicateOf(existing, sha256);
    }
    const missionId = await make(deps, taking, received);
    if (taking.companionFiles) await takeCompanions(deps, taking, { missionId, companionFiles: taking.companionFiles });
    return { outcome: 'taken', reason: null, missionId, sha256 };
  } catch (error) {
    await remove(deps, received);
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return { outcome: 'refused', reason: error.message, missionId: null, sha256: null };
  }
}

/** Outcome for a file that is already in a mission that the actor may see. */
export const duplicateOf = ({ id, name }: { id: string; name: string }, sha256: string | null): Outcome => ({
  outcome: 'duplicate',
  reason: `It is in the mission ${name} already.`,
  missionId: id,
  sha256,
});

/** Derives an id from folder, name, size and time of a file, so that a retry after a crash creates nothing twice. */
const idFor = (folder: FolderRow, { name, sizeBytes, modifiedMs }: ScannedFile, what: string): string => {
  const hex = createHash('sha256')
    .update(JSON.stringify([folder.id, name, sizeBytes, modifiedMs, what]))
    .digest('hex');
  // Version 8, variant 1 according to RFC 9562.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-9${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const receivedOf = (
  deps: WatchedFolderDeps,
  folder: FolderRow,
  file: ScannedFile,
  signal?: AbortSignal,
): Promise<Received> =>
  takeFile(deps, {
    folder,
    file,
    isRequested: (kind) => kind === 'ts' || kind === 'archive' || isContainer(kind),
    signal,
  });

type TakingFile = {
  folder: FolderRow;
  file: ScannedFile;
  isRequested: (kind: Received['kind']) => boolean;
  signal: AbortSignal | undefined;
};

/** @throws AppError unsupportedFile for a file of another kind than requested */
async function takeFile(deps: WatchedFolderDeps, { folder, file, isRequested, signal }: TakingFile): Promise<Received> {
  const { path, modifiedMs } = file;
  const local = { id: idFor(folder, file, 'file'), name: displayName(basename(file.name)), path, modifiedMs };
  const received = await takeLocalFile(deps, { ...local, ...(signal ? { signal } : {}) });
  if (isRequested(received.kind)) return received;
  await deps.storage.remove(received.key);
  throw new AppError('unsupportedFile', { reason: 'it holds no recording' });
}

/**
 * Adds telemetry files to the sensor of their recording. A file that is no telemetry is refused, without affecting the
 * other files.
 */
async function takeCompanions(
  deps: WatchedFolderDeps,
  { folder, actor, signal }: Taking,
  { missionId, companionFiles }: { missionId: string; companionFiles: NonNullable<Taking['companionFiles']> },
): Promise<void> {
  const mission = await missionFacts(deps.db, missionId, 'import');
  const [sensor] = await sensorsOfMission(deps.db, 'import', missionId);
  if (mission === null || sensor === undefined) return;
  for (const file of companionFiles.files) {
    try {
      const received = await takeFile(deps, { folder, file, isRequested: (kind) => kind === 'sidecar', signal });
      await acceptFiles(deps, { mission, sensorId: sensor.id, sensorName: sensor.name }, [received], actor.id);
      companionFiles.settled(file, { outcome: 'taken', reason: null, missionId, sha256: received.sha256 });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      companionFiles.settled(file, { outcome: 'refused', reason: error.message, missionId: null, sha256: null });
    }
  }
}

async function knownAs({ db }: WatchedFolderDeps, actor: Actor, files: readonly Received[]) {
  const row = await visibleFiles(db, actor)
    .where(
      'files.sha256',
      'in',
      files.map(({ sha256 }) => sha256),
    )
    // Leaves out rows of these same files, created by an attempt before a crash.
    .where(
      'files.id',
      'not in',
      files.map(({ id }) => id),
    )
    .select(['missions.id', 'missions.name'])
    .executeTakeFirst();
  return row ?? null;
}

async function make(
  deps: WatchedFolderDeps,
  { folder, actor, files, described }: Taking,
  received: readonly Received[],
) {
  const [first] = files;
  if (first === undefined) throw new AppError('ruleRefused', { reason: 'It names no files.' });
  const id = idFor(folder, first, 'mission');
  const sensors = files.length === 1 ? undefined : sensorsFor(files);
  const label =
    folder.classification === null ? {} : { securityClassification: classificationOf(folder.classification) };
  const requested = newMission.parse({
    audience: folder.audience,
    usergroups: folder.usergroups,
    platform: platform.parse(folder.platform),
    ...label,
    ...described,
    ...(sensors ? { sensors } : {}),
  });
  if (!(await missionIsThere(deps.db, 'import', id))) await createNamed(deps, actor, requested, id);
  const mission = await missionFacts(deps.db, id, 'import');
  if (mission === null) throw new AppError('notFound');
  const rows = await sensorsOfMission(deps.db, 'import', id);
  for (const [index, file] of received.entries()) {
    const sensor = rows[index];
    if (sensor === undefined) continue;
    await acceptFiles(deps, { mission, sensorId: sensor.id, sensorName: sensor.name }, [file], actor.id);
  }
  await deps.audit({ action: 'mission.intake', itemId: id, label: mission.securityClassification, reason: folder.id });
  deps.changed('missions', [id]);
  return id;
}

async function createNamed(deps: WatchedFolderDeps, actor: Actor, requested: NewMission, id: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const name = attempt === 0 ? requested.name : `${requested.name.slice(0, NAME_LENGTH)}_${attempt + 1}`;
    try {
      await deps.createMission(actor, { ...requested, name }, { id, mayHide: true });
      return;
    } catch (error) {
      const isTaken = error instanceof AppError && error.code === 'missionNameTaken';
      if (!isTaken || attempt === NAME_TRIES) throw error;
    }
  }
}

/** One sensor for each file, named after it. */
const sensorsFor = (files: readonly ScannedFile[]) =>
  files.map(({ name }, index) => ({ name: `${index + 1} ${missionNameFor(name)}`.slice(0, NAME_LENGTH) }));

/** Derives a mission name from a file name, without its extension and without characters that names may not contain. */
export function missionNameFor(fileName: string): string {
  const stem = basename(fileName).replace(/\.[A-Za-z0-9]{1,5}$/, '');
  const name = stem
    .normalize('NFC')
    .replace(/[\s/\\,\p{C}]+/gu, '_')
    .slice(0, NAME_LENGTH);
  return name === '' || name === '.' || name === '..' ? 'recording' : name;
}

async function remove({ storage }: WatchedFolderDeps, received: readonly Received[]): Promise<void> {
  for (const { key } of received) await storage.remove(key);
}

/** Moves a processed file into the subfolder `taken` or `refused`, if the folder asks for it. */
export async function putAside(folder: FolderRow, { path }: ScannedFile, outcome: Outcome['outcome']): Promise<void> {
  if (!folder.move_files) return;
  const place = join(dirname(path), outcome === 'taken' ? 'taken' : 'refused');
  await mkdir(place, { recursive: true });
  await rename(path, join(place, basename(path)));
}
