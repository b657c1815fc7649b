import { isDeepStrictEqual } from 'node:util';
import { classificationOf, HIDDEN_SECRET, type PlatformChange } from '@osprey/contract';
import { compareSharing } from '../../base/access/sharing.ts';
import { shownAddress } from '../../recorder-wire/source-address.ts';
import { factsOf, type StoredPlatform, type StoredSensor } from './stored.ts';

export type Step =
  /** `was`: last configuration of a removed platform that is restored; null for a new one. */
  | { kind: 'added'; after: StoredPlatform; was: StoredPlatform | null }
  | { kind: 'changed'; before: StoredPlatform; after: StoredPlatform }
  | { kind: 'removed'; before: StoredPlatform };

export type Plan = { steps: Step[]; unchanged: number; needsReason: boolean };

/** Computes the steps from `before` to `after`. Platforms are matched by id, including those in `removed`. */
export function planOf(
  before: readonly StoredPlatform[],
  after: readonly StoredPlatform[],
  removed: ReadonlyMap<string, StoredPlatform>,
): Plan {
  const existing = new Map(before.map((platform) => [platform.id, platform]));
  const retained = new Set(after.map(({ id }) => id));
  const steps: Step[] = [];
  for (const requested of after) {
    const old = existing.get(requested.id);
    if (old === undefined) steps.push({ kind: 'added', after: requested, was: removed.get(requested.id) ?? null });
    else if (!isSame(old, requested)) steps.push({ kind: 'changed', before: old, after: requested });
  }
  for (const old of before) if (!retained.has(old.id)) steps.push({ kind: 'removed', before: old });
  const unchanged = after.length - steps.filter(({ kind }) => kind !== 'removed').length;
  return { steps, unchanged, needsReason: steps.some((step) => narrowerBefore(step) !== null) };
}

/**
 * Returns the platform as it was before its label is lowered or it becomes visible to more readers; null if neither
 * happens.
 */
export function narrowerBefore(step: Step): StoredPlatform | null {
  if (step.kind === 'removed') return null;
  const before = step.kind === 'added' ? step.was : step.before;
  return before !== null && compareSharing(factsOf(before), factsOf(step.after)).widened ? before : null;
}

const isSame = (a: StoredPlatform, b: StoredPlatform) => isDeepStrictEqual(comparable(a), comparable(b));

/** Ids of sensors are left out of the comparison, since they only follow from the names. */
const comparable = (platform: StoredPlatform) => ({
  ...platform,
  sensors: platform.sensors.map(({ id, ...sensor }) => sensor),
});

type Texts = { groupName: (id: string) => string | undefined };

/** Describes a step for users. */
export function changeOf(step: Step, texts: Texts): PlatformChange {
  const before = step.kind === 'added' ? {} : fieldsOf(step.before, texts);
  const after = step.kind === 'removed' ? {} : fieldsOf(step.after, texts);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const fields = names
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter((field) => field.before !== field.after);
  const secrets = step.kind === 'changed' ? newSecrets(step.before, step.after) : [];
  const platform = step.kind === 'removed' ? step.before.name : step.after.name;
  const { classification, marked } = higherOf(step);
  return {
    kind: step.kind,
    platform,
    securityClassification: classificationOf(classification),
    marked,
    fields: [...fields, ...secrets],
  };
}

function higherOf(step: Step): StoredPlatform {
  if (step.kind === 'added') return step.after;
  if (step.kind === 'removed') return step.before;
  const { before, after } = step;
  return before.classification > after.classification ? before : after;
}

function fieldsOf(platform: StoredPlatform, { groupName }: Texts): Record<string, string> {
  const { record } = platform;
  const shared =
    platform.audience === 'everyone' ? 'everyone' : platform.usergroups.map((id) => groupName(id) ?? '?').join(', ');
  const plain = {
    name: platform.name,
    description: platform.description,
    type: platform.type,
    color: platform.color,
    securityClassification: platform.marked ? classificationOf(platform.classification) : 'UNMARKED',
    usergroups: shared === '' ? 'nobody' : shared,
    priority: String(platform.priority),
    autostart: platform.autostart ? 'yes' : 'no',
    'record, on presence': record.onPresence ? 'yes' : 'no',
    'record, schedule': record.schedule.join('; '),
    'record, pre-roll': `${record.preRollSeconds} s`,
  };
  return Object.assign(plain, ...platform.sensors.map(sensorFields));
}

const sensorFields = ({ name, description, type, url, senders }: StoredSensor) => ({
  [`${name}, address`]: shownAddress(url),
  [`${name}, type`]: type,
  [`${name}, from`]: senders.length === 0 ? 'any sender' : senders.join(', '),
  ...(description === '' ? {} : { [`${name}, description`]: description }),
});

/** Lists changed passwords, which a comparison of the displayed texts misses, since both are ***. */
function newSecrets(before: StoredPlatform, after: StoredPlatform): PlatformChange['fields'] {
  return after.sensors.flatMap((sensor) => {
    const old = before.sensors.find(({ name }) => name === sensor.name);
    const isNew = old !== undefined && shownAddress(old.url) === sensor.url && old.secret !== sensor.secret;
    return isNew ? [{ field: `${sensor.name}, password`, before: HIDDEN_SECRET, after: `${HIDDEN_SECRET} (new)` }] : [];
  });
}
