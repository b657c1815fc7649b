// @vitest-environment jsdom
import type { StoredCheckFacts } from '@osprey/contract';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { StoredCheck } from './StoredCheck.tsx';

afterEach(cleanup);

const started = Date.UTC(2026, 10, 22, 3, 4) * 1000;
const ended = started + 60e6;
const last = { started, ended, files: 12, bytes: 3.4e9, wantedBytes: 3e9, damaged: 0 };
const age = { oldestRead: started, rate: 5.6e7 };
const facts: StoredCheckFacts = { last, totalBytes: 3e11, notHashed: 0, damaged: 0, ...age };

it.each<[string, Partial<StoredCheckFacts>, RegExp]>([
  ['that nothing was read yet', { last: null }, /No file has been checked yet/],
  ['what was read last', {}, /Last check Nov 22 2026, 03:05 Z: 12 files, 3\.4 GB, none damaged/],
  ['what was found', { last: { ...last, damaged: 2 } }, /2 damaged/],
  ['how far it is', { last: { ...last, ended: null } }, /Since Nov 22 2026, 03:04 Z: 12 files/],
  ['what is not hashed yet', { notHashed: 3 }, /3 files of recordings are not hashed yet/],
  ['since when all was read, and how fast', {}, /since Nov 22 2026, 03:04 Z\. The check reads 56\.0 MB a second/],
  ['what is damaged, with the way to mend it', { damaged: 1 }, /1 file is damaged\. Backups/],
])('says %s', async (_what, more, text) => {
  show(<StoredCheck />, { api: fakeApi({ 'GET /stored/check': () => ({ ...facts, ...more }) }).api });

  await screen.findByRole('heading', { name: 'Stored files' });
  expect(document.body.textContent).toMatch(text);
});
