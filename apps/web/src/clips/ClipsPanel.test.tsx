// @vitest-environment jsdom
import type { Clip } from '@osprey/contract';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { viewParts } from '../onscreen/test-parts.ts';
import { clipOf } from '../testing/clips.ts';
import { type Answers, fakeApi, missionOf, newId } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import * as address from './address.ts';
import { ClipsPanel } from './ClipsPanel.tsx';
import { clipsView } from './clips-view.ts';
import { barsOf } from './pins.ts';

// Shows the dialog clips/ClipDialog.tsx FormDialog
// Shows the dialog clips/ClipsPanel.tsx ConfirmDialog

const mission = missionOf({ name: 'Kea', securityClassification: 'SECRET' });

const madeId = newId();

beforeEach(() => localStorage.clear());
afterEach(() => {
  act(() => clipsView.set(null));
  cleanup();
  vi.restoreAllMocks();
});

function open(first: readonly Clip[], { mayExport = true } = {}) {
  const kept = { clips: [...first] };
  const answers: Answers = {
    'GET /sensors/clipPlan/:mission/:sensor': () => ({ sizeBytes: 1000 }) as never,
    'POST /clips/:id/export': () => ({ id: madeId }),
    'GET /clips': () => kept.clips,
    'PUT /clips/:id': ({ params, body }) => {
      const before = kept.clips.find(({ _id }) => _id === params!.id)!;
      const changed = { ...before, ...(body as unknown as object), revision: before.revision + 1 };
      kept.clips = kept.clips.map((one) => (one === before ? changed : one));
      return changed;
    },
    'DELETE /clips': ({ body }) => {
      const { clips } = body as unknown as { clips: string[] };
      kept.clips = kept.clips.filter(({ _id }) => !clips.includes(_id));
      return { message: 'Clip(s) Hand-over deleted.' };
    },
  };
  const started = vi.spyOn(address, 'startDownload').mockReturnValue();
  const { clock } = viewParts();
  const seek = vi.spyOn(clock, 'seek');
  const onOrdered = vi.fn();
  clipsView.set({ mission, clock, mayExport, onOrdered });

  show(<ClipsPanel tabs={null} panel={{ role: 'tabpanel', id: 'p', 'aria-labelledby': 't' } as never} />, {
    api: fakeApi(answers).api,
  });
  return { kept, started, seek, onOrdered };
}

it('lists clips, leads to one, exports, changes and deletes it', async () => {
  const clip = clipOf({ missionId: mission._id });
  const { kept, started, seek } = open([clip]);

  fireEvent.click(await screen.findByText('Hand-over'));
  expect(seek).toHaveBeenCalledExactlyOnceWith(10_000_000);
  for (const [format, query] of [
    [/\.ts/, 'sidecar=true'],
    [/\.mp4/, 'format=mp4'],
  ] as const) {
    fireEvent.click(screen.getByRole('button', { name: 'Export Hand-over' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: format }));
    await expect.poll(() => started.mock.lastCall).toEqual([`/api/clips/${clip._id}/export?${query}`]);
  }
  expect(await screen.findByText('Exporting clip Hand-over...')).toBeTruthy();

  fireEvent.click(screen.getByRole('button', { name: 'Edit Hand-over' }));
  const form = await screen.findByRole('dialog', { name: 'Edit Clip' });
  expect(within(form).getByText('SECRET')).toBeTruthy();
  fireEvent.change(within(form).getByLabelText(/^Title/), { target: { value: 'Transfer' } });
  fireEvent.click(within(form).getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Clip Transfer edited.')).toBeTruthy();

  fireEvent.click(await screen.findByRole('button', { name: 'Delete Transfer' }));
  const question = await screen.findByRole('alertdialog');
  expect(question.textContent).toContain('The recording stays');
  fireEvent.click(within(question).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('No clips yet')).toBeTruthy();
  expect(kept.clips).toEqual([]);
});

it('exports a clip of several sensors in the background', async () => {
  const [cut] = clipOf().cuts;
  const { onOrdered, started } = open([clipOf({ missionId: mission._id, cuts: [cut!, cut!] })]);

  fireEvent.click(await screen.findByRole('button', { name: 'Export Hand-over' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: /\.ts/ }));

  await expect.poll(() => onOrdered.mock.calls).toEqual([[madeId]]);
  expect(started).not.toHaveBeenCalled();
});

it('puts several clips into a case', async () => {
  const clips = [
    clipOf({ title: 'First', missionId: mission._id }),
    clipOf({ title: 'Second', missionId: mission._id }),
  ];
  open(clips);
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Choose First' }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Choose Second' }));
  fireEvent.click(screen.getByRole('button', { name: 'Add to case' }));

  const dialog = await screen.findByRole('dialog', { name: 'Add to case' });
  expect(within(dialog).getByText('First, Second')).toBeTruthy();
  expect(within(dialog).getByText('SECRET')).toBeTruthy();
});

it('offers nothing that may not be done, and says what is gone', async () => {
  const gone = clipOf({ title: 'Gone', editable: false, cuts: [{ ...clipOf().cuts[0]!, state: 'gone' }] });
  open([clipOf({ editable: false }), gone], { mayExport: false });

  await screen.findByText('Hand-over');
  expect(screen.queryByRole('button', { name: /^(Export|Edit|Delete) / })).toBeNull();
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.getByTitle(/A recording of this clip was removed/)).toBeTruthy();
  expect(barsOf([clipOf(), gone])).toMatchObject([{ label: 'Hand-over', timeUs: 10_000_000, endUs: 22_000_000 }]);
});

it('says that no mission is open', async () => {
  show(<ClipsPanel tabs={null} panel={{} as never} />, { api: fakeApi({}).api });

  expect(await screen.findByText('No mission is open')).toBeTruthy();
});
