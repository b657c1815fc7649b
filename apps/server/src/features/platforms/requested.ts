import { randomUUID } from 'node:crypto';
import {
  type Actor,
  AppError,
  type Classification,
  classificationRank,
  HIDDEN_SECRET,
  type PlatformConfig,
  type PlatformSensorConfig,
} from '@osprey/contract';
import type { Db } from '../../base/access/as-system.ts';
import type { SecretBox } from '../../base/access/secret-box.ts';
import { compareSharing, refuseSharing } from '../../base/access/sharing.ts';
import {
  addressProblem,
  hideSecrets,
  isListening,
  placeOf,
  type SourceCheck,
  sendersProblem,
  shownAddress,
} from '../../recorder-wire/source-address.ts';
import type { FileError, LineOf } from './read-file.ts';
import { replayProblem } from './replayed.ts';
import { factsOf, type StoredPlatform, type StoredSensor } from './stored.ts';

export type RequestedDeps = {
  systemHigh: Classification;
  box: SecretBox;
  /** Result of the check of each address in the configuration. */
  sources: ReadonlyMap<string, Awaited<ReturnType<SourceCheck>>>;
  /** Ids of groups by name; only groups that the actor may name. */
  groupIds: ReadonlyMap<string, string>;
};

/** Checks all addresses in parallel; invalid ones are reported later. */
export async function checkSources(
  check: SourceCheck,
  platforms: readonly PlatformConfig[],
): Promise<RequestedDeps['sources']> {
  const sensors = platforms.flatMap((platform) => platform.sensors);
  const good = new Set(sensors.filter(({ url, type }) => addressProblem(url, type) === null).map(({ url }) => url));
  return new Map(await Promise.all([...good].map(async (url) => [url, await check(url)] as const)));
}

export type Requested = { platforms: StoredPlatform[]; errors: FileError[]; warnings: string[] };

/**
 * Determines the platforms that a file requests, compared with the current ones: resolves groups and secrets, and
 * checks addresses, labels and sharing.
 */
export async function requestedPlatforms(
  deps: RequestedDeps,
  tx: Db,
  {
    actor,
    file,
    before,
  }: { actor: Actor; file: { platforms: PlatformConfig[]; lineOf: LineOf }; before: StoredPlatform[] },
): Promise<Requested> {
  const errors: FileError[] = [];
  const warnings: string[] = [];
  const platforms: StoredPlatform[] = [];
  const names = new Set<string>();
  for (const [index, config] of file.platforms.entries()) {
    const fail = (path: (string | number)[], text: string) =>
      errors.push({ line: file.lineOf([index, ...path]), text: `${config.name}: ${text}` });
    if (names.has(config.name)) fail(['name'], 'This name is in the file twice');
    names.add(config.name);
    const old = before.find(({ name }) => name === config.name);
    const sensors = sensorsOf(deps, { config, old, fail, warnings });
    const usergroups = config.usergroups.flatMap((name, at) => {
      const id = deps.groupIds.get(name);
      if (id === undefined) fail(['usergroups', at], `There is no usergroup ${name}`);
      return id ?? [];
    });
    const platform: StoredPlatform = {
      id: old?.id ?? randomUUID(),
      name: config.name,
      description: config.description,
      type: config.type,
      color: config.color.toLowerCase(),
      classification: classificationRank(config.securityClassification ?? deps.systemHigh),
      marked: config.securityClassification !== undefined,
      audience: config.audience,
      usergroups: [...new Set(usergroups)].sort(),
      priority: config.priority,
      autostart: config.autostart,
      record: config.record,
      sensors,
    };
    const isShared = old === undefined || compareSharing(factsOf(old), factsOf(platform)).changes;
    const problem = isShared ? await sharingProblem(tx, actor, platform, old?.usergroups) : null;
    if (problem !== null) fail([], problem);
    for (const { name, url } of sensors) {
      const unshown = await replayProblem(tx, { url, platform: factsOf(platform), actor });
      const at = config.sensors.findIndex((sensor) => sensor.name === name);
      if (unshown !== null) fail(['sensors', at, 'url'], `${name}: ${unshown}`);
    }
    platforms.push(platform);
  }
  return { platforms, errors, warnings };
}

