// @vitest-environment jsdom
import type { ImportTask } from '@osprey/contract';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { LabelBar } from '../shell/LabelBar.tsx';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { ImportPanel } from './ImportPanel.tsx';

afterEach(cleanup);

const mission = { _id: null, marked: true, usergroups: [], usergroupsLeftOut: [], files: 0, notes: [] };
const task: ImportTask = {
  ...{
    _id: '00000000-0000-4000-8000-000000000001',
    title: 'a.zip',
    state: 'done',
    progress: 100,
    sizeBytes: 1,
    error: null,
  },
  created: 0,
  missions: [
    { ...mission, name: 'low', securityClassification: 'RESTRICTED' },
    {
      ...mission,
      ...{ _id: '00000000-0000-4000-8000-000000000002', name: 'high', securityClassification: 'SECRET', files: 2 },
      ...{ usergroups: ['G1'], usergroupsLeftOut: ['G2', 'G3'], notes: ['The name Kea was taken.'] },
    },
  ],
};

it('says whom each mission is shared with and what was left out, and raises the label bar to the highest label', async () => {
  const { api } = fakeApi({ 'GET /imports': () => [task] });

  show(
    <>
      <LabelBar />
      <ImportPanel />
    </>,
    { api },
  );

  expect(await screen.findByText('high')).toBeDefined();
  const shared = '2 files · Shared with G1 · Left out: G2, G3 · The name Kea was taken.';
  expect(screen.getByText(shared)).toBeDefined();
  expect(screen.getAllByText(/Left out/)).toHaveLength(1);
  expect(screen.getByRole('note').textContent).toBe('SECRET');
});
