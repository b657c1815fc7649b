// @vitest-environment jsdom
import type { Actor } from '@osprey/contract';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { documentOf } from '../testing/documents.ts';
import { type Answer, fakeApi, newId, refusing, usergroupOf } from '../testing/fake-api.ts';
import { admin, show } from '../testing/show.tsx';
import type { SnapshotOf } from './moment.ts';
import { SnapshotDialog } from './SnapshotDialog.tsx';

afterEach(cleanup);

const [demo, crew] = [usergroupOf({ name: 'Demo' }), usergroupOf({ name: 'Crew', securityClassification: 'SECRET' })];
const user: Actor = { ...admin, role: 'user', groups: [{ _id: crew._id, ceiling: 'SECRET' }] };
const of: SnapshotOf = {
  missionId: newId(),
  sensor: { _id: newId(), name: 'EO' },
  platformName: 'PATROL-7',
  timeUs: Date.UTC(2026, 0, 1, 12, 34, 56) * 1000,
  picture: 'data:image/jpeg;base64,AAAA',
  overlays: null,
  rights: { securityClassification: 'CONFIDENTIAL', audience: 'groups', usergroups: [crew._id] },
};

function open(actor: Actor, answer: Answer = () => documentOf({ title: 'Ferry' })) {
  const { api, inputsOf } = fakeApi({
    'GET /usergroups': () => [demo, crew],
    'POST /sharing/readers': () => ({ everyone: false, guests: false, people: null, groups: [] }),
    'POST /snapshots': answer,
  });
  const onClose = vi.fn();
  show(<SnapshotDialog of={of} onClose={onClose} />, { api, session: { actor } });
  return { inputsOf, onClose };
}

it('S2-416 sends the frame with the rights of its mission, and says so', async () => {
  const { inputsOf, onClose } = open(user);
  const title = await screen.findByRole('textbox', { name: /^Title/ });
  expect((title as HTMLInputElement).value).toBe('Snapshot 123456');
  fireEvent.change(title, { target: { value: 'Ferry' } });
  fireEvent.click(screen.getByRole('button', { name: 'Take snapshot' }));

  await screen.findByText('Snapshot Ferry created.');
  expect(inputsOf('POST /snapshots')).toEqual([
    {
      body: {
        ...{ missionName: of.missionId, sensorName: of.sensor._id, platformName: 'PATROL-7' },
        ...{ timestamp: of.timeUs, snapshotDataUrl: of.picture, title: 'Ferry', description: '', tags: [] },
        ...{ restricted: false, securityClassification: 'CONFIDENTIAL', audience: 'groups', usergroups: [crew._id] },
      },
    },
  ]);
  expect(onClose).toHaveBeenCalledOnce();
});

it('S2-414 enables Ok only while the form is right', async () => {
  open(user);
  const title = await screen.findByRole('textbox', { name: /^Title/ });
  const ok = screen.getByRole<HTMLButtonElement>('button', { name: 'Take snapshot' });
  expect(ok.disabled).toBe(false);
  fireEvent.change(title, { target: { value: 'a title with too many characters' } });
  await screen.findByText('Title must be 16 characters or less');
  expect(ok.disabled).toBe(true);
});

it.each([
  ['a user', user, true],
  ['a group admin', { ...user, role: 'groupAdmin' as const }, false],
  ['an admin', { ...admin, role: 'admin' as const }, false],
])('S2-415 offers Restricted to admin roles alone: %s', async (_who, actor, disabled) => {
  open(actor);
  const lock = await screen.findByRole<HTMLInputElement>('switch', { name: /^Locked/ });
  expect(lock.disabled).toBe(disabled);
});

it('says why the server refuses, and keeps the dialog with what was typed', async () => {
  const { onClose } = open(user, refusing('ruleRefused', { reason: 'The recording has no frame at this time.' }));
  fireEvent.change(await screen.findByRole('textbox', { name: /^Title/ }), { target: { value: 'Ferry' } });
  fireEvent.click(screen.getByRole('button', { name: 'Take snapshot' }));

  await screen.findByText('Snapshot not created: The recording has no frame at this time.'); // S2-418
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByDisplayValue('Ferry')).toBeDefined();
});
