import {
  type Classification,
  HIDDEN_SECRET,
  type PlatformConfig,
  type PlatformRecord,
  type PlatformSensorConfig,
  platformConfig,
  preRollDefault,
  type Usergroup,
} from '@osprey/contract';
import { platformColours } from '../../base/colours.ts';
import { fill } from '../../base/format.ts';
import { texts } from './texts.ts';

/** A sensor as entered in the form; `key` identifies it while its name changes. */
export type SensorForm = PlatformSensorConfig & { key: number };

/** Values of the dialog. Groups are listed by id, as the group picker needs them. */
export type PlatformForm = Omit<PlatformConfig, 'usergroups' | 'audience' | 'securityClassification' | 'sensors'> & {
  label: Classification;
  everyone: boolean;
  usergroups: string[];
  sensors: SensorForm[];
  reason: string;
};

const newSensor = (number: number): SensorForm => ({
  key: number,
  name: number === 1 ? 'EO' : `EO-${number}`,
  description: '',
  type: 'video',
  url: '',
  from: [],
});

export const newForm = (): PlatformForm => ({
  name: '',
  description: '',
  type: 'Plane',
  color: platformColours[0].toLowerCase(),
  label: 'UNCLASSIFIED',
  everyone: false,
  usergroups: [],
  priority: 5,
  autostart: true,
  record: { onPresence: false, schedule: [], preRollSeconds: 0 },
  sensors: [newSensor(1)],
  reason: '',
});

/**
 * Returns the form values for a configuration.
 *
 * @param shown current label of the platform, which is the highest one if none was chosen
 */
export function formOf(config: PlatformConfig, shown: Classification, groups: readonly Usergroup[]): PlatformForm {
  const { usergroups, audience, securityClassification, sensors, ...plain } = config;
  return {
    ...plain,
    label: securityClassification ?? shown,
    everyone: audience === 'everyone',
    usergroups: groups.filter(({ name }) => usergroups.includes(name)).map(({ _id }) => _id),
    sensors: sensors.map((sensor, index) => ({ ...sensor, key: index + 1 })),
    reason: '',
  };
}

/**
 * Returns the configuration to send. Label and groups that were not changed are sent unchanged, also if no label is
 * set.
 */
export function configOf(
  form: PlatformForm,
  before: { config: PlatformConfig; shown: Classification } | null,
  groups: readonly Usergroup[],
): PlatformConfig {
  const { label, everyone, usergroups, sensors, reason: _reason, ...plain } = form;
  const unknown = before?.config.usergroups.filter((name) => groups.every((group) => group.name !== name)) ?? [];
  const named = groups.filter(({ _id }) => usergroups.includes(_id)).map(({ name }) => name);
  const isUnmarked = before !== null && before.config.securityClassification === undefined && label === before.shown;
  return {
    ...plain,
    name: form.name.trim(),
    ...(!isUnmarked && { securityClassification: label }),
    audience: everyone ? 'everyone' : 'groups',
    usergroups: everyone ? [] : [...named, ...unknown],
    sensors: sensors.map(({ key: _key, ...sensor }) => ({
      ...sensor,
      name: sensor.name.trim(),
      url: sensor.url.trim(),
    })),
  };
}

/** Returns the error messages by the path of their field: `name`, `sensors.0.url`, `record.schedule`. */
export function problemsOf(config: PlatformConfig): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  const parsed = platformConfig.safeParse(config);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const [first, second, third] = path.map(String);
    const field =
      first === 'sensors' ? [first, second, third] : [first, second].filter((part) => Number.isNaN(Number(part)));
    const key = field.filter((part) => part !== undefined).join('.');
    if (!problems.has(key)) problems.set(key, message);
  }
  config.sensors.forEach(({ name }, index) => {
    const isTaken = config.sensors.findIndex((other) => other.name === name) < index;
    if (isTaken) problems.set(`sensors.${index}.name`, fill(texts.sensor.twice, { name }));
  });
  return problems;
}

export function withSensor(form: PlatformForm): PlatformForm {
  const number = Math.max(0, ...form.sensors.map(({ key }) => key)) + 1;
  return { ...form, sensors: [...form.sensors, newSensor(number)] };
}

/**
 * Returns the recording rules with some fields changed. If the pre-roll still has its default value, it takes the
 * default of the new rules.
 */
export function recordWith(record: PlatformRecord, part: Partial<PlatformRecord>): PlatformRecord {
  const next = { ...record, ...part };
  const follows = part.preRollSeconds === undefined && record.preRollSeconds === preRollDefault(record);
  return follows ? { ...next, preRollSeconds: preRollDefault(next) } : next;
}

type Hints = Readonly<Record<string, string>> & { none: string };

/** Returns the hint for the address field, depending on the text in it. */
export function addressHelp(url: string, type: SensorForm['type'] = 'video'): string {
  const hints: Hints = type === 'ais' ? texts.aisAddresses : texts.addresses;
  const scheme = /^([a-z]+):/i.exec(url)?.[1]?.toLowerCase() ?? 'none';
  const hint = hints[scheme] ?? hints.none;
  return url.includes(HIDDEN_SECRET) ? `${hint}. ${texts.help.secret}` : hint;
}
