import {
  type ChangedMission,
  type Classification,
  classifications,
  DEMO_GROUP,
  type Mission,
  missionName,
  type NewMission,
  newMissionForm,
  newSensor,
  RATING_MAX,
  tag,
  type Usergroup,
} from '@osprey/contract';
import { z } from 'zod';
import { storedCredentials } from '../../api/credentials.ts';
import { readStoredJson, storageKeys, writeStored } from '../../base/keys.ts';
import { audienceOf, firstGroups } from '../../ui/fields/sharing.ts';

export type SensorEntry = {
  /** Id on the server; null for a new sensor. */
  id: string | null;
  name: string;
  description: string;
  type: 'video' | 'ais';
};

/** Form values of the dialog. Files are stored separately, since they are not form values. */
export type MissionForm = {
  name: string;
  description: string;
  everyone: boolean;
  usergroups: string[];
  label: Classification;
  reason: string;
  country: { code: string; name: string } | null;
  rating: number;
  tags: string[];
  platformName: string;
  platformType: string;
  color: string;
  sortOrder: number;
  sensors: SensorEntry[];
};

const last = z.object({
  /** Account that created the mission, since other accounts on this browser must not learn of it. */
  account: z.string(),
  name: missionName,
  description: z.string(),
  everyone: z.boolean(),
  usergroups: z.array(z.uuid()),
  label: z.enum(classifications),
  country: z.object({ code: z.string(), name: z.string() }).nullable(),
  rating: z.int().min(0).max(RATING_MAX),
  tags: z.array(tag),
  platformName: z.string(),
  platformType: z.string(),
  color: z.string().regex(/^#[0-9a-fA-F]{6}$/),
  sortOrder: z.int(),
  sensors: z.array(newSensor).min(1),
});

const NAME_LIMIT = 64;

const accountNow = (): string => storedCredentials()?.username ?? '';

/** Returns true for a valid mission name, else the error message of the schema. */
export const nameRule = (name: string): true | string => {
  const parsed = missionName.safeParse(name);
  return parsed.success || (parsed.error.issues[0]?.message ?? false) || true;
};

/**
 * Returns the next name to suggest if one is taken: "Kea-2" for "Kea", "Kea-3" for "Kea-2", within the maximum length
 * of names.
 */
export function nextName(name: string): string {
  const [, stem = name, number = '1'] = /^(.+)-([1-9]\d{0,5})$/.exec(name) ?? [];
  const ending = `-${Number(number) + 1}`;
  return stem.slice(0, NAME_LIMIT - ending.length) + ending;
}

/** Stores the values of the created mission as defaults for the next one of the same account. */
export function storeLastMission(form: MissionForm): void {
  const { reason: _reason, sensors, ...rest } = form;
  const plain = sensors.map(({ name, description, type }) => ({ name, description, type }));
  writeStored(storageKeys.lastMission, JSON.stringify({ ...rest, account: accountNow(), sensors: plain }));
}

/** Returns the defaults of the specification, or those of the last created mission with a dash appended to its name. */
export function newForm(groups: readonly Usergroup[]): MissionForm {
  const demo = groups.filter(({ name }) => name === DEMO_GROUP).map(({ _id }) => _id);
  const parsed = last.safeParse(readStoredJson(storageKeys.lastMission));
  if (!parsed.success || parsed.data.account !== accountNow()) {
    const { platform } = newMissionForm;
    return {
      name: newMissionForm.name,
      description: '',
      everyone: false,
      usergroups: firstGroups('UNCLASSIFIED', groups),
      label: 'UNCLASSIFIED',
      reason: '',
      country: null,
      rating: newMissionForm.rating,
      tags: [],
      platformName: platform.name,
      platformType: platform.type,
      color: platform.presentation.color,
      sortOrder: newMissionForm.sortOrder,
      sensors: newMissionForm.sensors.map((sensor) => ({ ...sensor, id: null })),
    };
  }
  const { account: _account, sensors, usergroups, name, ...rest } = parsed.data;
  return {
    ...rest,
    name: `${name.slice(0, NAME_LIMIT - 1)}-`,
    // A stored group may have been deleted since.
    usergroups: [...new Set([...demo, ...usergroups.filter((id) => groups.some(({ _id }) => _id === id))])],
    reason: '',
    sensors: sensors.map((sensor) => ({ ...sensor, id: null })),
  };
}

export function formOf(mission: Mission): MissionForm {
  const { country_code: code, country_name: country, platform } = mission;
  return {
    name: mission.name,
    description: mission.description,
    everyone: mission.audience === 'everyone',
    usergroups: [...mission.usergroups],
    label: mission.securityClassification,
    reason: '',
    country: code === null ? null : { code, name: country ?? code },
    rating: mission.rating,
    tags: [...mission.tags],
    platformName: platform.name,
    platformType: platform.type,
    color: platform.presentation.color,
    sortOrder: mission.sortOrder,
    sensors: mission.sensors.map(({ _id, name, description, type }) => ({ id: _id, name, description, type })),
  };
}

const described = (form: MissionForm, groups: readonly Usergroup[]) => ({
  name: form.name,
  description: form.description.trim(),
  ...audienceOf(form, groups),
  securityClassification: form.label,
  platform: {
    name: form.platformName.trim(),
    type: form.platformType,
    presentation: { color: form.color },
  },
  rating: form.rating,
  country_code: form.country?.code ?? null,
  country_name: form.country?.name ?? null,
  tags: form.tags,
  sortOrder: form.sortOrder,
});

const plainSensor = ({ name, description, type }: SensorEntry) => ({ name: name.trim(), description, type });

export const createBody = (form: MissionForm, groups: readonly Usergroup[]): NewMission => ({
  ...described(form, groups),
  sensors: form.sensors.map(plainSensor),
});

/**
 * Returns the mission with the newest revision, provided that no value held by the form has changed meanwhile. A file
 * that was processed or removed, or a shifted sensor, does not conflict with the user's input.
 */
export function atNewestRevision(mission: Mission, newest: Mission, groups: readonly Usergroup[]): Mission {
  // A new name is no conflict: the form does not change it, its dialog "Rename" does.
  const held = (one: Mission) => {
    const form = formOf({ ...one, name: '' });
    return JSON.stringify([described(form, groups), form.sensors]);
  };
  const { name, revision } = newest;
  return held(mission) === held(newest) ? { ...mission, name, revision } : mission;
}

/** Returns only the changed fields. An untouched label is not sent, so that its mark is not changed. */
export function changeBody(mission: Mission, form: MissionForm, groups: readonly Usergroup[]): ChangedMission {
  const before = described(formOf(mission), groups);
  const after = described(form, groups);
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof typeof before]),
  );
  const { usergroups, audience } = after;
  const shares = changed.some(([key]) => key === 'usergroups' || key === 'audience');
  return {
    ...Object.fromEntries(changed),
    ...(shares && { usergroups, audience }),
    _id: mission._id,
    name: mission.name,
    sensors: form.sensors.map(plainSensor),
    revision: mission.revision,
    ...(form.reason.trim() !== '' && { reason: form.reason.trim() }),
  };
}
