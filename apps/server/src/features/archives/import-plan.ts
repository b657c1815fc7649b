import { createHash } from 'node:crypto';
import {
  type Actor,
  AppError,
  type Classification,
  classificationRank,
  classifications,
  type NewMission,
  newMission,
} from '@osprey/contract';
import type { Kysely } from 'kysely';
import { knowsGroup } from '../../base/access/known-groups.ts';
import type { Database } from '../../base/db/schema.ts';
import { refuse, type Zip, type ZipEntry } from '../../media/formats/zip.ts';
import {
  ARCHIVE_VERSION,
  type ArchivedMission,
  type ArchiveManifest,
  archiveManifest,
  MANIFEST_NAME,
} from './manifest.ts';

const MANIFEST_MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads the manifest of an opened archive, and checks that each file named there exists once and has the stated length.
 * @throws AppError badArchive
 */
export async function readManifest(zip: Zip): Promise<ArchiveManifest> {
  const entry = zip.files.get(MANIFEST_NAME);
  if (entry === undefined) throw refuse('it holds no manifest of missions');
  if (entry.sizeBytes > MANIFEST_MAX_BYTES) throw refuse('its manifest is too long');
  const chunks: Uint8Array[] = [];
  for await (const bytes of zip.read(entry)) chunks.push(bytes);
  const manifest = parse(Buffer.concat(chunks).toString('utf8'));
  const named = new Set<string>();
  for (const { path, sizeBytes } of originalsOf(manifest.missions)) {
    if (named.has(path)) throw refuse('its manifest names a file twice');
    named.add(path);
    if (fileOf(zip, path).sizeBytes !== sizeBytes) throw refuse('a file is not as long as its manifest says');
  }
  return manifest;
}

function parse(text: string): ArchiveManifest {
  try {
    const content: unknown = JSON.parse(text);
    refuseNewer(content);
    return archiveManifest.parse(content);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refuse('its manifest is not one of Osprey', error);
  }
}

/** @throws AppError badArchive, which names both versions */
function refuseNewer(content: unknown): void {
  const version = typeof content === 'object' && content !== null && 'version' in content ? content.version : null;
  if (typeof version !== 'number' || version <= ARCHIVE_VERSION) return;
  throw refuse(`it is of version ${version}, and this server reads archives up to version ${ARCHIVE_VERSION}`);
}

export const originalsOf = (missions: readonly ArchivedMission[]) =>
  missions.flatMap(({ sensors }) => sensors.flatMap(({ originals }) => originals));

/** @throws AppError badArchive */
export function fileOf(zip: Zip, path: string): ZipEntry {
  const file = zip.files.get(path);
  if (file === undefined) throw refuse('a file that its manifest names is missing');
  return file;
}

/**
 * Returns an id derived from the import and the object's place in the archive. It is the same in every attempt, so that
 * a second attempt finds what the first one left.
 */
export function idFor(taskId: string, what: string): string {
  const hex = createHash('sha256').update(`${taskId}/${what}`).digest('hex');
  // UUID version 8, variant 1 (RFC 9562).
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-9${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export type PlannedMission = { requested: NewMission; label: Classification; kept: string[]; leftOut: string[] };

/**
 * Plans how a mission of an archive would be created here. Its label is kept; a label that is missing, unknown or was
 * never chosen becomes the highest of this installation, unmarked. Groups are looked up by name among those that the
 * actor may name.
 */
export async function planMission(
  db: Kysely<Database>,
  actor: Actor,
  { archived, systemHigh }: { archived: ArchivedMission; systemHigh: Classification },
): Promise<PlannedMission> {
  const known = classifications.find((word) => word === archived.label);
  const chosen = archived.marked ? known : undefined;
  const label = chosen ?? systemHigh;
  const rows = await db.selectFrom('usergroups').select(['id', 'name', 'classification']).execute();
  const usable = rows.filter(
    ({ id, classification }) => classification >= classificationRank(label) && knowsGroup(actor, id),
  );
  const found = usable.filter(({ name }) => archived.usergroups.includes(name));
  const requested = newMission.parse({
    name: archived.name,
    description: archived.description,
    audience: archived.audience,
    usergroups: found.map(({ id }) => id),
    ...(chosen === undefined ? {} : { securityClassification: chosen }),
    platform: archived.platform,
    rating: archived.rating,
    country_code: archived.countryCode,
    country_name: archived.countryName,
    tags: archived.tags,
    sortOrder: archived.sortOrder,
    sensors: archived.sensors.map(({ name, description, type }) => ({ name, description, type })),
  });
  const names = found.map(({ name }) => name);
  return { requested, label, kept: names, leftOut: archived.usergroups.filter((name) => !names.includes(name)) };
}

/** Returns a candidate for the mission's name; the first attempt is its own name. */
export const nameFor = (name: string, attempt: number): string =>
  attempt === 0 ? name : `${name.slice(0, 58)}_${attempt + 1}`;

export const isNameTaken = (error: unknown): boolean => error instanceof AppError && error.code === 'missionNameTaken';
