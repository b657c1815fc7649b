import { describe, expect, it } from 'vitest';
import { backupName, deleteBackups } from './backups.ts';
import { list, moment } from './core/call.ts';
import { missionName, newMission, newMissionForm } from './missions.ts';
import { sensorName } from './sensors.ts';
import { usergroupName } from './usergroups.ts';
import { username } from './users.ts';

const problems = (name: string) => missionName.safeParse(name).error?.issues.map((issue) => issue.message) ?? [];

describe('mission names', () => {
  it.each([
    ['', 'Empty Mission name'],
    ['two words', 'Spaces are not allowed'],
    ['a\tb', 'Spaces are not allowed'],
    ['a/b', 'Slashes, commas and control characters are not allowed'],
    ['a\u0000b', 'Slashes, commas and control characters are not allowed'],
    ['..', 'This name is not allowed'],
    ['x'.repeat(300), 'Mission name is longer than 64 characters'],
  ])('refuses %j with the text for the user', (name, text) => {
    expect(problems(name)).toContain(text);
  });

  it.each(['CON', '-i', '🚁', 'ναυς', '%2e%2e%2f', '$(id)', ';id'])('takes %j', (name) => {
    expect(problems(name)).toEqual([]);
  });
});

it('takes names of 64 characters and descriptions of 1000, and no longer ones', () => {
  const accepts = (fields: { name: string; description?: string }) => newMission.safeParse(fields).success;

  expect([accepts({ name: 'ν'.repeat(64) }), accepts({ name: 'ν'.repeat(65) })]).toEqual([true, false]);
  expect(accepts({ name: 'a', description: 'x'.repeat(1000) })).toBe(true);
  expect(accepts({ name: 'a', description: 'x'.repeat(1001) })).toBe(false);
});

it('shows the defaults of the specification in a new form', () => {
  expect(newMissionForm).toMatchObject({
    name: 'NewMission',
    description: 'Description',
    securityClassification: 'UNCLASSIFIED',
    platform: { name: '-', type: 'Plane', presentation: { color: '#004dcf' } },
    sensors: [{ name: 'EO/IR', type: 'video' }],
  });
});

it('leaves the label of a caller who names none unknown, and takes the number for the word', () => {
  expect(newMission.parse({ name: 'a' }).securityClassification).toBeUndefined();
  expect(newMission.parse({ name: 'a', securityClassification: 4 }).securityClassification).toBe('SECRET');
  for (const wrong of [0, 6, 'SECRET ', null, 'secret']) {
    expect(newMission.safeParse({ name: 'a', securityClassification: wrong }).success).toBe(false);
  }
});

it('drops empty usergroups and repeated ones', () => {
  const group = crypto.randomUUID();

  expect(newMission.parse({ name: 'a', usergroups: [group, '', group] }).usergroups).toEqual([group]);
});

it('takes slashes in sensor names, but no path', () => {
  expect(sensorName.safeParse('EO/IR').success).toBe(true);
  for (const wrong of ['', '.', '..', 'a\\b', 'a,b', 'a\nb']) expect(sensorName.safeParse(wrong).success).toBe(false);
});

describe('moments and lists in a query', () => {
  it('reads microseconds and ISO 8601 with a zone', () => {
    expect(moment.parse('1700000000000000')).toBe(1_700_000_000_000_000);
    expect(moment.parse('2023-11-14T22:13:20Z')).toBe(1_700_000_000_000_000);
    expect(moment.parse('2023-11-15T00:13:20+02:00')).toBe(1_700_000_000_000_000);
  });

  it.each(['2023-11-14T22:13:20', 'yesterday', '', '1e99', 'NaN'])('refuses %j', (text) => {
    expect(moment.safeParse(text).success).toBe(false);
  });

  it('reads comma separated lists and repeated keys alike, up to their limit', () => {
    expect(list().parse('a, b,,c')).toEqual(['a', 'b', 'c']);
    expect(list().parse(['a,b', 'c'])).toEqual(['a', 'b', 'c']);
    expect(list(2).safeParse('a,b,c').success).toBe(false);
  });

  it('takes from 1 to 100 backups in one call', () => {
    const takes = (count: number) => {
      const backups = new Array<string>(count).fill('20260101-120000-manual').join();
      return deleteBackups.input.safeParse({ query: { backups } }).success;
    };

    expect([0, 1, 100, 101].map(takes)).toEqual([false, true, true, false]);
  });
});

it('refuses commas in every name that a call lists by commas', () => {
  const names = { missionName, sensorName, usergroupName, username, backupName };

  for (const [what, schema] of Object.entries(names)) {
    const good = what === 'backupName' ? '20260101-120000-manual' : 'north';
    expect(schema.safeParse(good).success, what).toBe(true);
    expect(schema.safeParse(`${good},${good}`).success, what).toBe(false);
  }
});
