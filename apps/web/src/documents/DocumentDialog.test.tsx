// @vitest-environment jsdom
import type { Actor } from '@osprey/contract';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { documentOf } from '../testing/documents.ts';
import { fakeApi, usergroupOf } from '../testing/fake-api.ts';
import { admin, show } from '../testing/show.tsx';
import { DocumentDialog } from './DocumentDialog.tsx';

afterEach(cleanup);

const demo = usergroupOf({ name: 'Demo' });
const member: Actor = { ...admin, role: 'user', groups: [{ _id: demo._id, ceiling: 'CONFIDENTIAL' }] };
const groupAdmin: Actor = { ...member, role: 'groupAdmin' };

it.each([
  ['an ordinary user', member, false],
  ['a group admin of another group', groupAdmin, false],
  ['a group admin of its groups', { ...groupAdmin, administered: [demo._id] }, true],
  ['an admin', { ...admin, role: 'admin' as const }, true],
])('S2-079 offers the lock of a new document to admins alone: %s', async (_who, actor, may) => {
  const { api } = fakeApi({ 'GET /usergroups': () => [demo], 'GET /tags': () => [] });
  show(<DocumentDialog document={null} onClose={() => undefined} />, { api, session: { actor } });

  const lock = await screen.findByRole<HTMLInputElement>('switch', { name: 'Locked (only admins can change it)' });

  expect(lock.disabled).toBe(!may);
  const sentence = 'Only admins, and group admins of all its usergroups, can set the lock.';
  expect(screen.queryByText(sentence) !== null).toBe(!may);
});

it.each([
  ['a new document', null, member, 'Visible to Demo, and super admins'],
  // Usergroups that the member is not in may see it too.
  [
    'a document that others shared',
    documentOf({ audience: 'groups', usergroups: [demo._id] }),
    member,
    'Visible at least to Demo, and super admins',
  ],
  [
    'a document, to an admin',
    documentOf({ audience: 'groups', usergroups: [demo._id] }),
    admin,
    'Visible to Demo, and super admins',
  ],
])('says who will see %s', async (_what, document, actor, line) => {
  const { api, inputsOf } = fakeApi({
    'GET /usergroups': () => [demo],
    'GET /tags': () => [],
    'POST /sharing/readers': () => ({
      ...{ everyone: false, guests: false, people: null },
      groups: [{ _id: demo._id, name: 'Demo', ceiling: 'UNCLASSIFIED', shows: true }],
    }),
  });
  show(<DocumentDialog document={document} onClose={() => undefined} />, { api, session: { actor } });

  await screen.findByText(line);
  expect(inputsOf('POST /sharing/readers')).toEqual([
    {
      body: {
        item: 'document',
        securityClassification: 'UNCLASSIFIED',
        audience: 'groups',
        usergroups: [demo._id],
      },
    },
  ]);
});
