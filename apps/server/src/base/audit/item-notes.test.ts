import { expect, it } from 'vitest';
import { auditedChange, auditedItem, auditedParts } from './item-notes.ts';

const before = {
  ...{ id: 'a', securityClassification: 'UNCLASSIFIED' as const, audience: 'groups' as const },
  ...{ usergroups: ['g'], draft: false, locked: false },
};

it('names an item with the label and the usergroups that it has', () => {
  expect(auditedItem(before)).toEqual({ itemId: 'a', itemLabel: 'UNCLASSIFIED', usergroups: ['g'] });
});

it('says what changed of label, audience, lock and more, else that fields did, and why', () => {
  const after = { ...before, securityClassification: 'SECRET' as const, usergroups: ['g', 'h'], locked: true };
  expect(auditedChange('case.update', { before, after, reason: 'asked' }, ['owner a to b'])).toEqual({
    ...{ action: 'case.update', itemId: 'a', itemLabel: 'SECRET', usergroups: ['g', 'h'], reason: 'asked' },
    result: 'label UNCLASSIFIED -> SECRET; audience groups [g] -> groups [g,h]; locked; owner a to b',
  });
  expect(auditedChange('case.update', { before, after: before, reason: null })).toEqual({
    ...{ action: 'case.update', itemId: 'a', itemLabel: 'UNCLASSIFIED', usergroups: ['g'], result: 'fields' },
  });
  const { locked: _locked, ...plain } = before;
  expect(auditedChange('mission.update', { before: plain, after: plain, reason: null }).result).toBe('fields');
});

it('names ten parts, and of more how many', () => {
  const parts = Array.from({ length: 12 }, (_, at) => `p${at}`);
  expect(auditedParts('clip.delete', before, parts).result).toBe('p0, p1, p2, p3, p4, p5, p6, p7, p8, p9 and 2 more');
  expect(auditedParts('clip.delete', before, parts.slice(0, 10)).result).toMatch(/p9$/);
});
