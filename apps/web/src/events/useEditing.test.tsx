// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeApi, newId } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { useEditing } from './useEditing.ts';

afterEach(cleanup);

type Editing = { kind: 'create' } | { kind: 'edit' | 'delete'; rows: readonly { _id: string }[] };

function open(first: Editing) {
  const onGone = vi.fn();
  function Dialogs() {
    const [editing, setEditing] = useEditing<Editing>('documents', onGone);
    return (
      <button type="button" onClick={() => setEditing(first)}>
        {JSON.stringify(editing)}
      </button>
    );
  }
  const { bus } = show(<Dialogs />, { api: fakeApi({}).api });
  act(() => screen.getByRole('button').click());
  return {
    onGone,
    open: () => JSON.parse(screen.getByRole('button').textContent ?? ''),
    revoke: (fields: { noun?: string; ids?: string[]; all?: true }) =>
      act(() => bus.emit('revoked', { noun: 'documents', ids: [], ...fields })),
  };
}

const [kea, tinos] = [{ _id: newId() }, { _id: newId() }];

it('closes the dialog of a row that can no longer be read, and reports it', () => {
  const dialog = open({ kind: 'edit', rows: [kea] });
  dialog.revoke({ noun: 'cases', ids: [kea._id] });
  dialog.revoke({ ids: [tinos._id] });
  expect([dialog.open(), dialog.onGone.mock.calls.length]).toEqual([{ kind: 'edit', rows: [kea] }, 0]);

  dialog.revoke({ ids: [kea._id] });
  expect([dialog.open(), dialog.onGone.mock.calls.length]).toEqual([null, 1]);
});

it('takes rows out of a deletion, and reports nothing when none is left: they may have been deleted here', () => {
  const dialog = open({ kind: 'delete', rows: [kea, tinos] });
  dialog.revoke({ ids: [kea._id] });
  expect(dialog.open()).toEqual({ kind: 'delete', rows: [tinos] });

  dialog.revoke({ all: true });
  expect([dialog.open(), dialog.onGone.mock.calls.length]).toEqual([null, 0]);
});

it('leaves a dialog without rows alone', () => {
  const dialog = open({ kind: 'create' });
  dialog.revoke({ all: true });
  expect([dialog.open(), dialog.onGone.mock.calls.length]).toEqual([{ kind: 'create' }, 0]);
});
