import { expect, it } from 'vitest';
import { missionName } from './missions.ts';
import { platformName } from './platforms.ts';
import { recordingMissionName } from './recording-name.ts';

const AT_US = Date.UTC(2026, 10, 4, 13, 5, 9) * 1000;

it('names a recording by its platform and the second it begins at, UTC', () => {
  expect(recordingMissionName('OSP-21', AT_US)).toBe('OSP-21-20261104-130509');
});

it.each(['Search and rescue 7', 'North/South', 'Ä'.repeat(64), `${'x'.repeat(47)}😀 `, '..'])(
  'is a name that a mission may have, whatever the platform %s is called',
  (name) => {
    const made = recordingMissionName(platformName.parse(name), AT_US);

    expect(missionName.safeParse(made).success).toBe(true);
    expect(made).toMatch(/-20261104-130509$/);
  },
);
