import { createHash } from 'node:crypto';
import {
  type Actor,
  AppError,
  type ApplyOptions,
  type Classification,
  can,
  classificationOf,
  type PlatformConfig,
  type PlatformsConfigResult,
  type PlatformVersion,
} from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { SecretBox } from '../../base/access/secret-box.ts';
import { refuseWidening } from '../../base/access/sharing.ts';
import type { Database } from '../../base/db/schema.ts';
import { visiblePlatforms } from '../../base/items/visibility.ts';
import type { SourceCheck } from '../../recorder-wire/source-address.ts';
import { changeOf, narrowerBefore, type Plan, planOf, type Step } from './plan.ts';
import { type FileError, type LineOf, readPlatformsFile } from './read-file.ts';
import { refuseReplays } from './replayed.ts';
import { checkSources, requestedPlatforms } from './requested.ts';
import { factsOf, readPlatforms, type StoredPlatform, storedPlatform } from './stored.ts';
import { writePlatform, writeRemoval } from './write-rows.ts';

/** Number of recent versions that are kept. Older ones are kept for 30 days, only the last of each day. */
const VERSIONS_RETAINED = 100;
const DAY_US = 24 * 3600 * 1_000_000;
const VERSIONS_RETENTION_US = 30 * DAY_US;

export type ConfigurationDeps = {
  db: Kysely<Database>;
  nowUs: () => number;
  systemHigh: Classification;
  box: SecretBox;
  checkSource: SourceCheck;
};

const tooLarge = { errors: [{ line: null, text: 'The file is larger than 1 MiB' }] };

/**
 * Result of a change. `steps` were carried out; empty if the file was refused, was only checked, or changed nothing.
 */
export type Applied = { result: PlatformsConfigResult; steps: Step[] };

export type PlatformConfiguration = ReturnType<typeof platformConfiguration>;

/**
 * The configuration of all platforms. Actors see and replace only the platforms visible to them; those above their
 * clearance do not change.
 */
