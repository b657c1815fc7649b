import { casePartKinds } from '@osprey/contract';
import { expect, it } from 'vitest';
import { caseContents } from './case-contents.ts';

it('lists each kind of part of a case once, with a name and an icon of its own', () => {
  expect(caseContents.map(({ kind }) => kind).toSorted()).toEqual(casePartKinds.toSorted());
  for (const field of ['name', 'icon'] as const) {
    expect(new Set(caseContents.map((one) => one[field])).size).toBe(casePartKinds.length);
  }
});

it('opens documents and snapshots at the page of documents', () => {
  const pages = caseContents.flatMap(({ kind, page }) => (page ? [[kind, page('a b')]] : []));
  expect(Object.fromEntries(pages)).toEqual({
    snapshot: '/documents?document=a%20b',
    document: '/documents?document=a%20b',
  });
});
