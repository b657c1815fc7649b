import type { Classification, Readers } from '@osprey/contract';
import { expect, it } from 'vitest';
import { newId } from '../../testing/fake-api.ts';
import { type ReadersOf, readersTexts } from './readers-text.ts';

const group = (name: string, shows = true, ceiling: Classification = 'SECRET') => ({
  ...{ _id: newId(), name, ceiling, shows },
});
const patrol = group('Patrol');
const coast = group('Coast');
const demo = group('Demo', false, 'RESTRICTED');

const textsOf = (readers: Partial<Readers>, of: Partial<Omit<ReadersOf, 'readers'>> = {}) =>
  readersTexts({
    readers: { everyone: false, guests: false, people: null, groups: [], ...readers },
    label: 'UNCLASSIFIED',
    everyone: false,
    ...of,
  });

it.each<[string, Partial<Readers>, Partial<Omit<ReadersOf, 'readers'>>?]>([
  ['Visible to everyone, including guests', { everyone: true, guests: true, people: 12 }],
  ['Visible to everyone with an account', { everyone: true, people: 12 }],
  ['Visible to everyone with an account', { everyone: true }, { everyone: true }],
  ['Visible to 12 people: Patrol, and super admins', { people: 12, groups: [patrol] }],
  ['Visible to 1 person: Patrol, and super admins', { people: 1, groups: [patrol] }, { label: 'SECRET' }],
  ['Visible to 120 people: Patrol and Coast, and super admins', { people: 120, groups: [patrol, coast] }],
  ['Visible to Patrol and Coast, and super admins', { groups: [patrol, coast] }],
  ['Visible to Patrol, and super admins, if cleared for SECRET', { groups: [patrol] }, { label: 'SECRET' }],
  ['Visible to 3 people: everyone cleared for SECRET', { people: 3 }, { label: 'SECRET', everyone: true }],
  ['Visible to everyone cleared for SECRET', {}, { label: 'SECRET', everyone: true }],
  ['Visible only to super admins', {}],
  ['Visible only to super admins', { people: 2 }],
  ['Visible to nobody', { people: 0, groups: [patrol] }],
  ['Visible at least to Patrol, and super admins', { groups: [patrol] }, { partial: true }],
  ['Visible at least to super admins', {}, { partial: true }],
  ['Visible to everyone, including guests', { everyone: true, guests: true }, { partial: true }],
])('says "%s"', (text, readers, of) => {
  expect(textsOf(readers, of)).toEqual([text]);
});

it('names each group whose ceiling is below the label', () => {
  expect(textsOf({ people: 4, groups: [demo, patrol] }, { label: 'SECRET' })).toEqual([
    'Visible to 4 people: Patrol, and super admins',
    'Demo does not show SECRET: its ceiling is RESTRICTED',
  ]);
  expect(textsOf({ groups: [demo] }, { label: 'SECRET' })).toEqual([
    'Visible only to super admins',
    'Demo does not show SECRET: its ceiling is RESTRICTED',
  ]);
});

it('names five groups, and how many more there are', () => {
  const groups = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((name) => group(name));
  expect(textsOf({ groups: groups.slice(0, 5) })).toEqual(['Visible to A, B, C, D and E, and super admins']);
  expect(textsOf({ groups })).toEqual(['Visible to A, B, C, D, E and 2 more, and super admins']);
});
