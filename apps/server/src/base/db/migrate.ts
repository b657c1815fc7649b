import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import * as start from './migrations/0001-start.ts';
import * as rightsNotices from './migrations/0002-rights-notices.ts';
import * as documents from './migrations/0003-documents.ts';
import * as people from './migrations/0004-people.ts';
import * as platforms from './migrations/0005-platforms.ts';
import * as backups from './migrations/0006-backups.ts';
import * as keeping from './migrations/0007-keeping.ts';
import * as audit from './migrations/0009-audit.ts';
import * as mediaNotices from './migrations/0010-media-notices.ts';
import * as signIn from './migrations/0011-sign-in.ts';
import * as apiCredentials from './migrations/0012-api-credentials.ts';
import * as live from './migrations/0013-live.ts';
import * as platformNotices from './migrations/0014-platform-notices.ts';
import * as streamMarks from './migrations/0015-stream-marks.ts';
import * as searchedAtOnce from './migrations/0016-searched-at-once.ts';
import * as jobPriority from './migrations/0017-job-priority.ts';
import * as documentsByType from './migrations/0018-documents-by-type.ts';
import * as auditIntents from './migrations/0019-audit-intents.ts';
import * as latestAccess from './migrations/0020-latest-access.ts';
import * as remarksOnFiles from './migrations/0021-remarks-on-files.ts';
import * as itemNotices from './migrations/0022-item-notices.ts';
import * as storedChecks from './migrations/0023-stored-checks.ts';
import * as sidecarSettings from './migrations/0024-sidecar-settings.ts';
import * as readingsOfFiles from './migrations/0025-readings-of-files.ts';
import * as bookmarks from './migrations/0026-bookmarks.ts';
import * as clips from './migrations/0027-clips.ts';
import * as snapshots from './migrations/0028-snapshots.ts';
import * as annotations from './migrations/0029-annotations.ts';
import * as ais from './migrations/0030-ais.ts';
import * as conferenceRooms from './migrations/0031-conference-rooms.ts';
import * as coverage from './migrations/0032-coverage.ts';
import * as cases from './migrations/0033-cases.ts';
import * as lastSeen from './migrations/0034-last-seen.ts';
import * as savedSearches from './migrations/0035-saved-searches.ts';
import * as aisHeard from './migrations/0036-ais-heard.ts';
import * as oldMissionNames from './migrations/0038-old-mission-names.ts';
import * as snapshotOverlays from './migrations/0041-snapshot-overlays.ts';
import * as annotationFrames from './migrations/0042-annotation-frames.ts';
import * as annotationLevelSizes from './migrations/0043-annotation-level-sizes.ts';
import * as searchHits from './migrations/0044-search-hits.ts';
import * as sitePlaces from './migrations/0045-site-places.ts';
import * as shipLists from './migrations/0046-ship-lists.ts';
import * as aisPacked from './migrations/0047-ais-packed.ts';
import * as liveKlv from './migrations/0048-live-klv.ts';
import * as aisDated from './migrations/0053-ais-dated.ts';
import * as aisRanges from './migrations/0054-ais-ranges.ts';
import * as aisBlocks from './migrations/0055-ais-blocks.ts';
import * as ceilings from './migrations/0057-ceilings.ts';
import * as annotationPlaces from './migrations/0058-annotation-places.ts';
import * as liveShapes from './migrations/0059-live-shapes.ts';
import type { Database } from './schema.ts';

/** In the order of their numbers; forward only. */
const migrations: Record<string, Migration> = {
  '0001-start': start,
  '0002-rights-notices': rightsNotices,
  '0003-documents': documents,
  '0004-people': people,
  '0005-platforms': platforms,
  '0006-backups': backups,
  '0007-keeping': keeping,
  '0009-audit': audit,
  '0010-media-notices': mediaNotices,
  '0011-sign-in': signIn,
  '0012-api-credentials': apiCredentials,
  '0013-live': live,
  '0014-platform-notices': platformNotices,
  '0015-stream-marks': streamMarks,
  '0016-searched-at-once': searchedAtOnce,
  '0017-job-priority': jobPriority,
  '0018-documents-by-type': documentsByType,
  '0019-audit-intents': auditIntents,
  '0020-latest-access': latestAccess,
  '0021-remarks-on-files': remarksOnFiles,
  '0022-item-notices': itemNotices,
  '0023-stored-checks': storedChecks,
  '0024-sidecar-settings': sidecarSettings,
  '0025-readings-of-files': readingsOfFiles,
  '0026-bookmarks': bookmarks,
  '0027-clips': clips,
  '0028-snapshots': snapshots,
  '0029-annotations': annotations,
  '0030-ais': ais,
  '0031-conference-rooms': conferenceRooms,
  '0032-coverage': coverage,
  '0033-cases': cases,
  '0034-last-seen': lastSeen,
  '0035-saved-searches': savedSearches,
  '0036-ais-heard': aisHeard,
  '0038-old-mission-names': oldMissionNames,
  '0041-snapshot-overlays': snapshotOverlays,
  '0042-annotation-frames': annotationFrames,
  '0043-annotation-level-sizes': annotationLevelSizes,
  '0044-search-hits': searchHits,
  '0045-site-places': sitePlaces,
  '0046-ship-lists': shipLists,
  '0047-ais-packed': aisPacked,
  '0048-live-klv': liveKlv,
  '0053-ais-dated': aisDated,
  '0054-ais-ranges': aisRanges,
  '0055-ais-blocks': aisBlocks,
  '0057-ceilings': ceilings,
  '0058-annotation-places': annotationPlaces,
  '0059-live-shapes': liveShapes,
};

/**
 * Brings the schema up to date, each step in a transaction.
 *
 * @throws Error when the schema is newer than this server
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  const { error } = await migratorOf(db).migrateToLatest();
  if (error === undefined) return;
  const newer = error instanceof Error && error.message.startsWith('corrupted migrations');
  if (newer) throw new Error('The database was made by a newer version of this server', { cause: error });
  throw error;
}

/**
 * Brings an empty database to the version that a backup was made at.
 *
 * @throws Error when this server does not know that version
 */
export async function migrateTo(db: Kysely<Database>, version: string): Promise<void> {
  if (!knowsVersion(version)) throw new Error(`Version ${version} was made by a newer version of this server`);
  const { error } = await migratorOf(db).migrateTo(version);
  if (error !== undefined) throw error;
}

/** Whether the schema is an old one: there, and not of this server's version. */
export async function isOutdated(db: Kysely<Database>): Promise<boolean> {
  const known = await migratorOf(db).getMigrations();
  const done = known.filter(({ executedAt }) => executedAt !== undefined);
  return done.length > 0 && done.length < known.length;
}

/** Whether this server can bring a database to that version. */
export const knowsVersion = (version: string): boolean => version in migrations;

/** Whether the schema has a step that this server does not know. */
export async function isNewer(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{
    there: boolean;
  }>`select to_regclass('public.kysely_migration') is not null as there`.execute(db);
  if (!rows[0]?.there) return false;
  const steps = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return steps.rows.some(({ name }) => !knowsVersion(name));
}

const migratorOf = (db: Kysely<Database>) => new Migrator({ db, provider: { getMigrations: async () => migrations } });
