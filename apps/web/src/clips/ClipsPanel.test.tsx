// @vitest-environment jsdom
import type { Clip, ClipPlan } from '@osprey/contract';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clipOf } from '../testing/clips.ts';
import { type Answers, fakeApi, missionOf, newId, refusing } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { viewServices } from '../testing/view-services.ts';
import * as address from './address.ts';
import { ClipsPanel } from './ClipsPanel.tsx';
import { clipsView } from './clips-view.ts';
import { barsOf } from './pins.ts';

// Shows the dialog clips/ClipDialog.tsx FormDialog
// Shows the dialog clips/ClipsPanel.tsx ConfirmDialog

const mission = missionOf({ name: 'Kea', securityClassification: 'SECRET' });

const madeId = newId();

const plan: ClipPlan = {
  ...{ fileName: 'osprey_SECRET_Kea', sizeBytes: 1000, startTime: 10_000_000, endTime: 22_000_000, files: 1 },
  ...{ video: 'h264', sound: [], converted: false, gapSeconds: 0 },
};

beforeEach(() => localStorage.clear());
afterEach(() => {
  act(() => clipsView.set(null));
  cleanup();
  vi.restoreAllMocks();
});

function open(first: readonly Clip[], { mayExport = true, more = {} as Answers } = {}) {
  const stored = { clips: [...first] };
  const answers: Answers = {
    'GET /sensors/clipPlan/:mission/:sensor': () => plan,
    'POST /clips/:id/export': () => ({ id: madeId }),
    'GET /clips': () => stored.clips,
    'PUT /clips/:id': ({ params, body }) => {
      const before = stored.clips.find(({ _id }) => _id === params!.id)!;
      const changed = { ...before, ...(body as unknown as object), revision: before.revision + 1 };
      stored.clips = stored.clips.map((one) => (one === before ? changed : one));
      return changed;
    },
    'DELETE /clips': ({ body }) => {
      const { clips } = body as unknown as { clips: string[] };
      stored.clips = stored.clips.filter(({ _id }) => !clips.includes(_id));
      return { message: 'Clip(s) Hand-over deleted.' };
    },
    ...more,
  };
  const started = vi.spyOn(address, 'startDownload').mockReturnValue();
  const { clock } = viewServices();
  const seek = vi.spyOn(clock, 'seek');
  const onOrdered = vi.fn();
  clipsView.set({ mission, clock, mayExport, onOrdered });

  const { queries } = show(
    <ClipsPanel tabs={null} panel={{ role: 'tabpanel', id: 'p', 'aria-labelledby': 't' } as never} />,
    {
      api: fakeApi(answers).api,
    },
  );
  return { stored, started, seek, onOrdered, queries };
}

it('lists clips, leads to one, exports, changes and deletes it', async () => {
  const clip = clipOf({ missionId: mission._id });
  const { stored, started, seek } = open([clip]);

  fireEvent.click(await screen.findByText('Hand-over'));
  expect(seek).toHaveBeenCalledExactlyOnceWith(10_000_000);
  for (const [format, query] of [
    [/\.ts/, 'sidecar=true'],
    [/MP4/, 'format=mp4'],
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
  expect(stored.clips).toEqual([]);
});

it('exports a clip of several sensors in the background', async () => {
  const [cut] = clipOf().cuts;
  const { onOrdered, started } = open([clipOf({ missionId: mission._id, cuts: [cut!, cut!] })]);

  fireEvent.click(await screen.findByRole('button', { name: 'Export Hand-over' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: /\.ts/ }));

  await expect.poll(() => onOrdered.mock.calls).toEqual([[madeId]]);
  expect(started).not.toHaveBeenCalled();
});

it('keeps what was typed where another user was faster, and replaces their version only when asked again', async () => {
  const clip = clipOf({ missionId: mission._id, revision: 1 });
  const { stored, queries } = open([clip], {
    more: {
      'PUT /clips/:id': ({ body }) => {
        const { revision, note } = body as unknown as Clip;
        if (revision !== stored.clips[0]!.revision) return refusing('revisionConflict')({});
        stored.clips = [{ ...stored.clips[0]!, note, revision: revision + 1 }];
        return stored.clips[0]!;
      },
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Hand-over' }));
  const form = await screen.findByRole('dialog', { name: 'Edit Clip' });
  fireEvent.change(within(form).getByLabelText('Note'), { target: { value: 'Mine' } });
  // The list follows the other user while the dialog is open.
  stored.clips = [{ ...clip, note: 'Theirs', revision: 2 }];
  await act(() => queries.invalidateQueries({ queryKey: ['clips'] }));

  fireEvent.click(within(form).getByRole('button', { name: 'Save' }));
  expect(await within(form).findByText(/^Somebody else changed this clip meanwhile/)).toBeTruthy();
  expect([within(form).getByLabelText<HTMLTextAreaElement>('Note').value, stored.clips[0]!.note]).toEqual([
    'Mine',
    'Theirs',
  ]);
  fireEvent.click(within(form).getByRole('button', { name: 'Save' }));
  await expect.poll(() => stored.clips[0]!.note).toBe('Mine');
});

it('says why a clip cannot be exported, in place of a download that fails', async () => {
  const more = { 'GET /sensors/clipPlan/:mission/:sensor': refusing('fileMissing') };
  const { started } = open([clipOf({ missionId: mission._id })], { more });

  fireEvent.click(await screen.findByRole('button', { name: 'Export Hand-over' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: /\.ts/ }));

  expect(await screen.findByText(/^Error exporting the clip: /)).toBeTruthy();
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
