import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../apps/web/src');

/** Texts that the screens no longer use, since users did not understand them or each page had its own. */
const OLD = [
  'No receiver that you may hear',
  'You get every second of every recording',
  'times it was seen',
  'time it was seen',
  'When was {place} seen',
  "'looking {",
  'm a pixel',
  '{metres} away',
  'is removed so long after',
  'There are no rooms yet',
  'to mark this stream',
  "'Look'",
  'none verified',
  'Users, guest',
  "'Indexed'",
  'nothing inside',
  'the fields only',
  'Of its pin on the timeline',
  'With clip.json',
  'by double click',
  'Those that recorded something',
  'the key of this fingerprint',
  'is frozen as a new version',
  'It can be changed for 15 minutes',
  'Nobody has commented',
  'Nobody has kept a clip',
  'Why it belongs there',
  'holds its parts',
  'released its parts',
  'Hold the parts',
  'hand it over',
  'Hand over',
  'Handed the case over',
  'Read the audit',
  'Read positions of ships',
  'Used a public call',
  "'Opened a picture'",
  'This one',
  'Save again to replace their text',
  'Ask for an area',
  'Stays where it is',
  'does not go on',
  'what the shown one lacks',
  'Read user activity',
  'Ordered the case',
  'In the name of',
  "taken: 'Taken'",
  'Sets per second',
  '{count} sets',
];

/** Files that hold texts of screens: `texts.ts`, `…-texts.ts`, and what a feature says of itself. */
const files = globSync('**/{texts,*-texts,view-feature}.{ts,tsx}', { cwd: SOURCES });

it('reads the texts of every screen', () => {
  expect(files.length).toBeGreaterThan(50);
});

it.each(OLD)('is free of "%s"', (text) => {
  expect(files.filter((file) => readFileSync(join(SOURCES, file), 'utf8').includes(text))).toEqual([]);
});