async function sharingProblem(tx: Db, actor: Actor, platform: StoredPlatform, before?: readonly string[]) {
  try {
    await refuseSharing(tx, actor, factsOf(platform), before);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === 'forbidden' ? 'The label is missing, or above your own clearance' : error.message;
  }
}

type SensorsOf = {
  config: PlatformConfig;
  old: StoredPlatform | undefined;
  fail: (path: (string | number)[], text: string) => void;
  warnings: string[];
};

function sensorsOf(deps: RequestedDeps, { config, old, fail, warnings }: SensorsOf) {
  const names = new Set<string>();
  const sensors: StoredSensor[] = [];
  for (const [index, sensor] of config.sensors.entries()) {
    const failHere = (field: string, text: string) => fail(['sensors', index, field], `${sensor.name}: ${text}`);
    if (names.has(sensor.name)) failHere('name', 'This sensor is listed twice');
    names.add(sensor.name);
    const existing = old?.sensors.find(({ name }) => name === sensor.name);
    const sealed = sealedAddress(deps.box, sensor, existing);
    if (typeof sealed === 'string') failHere('url', sealed);
    else {
      const { problem, warning } = deps.sources.get(sensor.url) ?? { problem: null, warning: null };
      if (problem) failHere('url', problem);
      if (warning) warnings.push(`${config.name}, ${sensor.name}: ${warning}.`);
      const idle = sensor.from.length > 0 ? sendersProblem(sealed.url) : null;
      if (idle !== null) failHere('from', idle);
      if (isListening(sealed.url) && sensor.from.length === 0) {
        warnings.push(
          `${config.name}, ${sensor.name}: takes ${sensor.type === 'ais' ? 'sentences' : 'packets'} from any sender.`,
        );
      }
      sensors.push({
        id: existing?.id ?? randomUUID(),
        name: sensor.name,
        description: sensor.description,
        type: sensor.type,
        senders: sensor.from,
        ...sealed,
      });
    }
  }
  return sensors;
}

/** Returns the address without its secrets and the sealed secrets, or the problem of the address. */
export function sealedAddress(
  box: SecretBox,
  sensor: Pick<PlatformSensorConfig, 'url' | 'type'>,
  existing: StoredSensor | undefined,
) {
  const problem = addressProblem(sensor.url, sensor.type);
  if (problem !== null) return problem;
  const { shown, secrets } = hideSecrets(sensor.url);
  if (secrets.length === 0) return { url: shown, secret: null };
  const old = existing ? secretsOf(box, existing) : [];
  const isKept = secrets.includes(HIDDEN_SECRET);
  // A kept password must not be sent to another host, since that would reveal it.
  if (isKept && (old.length !== secrets.length || placeOf(existing?.url ?? '') !== placeOf(shown))) {
    return `${HIDDEN_SECRET} keeps the password of the same host and user only: write the password again`;
  }
  const filled = secrets.map((secret, index) => (secret === HIDDEN_SECRET ? (old[index] ?? '') : secret));
  const isSame =
    existing?.secret && existing.url === shownAddress(existing.url) && JSON.stringify(filled) === JSON.stringify(old);
  return { url: shown, secret: isSame ? existing.secret : box.seal(filled) };
}

/**
 * Returns the secrets of a stored address, including parameters that did not count as secret when the address was
 * stored.
 */
function secretsOf(box: SecretBox, { url, secret }: StoredSensor): string[] {
  const sealed = secret === null ? [] : box.open(secret);
  return hideSecrets(url).secrets.map((shown) => (shown === HIDDEN_SECRET ? (sealed.shift() ?? '') : shown));
}
