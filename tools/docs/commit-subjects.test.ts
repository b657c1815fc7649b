import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { faultOf, newSubjects } from './commit-subjects.ts';

it('accepts plain imperatives of at most 72 characters', () => {
  for (const subject of [
    'Receive UDP datagrams that cross packets',
    'Pass the label to each dialog',
    'Feed the ring',
  ]) {
    expect(faultOf(subject)).toBeNull();
  }
});

it('names what is wrong with a subject', () => {
  expect(faultOf(`Keep ${'x'.repeat(70)}`)).toBe('75 characters, 72 are allowed');
  expect(faultOf('fix the build')).toBe('begins without a capital letter');
  expect(faultOf('Keep the build green.')).toBe('ends with a full stop');
  expect(faultOf('Added a test')).toBe('"Added" is not an imperative');
  expect(faultOf('Adding a test')).toBe('"Adding" is not an imperative');
  expect(faultOf('Adds a test')).toBe('"Adds" is not an imperative');
});

it('finds nothing wrong with the commits that the origin does not have', () => {
  const subjects = newSubjects(resolve(import.meta.dirname, '../..'));
  if (subjects === null) console.info('No range origin/HEAD..HEAD in this checkout: no commit subjects were checked.');
  const wrong = (subjects ?? []).map((subject) => ({ subject, fault: faultOf(subject) })).filter(({ fault }) => fault);
  expect(wrong).toEqual([]);
});
