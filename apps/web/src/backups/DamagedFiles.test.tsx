// @vitest-environment jsdom
import type { DamagedItem } from '@osprey/contract';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { fakeApi, newId } from '../testing/fake-api.ts';
import { admin, show } from '../testing/show.tsx';
import { DamagedFiles } from './DamagedFiles.tsx';

// Shows the dialog backups/AcceptLoss.tsx FormDialog

afterEach(cleanup);

const held: DamagedItem = {
  _id: newId(),
  kind: 'recording',
  name: 'flight.ts',
  mission: { _id: newId(), name: 'Kea', sensor: 'EO/IR' },
  securityClassification: 'SECRET',
  fault: 'size',
  text: '40 of 100 bytes are left',
  sizeBytes: 100,
  found: Date.UTC(2026, 10, 22, 3, 4) * 1000,
  restorable: true,
  progress: null,
  error: null,
};
const lost: DamagedItem = {
  ...held,
  ...{
    _id: newId(),
    kind: 'document',
    name: 'note.txt',
    mission: null,
    restorable: false,
    text: 'the file is missing',
  },
};

it('says what is wrong with each file, and restores the one that a backup holds', async () => {
  const { api, inputsOf } = fakeApi({
    'GET /stored/damaged': () => ({ files: [held, lost], others: 1 }),
    'POST /stored/:id/restore': () => ({ message: '' }),
  });
  show(<DamagedFiles busy={false} />, { api, session: { actor: admin } });

  await screen.findByRole('heading', { name: '3 damaged files on the server' });
  expect(document.body.textContent).toContain('Since Nov 22 2026, 03:04 Z: 40 of 100 bytes are left.');
  expect(screen.getByRole('link', { name: 'Mission Kea, EO/IR' })).toBeDefined();
  expect(document.body.textContent).toContain('1 more file is damaged that you may not see.');
  expect(screen.queryByRole('button', { name: 'Restore note.txt from the backups' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Restore flight.ts from the backups' }));
  await waitFor(() => expect(inputsOf('POST /stored/:id/restore')).toEqual([{ params: { id: held._id } }]));
});

it('restores all that the backups hold in one order', async () => {
  const other = { ...held, _id: newId(), name: 'second.ts' };
  const { api, inputsOf } = fakeApi({
    'GET /stored/damaged': () => ({ files: [held, lost, other], others: 0 }),
    'POST /stored/restore': () => ({ message: '' }),
  });
  show(<DamagedFiles busy={false} />, { api, session: { actor: admin } });

  fireEvent.click(await screen.findByRole('button', { name: 'Restore 2 files' }));

  await waitFor(() => expect(inputsOf('POST /stored/restore')).toEqual([{ body: { files: [held._id, other._id] } }]));
  expect(await screen.findByText('2 files are being restored.')).toBeDefined();
});

it('accepts a loss with a reason, not without one', async () => {
  const { api, inputsOf } = fakeApi({
    'GET /stored/damaged': () => ({ files: [lost], others: 0 }),
    'POST /stored/:id/accept': () => ({ message: '' }),
  });
  show(<DamagedFiles busy={false} />, { api, session: { actor: admin } });

  fireEvent.click(await screen.findByRole('button', { name: 'Accept the loss of note.txt' }));
  fireEvent.click(screen.getByRole('button', { name: 'Accept the loss' }));
  expect(await screen.findByText('At least 10 characters')).toBeDefined();
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'Nobody needs this note' } });
  fireEvent.click(screen.getByRole('button', { name: 'Accept the loss' }));

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const sent = { params: { id: lost._id }, body: { reason: 'Nobody needs this note' } };
  expect(inputsOf('POST /stored/:id/accept')).toEqual([sent]);
});