export function platformConfiguration(deps: ConfigurationDeps) {
  const { db, nowUs } = deps;

  /**
   * @param bytes content of the file; null if the file is too large
   * @throws AppError reasonNeeded, revisionConflict, ruleRefused
   */
  async function upload(actor: Actor, bytes: Uint8Array | null, options: ApplyOptions): Promise<Applied> {
    const file = bytes === null ? tooLarge : readPlatformsFile(bytes);
    if ('errors' in file) {
      return change(actor, options, async (_tx, before) => ({ platforms: before, errors: file.errors, warnings: [] }));
    }
    return change(actor, options, await want(actor, file.platforms, file.lineOf));
  }

  /**
   * Returns a function that determines the platforms requested by these configurations, given the current ones.
   * Addresses are checked before the transaction, since resolving host names may take long.
   */
  async function want(actor: Actor, platforms: PlatformConfig[], lineOf: LineOf = () => null) {
    const sources = await checkSources(deps.checkSource, platforms);
    return async (tx: Db, before: StoredPlatform[]): Promise<Found> => {
      const groups = await groupNames(tx);
      const groupIds = new Map([...groups].map(([id, name]) => [name, id]));
      const file = { platforms, lineOf };
      const requested = await requestedPlatforms({ ...deps, sources, groupIds }, tx, { actor, file, before });
      return { ...requested, replaysChecked: true };
    };
  }

  /** @throws AppError notFound, reasonNeeded, revisionConflict, ruleRefused */
  async function restore(actor: Actor, version: number, options: ApplyOptions): Promise<Applied> {
    return change(actor, options, async (tx) => ({
      platforms: await knownGroupsOnly(tx, await platformsOf(tx, actor, version)),
      errors: [],
      warnings: [],
    }));
  }

  type Found = {
    platforms: StoredPlatform[];
    errors: FileError[];
    warnings: string[];
    /** True if the rights to replay were already checked for each sensor, with errors that name its line. */
    replaysChecked?: boolean;
  };

  async function change(
    actor: Actor,
    options: ApplyOptions,
    find: (tx: Db, before: StoredPlatform[]) => Promise<Found>,
  ): Promise<Applied> {
    return db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('platforms', 0))`.execute(tx);
      // The rows are locked, so that a label raised meanwhile by a mark in a stream is not overwritten.
      const before = await readPlatforms(tx, visiblePlatforms(tx, actor).forUpdate());
      const { platforms, errors, warnings, replaysChecked } = await find(tx, before);
      const existing = new Set(before.map(({ id }) => id));
      const plan = planOf(
        before,
        platforms,
        await standing(
          tx,
          platforms.filter(({ id }) => !existing.has(id)),
        ),
      );
      if (errors.length === 0 && !replaysChecked) await refuseUnseen(tx, actor, plan.steps);
      const groups = await groupNames(tx);
      const result = resultOf({ plan, errors, warnings, revision: revisionOf(before), groups, options });
      if (!result.valid || options.preview) return { result, steps: [] };
      if (options.expected !== undefined && options.expected !== result.revision)
        throw new AppError('revisionConflict');
      for (const step of plan.steps) {
        const narrower = narrowerBefore(step);
        if (narrower !== null) refuseWidening(actor, 'platform.lower', factsOf(narrower), options.reason);
      }
      if (plan.steps.length > 0) await carryOut(tx, actor, plan.steps);
      return { result, steps: plan.steps };
    });
  }

  async function carryOut(tx: Db, actor: Actor, steps: readonly Step[]): Promise<void> {
    await keepVersion(tx, null);
    for (const step of steps) {
      if (step.kind === 'removed') await writeRemoval(tx, step.before.id, nowUs());
      else await writePlatform(tx, step.after, nowUs());
    }
    await keepVersion(tx, actor.id);
  }

  /**
   * Stores the current configuration as a version, unless it equals the last one. Versions may differ even if this
   * change does nothing, since usergroups of platforms are also changed elsewhere.
   */
  async function keepVersion(tx: Db, authorId: string | null): Promise<void> {
    const all = asSystem(tx, 'platform').selectFrom('platforms').where('platforms.deleted_time', 'is', null);
    const platforms = JSON.stringify(await readPlatforms(tx, all));
    const last = await asSystem(tx, 'platform')
      .selectFrom('platform_versions')
      .select(['version', sql<boolean>`platforms = ${platforms}::jsonb`.as('same')])
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (last?.same || (last === undefined && platforms === '[]')) return;
    await tx
      .insertInto('platform_versions')
      .values({ version: (last?.version ?? 0) + 1, created: nowUs(), author_id: authorId, platforms })
      .execute();
    await forgetVersions(tx, nowUs());
  }

  return {
    upload,
    restore,
    want,
    change,

    current: (actor: Actor): Promise<StoredPlatform[]> => readPlatforms(db, visiblePlatforms(db, actor)),

    /** @throws AppError notFound */
    version: (actor: Actor, version: number): Promise<StoredPlatform[]> => platformsOf(db, actor, version),

    groupNames: () => groupNames(db),

    /** Null if there are no usergroups. */
    async lowestCeiling(ids: readonly string[]): Promise<Classification | null> {
      const row = await db
        .selectFrom('usergroups')
        .select((eb) => eb.fn.min('classification').as('lowest'))
        .where(sql<boolean>`id = any (${[...ids]}::uuid[])`)
        .executeTakeFirst();
      return row?.lowest ? classificationOf(row.lowest) : null;
    },

    async versions(actor: Actor): Promise<PlatformVersion[]> {
      const rows = await asSystem(db, 'platform')
        .selectFrom('platform_versions')
        .leftJoin('users', 'users.id', 'platform_versions.author_id')
        .select(['version', 'created', 'platforms', 'users.username'])
        .orderBy('version', 'desc')
        .execute();
      const existing = rows.map(({ platforms }) => storedPlatforms.parse(platforms));
      const now = await standing(db, existing.flat());
      return rows.map(({ version, created, username }, index) => ({
        version,
        created,
        author: username,
        platforms: (existing[index] ?? []).filter(maySee(actor, now)).length,
        current: index === 0,
      }));
    },
  };
}

/**
 * Refuses any change of a platform that would show a recording to new viewers. An account that adds a recording to a
 * platform must be able to see it; a recording that was already there may stay even if the account cannot see it.
 *
 * @throws AppError ruleRefused
 */
async function refuseUnseen(tx: Db, actor: Actor, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'removed') continue;
    const before = step.kind === 'changed' ? step.before.sensors : [];
    const bringer = (url: string) => (before.some((sensor) => sensor.url === url) ? null : actor);
    await refuseReplays(tx, { platform: step.after, sensors: step.after.sensors, bringer });
  }
}

async function platformsOf(db: Db, actor: Actor, version: number): Promise<StoredPlatform[]> {
  const row = await asSystem(db, 'platform')
    .selectFrom('platform_versions')
    .select('platforms')
    .where('version', '=', version)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('notFound');
  const platforms = storedPlatforms.parse(row.platforms);
  return platforms.filter(maySee(actor, await standing(db, platforms)));
}

const storedPlatforms = z.array(storedPlatform);

/** Reads the current rows of these platforms, by id. For a removed platform, this is the row as it was when removed. */
async function standing(db: Db, platforms: readonly StoredPlatform[]): Promise<Map<string, StoredPlatform>> {
  const ids = new Set(platforms.map(({ id }) => id));
  if (ids.size === 0) return new Map();
  const rows = asSystem(db, 'platform')
    .selectFrom('platforms')
    .where('platforms.id', 'in', [...ids]);
  return new Map((await readPlatforms(db, rows)).map((platform) => [platform.id, platform]));
}

/**
 * Returns whether an actor may see a platform of an old version: both the labels and groups of that time and the
 * current ones must allow it.
 */
const maySee = (actor: Actor, now: ReadonlyMap<string, StoredPlatform>) => (platform: StoredPlatform) =>
  [platform, now.get(platform.id) ?? platform].every((one) => can(actor, 'platform.read', factsOf(one)).allowed);

/**
 * Deletes old versions, since accounts that may change platforms could fill the disk with them. The last version of
 * each of the recent days is kept.
 */
async function forgetVersions(tx: Db, nowUs: number): Promise<void> {
  const versions = asSystem(tx, 'platform').selectFrom('platform_versions');
  const newest = versions.select('version').orderBy('version', 'desc').limit(VERSIONS_RETAINED);
  const ofDays = versions
    .select((eb) => eb.fn.max('version').as('version'))
    .where('created', '>', nowUs - VERSIONS_RETENTION_US)
    .groupBy(sql`created / ${sql.lit(DAY_US)}`);
  await asSystem(tx, 'platform')
    .deleteFrom('platform_versions')
    .where('version', 'not in', newest)
    .where('version', 'not in', ofDays)
    .execute();
}

async function groupNames(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom('usergroups').select(['id', 'name']).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Leaves out groups that were deleted meanwhile. */
async function knownGroupsOnly(tx: Db, platforms: StoredPlatform[]): Promise<StoredPlatform[]> {
  const groups = await groupNames(tx);
  return platforms.map((platform) => ({ ...platform, usergroups: platform.usergroups.filter((id) => groups.has(id)) }));
}

/** Computes a revision id of these platforms, by which a later change can detect conflicts. */
export const revisionOf = (platforms: StoredPlatform[]): string =>
  createHash('sha256').update(JSON.stringify(platforms)).digest('hex').slice(0, 32);

type ResultParts = {
  plan: Plan;
  errors: FileError[];
  warnings: string[];
  revision: string;
  groups: ReadonlyMap<string, string>;
  options: ApplyOptions;
};

function resultOf({ plan, errors, warnings, revision, groups, options }: ResultParts): PlatformsConfigResult {
  const valid = errors.length === 0;
  const first = errors[0];
  const place = first?.line ? `line ${first.line}, ` : '';
  const failed = first === undefined ? '' : `Nothing was changed: ${place}${first.text}.`;
  const taken = options.preview ? 'The file can be taken.' : 'Config file uploaded successfully.';
  return {
    valid,
    message: valid ? taken : failed,
    errors,
    warnings: valid ? warnings : [],
    changes: valid ? plan.steps.map((step) => changeOf(step, { groupName: (id) => groups.get(id) })) : [],
    unchanged: valid ? plan.unchanged : 0,
    needsReason: valid && plan.needsReason,
    revision,
  };
}
