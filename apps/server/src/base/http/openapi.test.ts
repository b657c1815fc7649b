import { expect, it } from 'vitest';
import { openApi } from './openapi.ts';

type Operation = { call: string; summary: string; description?: string };

const operations = Object.entries(openApi().paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({ ...operation, call: `${method} ${path}` })),
);

it('summarizes each call in one sentence that begins with its verb', () => {
  const other = operations.filter(({ summary }) => !/^[A-Z][a-z]+s (?!.*\. )/.test(summary) || summary.endsWith('.'));

  expect(operations.length).toBeGreaterThan(250);
  expect(other.map(({ call, summary }) => `${call}: ${summary}`)).toEqual([]);
});

it('gives further sentences as the description', () => {
  const bin = operations.find(({ call }) => call === 'get /api/annotations/bin');

  expect([bin?.summary, bin?.description]).toEqual([
    'Lists the annotations in the bin, last deleted first',
    'They stay for 30 days.',
  ]);
});
