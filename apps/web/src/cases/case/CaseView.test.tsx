// @vitest-environment jsdom
import { AppError, type CasePart, type CaseRow } from '@osprey/contract';
import { act, cleanup, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { caseContents } from '../../pages/case-contents.ts';
import { caseCommentOf, caseOf, casePartOf } from '../../testing/cases.ts';
import { type Answers, fakeApi, newId } from '../../testing/fake-api.ts';
import { admin, show } from '../../testing/show.tsx';
import { CaseContentsContext } from '../content.ts';
import { useCase } from '../useCases.ts';
import { CaseView } from './CaseView.tsx';

// Shows the dialog cases/case/CommentsPart.tsx ConfirmDialog
// Shows the dialog cases/case/HandOverDialog.tsx FormDialog
// Shows the dialog cases/case/HoldDialog.tsx FormDialog
// Shows the dialog cases/case/NoteDialog.tsx FormDialog

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const titles = ['Take-off', 'Search area', 'Hand-over'];
const some = () => titles.map((title, n) => casePartOf({ title, startTime: (3 - n) * 1e6 }));

function Page({ row, onLeave }: { row: CaseRow; onLeave: () => void }) {
  const { data } = useCase(row._id);
  return (
    <CaseContentsContext value={caseContents}>
      {data ? <CaseView row={data} onLeave={onLeave} /> : null}
    </CaseContentsContext>
  );
}

function view(parts: CasePart[], { row = caseOf(), more = {}, role = admin.role }: Around = {}) {
  const stored = { row, parts, orders: [] as { parts: string[]; revision: number }[] };
  const answers: Answers = {
    'GET /cases/:id': () => stored.row,
    'GET /cases/:id/parts': () => stored.parts,
    'GET /cases/:id/comments': () => [],
    'GET /usergroups': () => [],
    'PUT /cases/:id/order': ({ body }) => {
      const order = body as unknown as (typeof stored.orders)[number];
      if (order.revision !== stored.row.revision) throw new AppError('revisionConflict');
      stored.orders.push(order);
      stored.parts = order.parts.map((id) => stored.parts.find(({ _id }) => _id === id)!);
      stored.row = { ...stored.row, revision: stored.row.revision + 1 };
      return stored.row;
    },
    ...more,
  };
  const fake = fakeApi(answers);
  const left = { times: 0 };
  const onLeave = () => {
    left.times += 1;
  };
  const { queries } = show(<Page row={row} onLeave={onLeave} />, {
    api: fake.api,
    session: { actor: { ...admin, role } },
  });
  return { ...fake, stored, left, queries };
}
type Around = { row?: CaseRow; more?: Answers; role?: typeof admin.role };

const rows = () => within(screen.getByRole('list', { name: 'Parts' })).getAllByRole('listitem');
const shown = () =>
  rows()
    .filter((row) => row.dataset.partId !== undefined)
    .map((row) => within(row).getByRole('heading').textContent);
const rowOf = async (title: string) => (await screen.findByRole('heading', { name: title })).closest('li')!;

it('moves a part by Alt with an arrow key, quickly one step after the other, and keeps the focus on it', async () => {
  const { stored } = view(some());
  (await rowOf('Hand-over')).focus();
  await userEvent.keyboard('{Alt>}{ArrowUp}{ArrowUp}{/Alt}');

  await waitFor(() => expect(shown()).toEqual(['Hand-over', 'Take-off', 'Search area']));
  expect(document.activeElement).toBe(await rowOf('Hand-over'));
  expect(screen.getByText('Hand-over is now at place 1 of 3.')).toBeDefined();
  await waitFor(() => expect(stored.parts.map(({ title }) => title)).toEqual(shown()));
  // Each on the revision that the one before answered.
  expect(stored.orders.map(({ revision }) => revision)).toEqual([1, 2]);
});

it('sorts by time, and takes that back by Undo', async () => {
  const { stored } = view(some());
  await rowOf('Take-off');
  await userEvent.click(screen.getByRole('button', { name: 'Sort by time' }));
  await waitFor(() => expect(shown()).toEqual(titles.toReversed()));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(stored.parts.map(({ title }) => title)).toEqual(titles));
  expect(shown()).toEqual(titles);
});

it('shows the order of somebody who was faster, and says so', async () => {
  const { stored } = view(some());
  (await rowOf('Take-off')).focus();
  stored.row = { ...stored.row, revision: 9 };
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await screen.findByText(/^Somebody else changed the case meanwhile/);
  await waitFor(() => expect(shown()).toEqual(titles));
});

it('lands a dragged part before or after the one that it is dropped on', async () => {
  view(some());
  const target = await rowOf('Search area');
  const handle = within(await rowOf('Take-off')).getByTitle('Drag Take-off to another place');
  const dataTransfer = { setData: () => undefined, effectAllowed: '' };
  fireEvent.dragStart(handle, { dataTransfer });
  // jsdom lays nothing out, and has no places in the events of a drag.
  target.getBoundingClientRect = () => new DOMRect(0, 100, 600, 40);
  const over = createEvent.dragOver(target);
  Object.defineProperty(over, 'clientY', { value: 125 });
  fireEvent(target, over);
  fireEvent.drop(target);
  await waitFor(() => expect(shown()).toEqual(['Search area', 'Take-off', 'Hand-over']));
});

it('keeps the order that the server took where the parts cannot be read again', async () => {
  const parts = some();
  let readings = 0;
  const { inputsOf } = view(parts, {
    more: {
      'GET /cases/:id/parts': () => {
        readings += 1;
        if (readings > 1) throw new AppError('unavailable');
        return parts;
      },
    },
  });
  (await rowOf('Hand-over')).focus();
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await waitFor(() => expect(readings).toBe(2));
  expect(inputsOf('PUT /cases/:id/order')).toHaveLength(1);
  await waitFor(() => expect(shown()).toEqual(['Take-off', 'Hand-over', 'Search area']));
});

it('leads to mission and second of a part, and to a document', async () => {
  const [moment, document, gone] = [
    casePartOf({ startTime: 1_780_304_410_000_400 }),
    casePartOf({ kind: 'document', title: 'Orders', missionId: null, sensorId: null, startTime: null }),
    casePartOf({ title: 'Lost', state: 'gone', subjectId: null }),
  ];
  view([moment!, document!, gone!]);
  const link = await screen.findByRole('link', { name: 'Open the moment of Take-off' });
  // Rounded up: one microsecond before is the frame before.
  expect(link.getAttribute('href')).toBe(
    `/missions?mission=${moment!.missionId}&sensor=${moment!.sensorId}&t=2026-06-01T09%3A00%3A10.001Z`,
  );
  expect(screen.getByRole('link', { name: 'Open Orders' }).getAttribute('href')).toBe(
    `/documents?document=${document!.subjectId}`,
  );
  expect(screen.getByText(/^Deleted\. What is known of it/)).toBeDefined();
  expect(screen.queryByRole('link', { name: /Lost/ })).toBeNull();
});

it('a remark is written in place, and saved over that of somebody faster only when asked again', async () => {
  const part = casePartOf({ revision: 1 });
  let newest = part;
  const { inputsOf } = view([part], {
    more: {
      'GET /cases/:id/parts': () => [newest],
      'PUT /cases/:id/parts/:partId': ({ body }) => {
        const change = body as unknown as { remark: string; revision: number };
        if (change.revision === 1) {
          newest = { ...part, remark: 'Theirs', revision: 2 };
          throw new AppError('revisionConflict');
        }
        newest = { ...newest, ...change, revision: 3 };
        return newest;
      },
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Add a remark to Take-off' }));
  await userEvent.type(screen.getByLabelText('Remark on Take-off'), 'Mine');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await screen.findByText(/^Someone else has changed this/);
  expect(screen.getByLabelText<HTMLTextAreaElement>('Remark on Take-off').value).toBe('Mine');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));

  await screen.findByText('Mine');
  expect(inputsOf('PUT /cases/:id/parts/:partId')).toMatchObject([
    { body: { remark: 'Mine', revision: 1 } },
    { body: { remark: 'Mine', revision: 2 } },
  ]);
});

it('a note and a remark are not saved over what came from somebody else while they were written', async () => {
  const note = casePartOf({ kind: 'note', title: 'Course', text: 'First', revision: 1 });
  const about = casePartOf({ title: 'Take-off', remark: 'First', revision: 1 });
  let newest = [note, about];
  const { inputsOf, queries } = view([note, about], {
    more: {
      'GET /cases/:id/parts': () => newest,
      'PUT /cases/:id/parts/:partId': () => {
        throw new AppError('revisionConflict');
      },
    },
  });
  const theirs = async () => {
    newest = newest.map((one) => ({ ...one, revision: one.revision + 1 }));
    await act(() => queries.invalidateQueries({ queryKey: ['cases', 'parts'] }));
  };
  await userEvent.click(await screen.findByRole('button', { name: 'Edit the remark on Take-off' }));
  await userEvent.type(screen.getByLabelText('Remark on Take-off'), ', mine');
  await theirs();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText(/^Someone else has changed this/);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));

  await userEvent.click(screen.getByRole('button', { name: 'More about Course' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit the note' }));
  const form = await screen.findByRole('dialog', { name: 'Edit note' });
  await userEvent.type(within(form).getByLabelText(/^Title/), ', mine');
  await theirs();
  await userEvent.click(within(form).getByRole('button', { name: 'Save' }));
  await within(form).findByText(/^Someone else has changed this/);
  expect(inputsOf('PUT /cases/:id/parts/:partId')).toMatchObject([
    { body: { remark: 'First, mine', revision: 1 } },
    { body: { title: 'Course, mine', revision: 2 } },
  ]);
});

it('takes a part out with Undo, by its menu', async () => {
  const [part] = some();
  const { inputsOf } = view([part!], {
    more: {
      'DELETE /cases/:id/parts': () => ({ message: 'done' }),
      'POST /cases/:id/parts/restore': () => ({ message: 'done' }),
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'More about Take-off' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Take out of the case' }));
  await screen.findByText('Part Take-off taken out.');
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText('Part Take-off is back.');
  expect(inputsOf('POST /cases/:id/parts/restore')).toMatchObject([{ body: { parts: [part!._id] } }]);
});

it('a note is written with a picture of the case, and seen before it is added', async () => {
  const picture = casePartOf({ kind: 'snapshot', title: 'Stern', thumbnailUrl: '/api/documents/thumbnails/a.webp' });
  const { inputsOf } = view([picture], { more: { 'POST /cases/:id/parts': () => [casePartOf({ kind: 'note' })] } });
  await userEvent.click(await screen.findByRole('button', { name: 'Add a note' }));
  const form = await screen.findByRole('dialog', { name: 'New note' });
  await userEvent.type(within(form).getByLabelText(/^Title/), 'Course');
  await userEvent.type(within(form).getByLabelText('Text', { selector: 'textarea' }), '**North**');
  await userEvent.click(within(form).getByRole('button', { name: 'Insert a picture' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Stern' }));
  await userEvent.click(within(form).getByRole('button', { name: 'Preview' }));
  expect(within(form).getByRole('img', { name: 'Stern' })).toBeDefined();
  expect(within(form).getByText('North').tagName).toBe('STRONG');
  await userEvent.click(within(form).getByRole('button', { name: 'Add' }));

  await waitFor(() =>
    expect(inputsOf('POST /cases/:id/parts')).toMatchObject([
      { body: { parts: [{ kind: 'note', title: 'Course', text: `**North**\n\n![Stern](part:${picture._id})\n` }] } },
    ]),
  );
});

it('comments are added, changed for 15 minutes, then only struck through', async () => {
  const [fresh, old, theirs] = [
    caseCommentOf({ text: 'Fresh', created: Date.now() * 1000 }),
    caseCommentOf({ text: 'Old', created: 0, struck: true }),
    caseCommentOf({ text: 'Theirs', own: false }),
  ];
  const { inputsOf } = view([], {
    role: 'user',
    more: {
      'GET /cases/:id/comments': () => [old, theirs, fresh],
      'POST /cases/:id/comments': () => fresh,
      'DELETE /cases/:id/comments/:commentId': () => ({ ...fresh, struck: true }),
    },
  });
  expect((await screen.findByText('Old')).tagName).toBe('S');
  expect(screen.getAllByRole('button', { name: /^Edit the comment/ })).toHaveLength(1);
  await userEvent.type(screen.getByLabelText('Comment'), 'Who flew?');
  await userEvent.click(screen.getByRole('button', { name: 'Comment' }));
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Comment').value).toBe(''));
  expect(inputsOf('POST /cases/:id/comments')).toMatchObject([{ body: { text: 'Who flew?' } }]);

  await userEvent.click(screen.getByRole('button', { name: /^Strike/ }));
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Strike through' }));
  await waitFor(() => expect(inputsOf('DELETE /cases/:id/comments/:commentId')).toHaveLength(1));
});

it('a case on hold keeps its parts, and is not deleted', async () => {
  view(some(), { row: caseOf({ held: true }) });
  await userEvent.click(await screen.findByRole('button', { name: 'More about Take-off' }));
  const item = await screen.findByRole('menuitem', { name: 'Held: it cannot be taken out' });
  expect(item.getAttribute('aria-disabled')).toBe('true');
  const remove = screen.getByRole<HTMLButtonElement>('button', { name: 'Delete case', hidden: true });
  expect(remove.disabled).toBe(true);
});

it('a hold is released with a reason alone', async () => {
  const { inputsOf } = view([], { row: caseOf({ held: true }), more: { 'PUT /cases/:id/hold': () => caseOf() } });
  await userEvent.click(await screen.findByRole('button', { name: 'Release its parts' }));
  const form = await screen.findByRole('dialog', { name: 'Lift the hold of case 7?' });
  await userEvent.type(within(form).getByLabelText(/^Reason/), 'Over');
  await userEvent.click(within(form).getByRole('button', { name: 'Release' }));
  expect(inputsOf('PUT /cases/:id/hold')).toHaveLength(0);
  await userEvent.type(within(form).getByLabelText(/^Reason/), ' since the verdict');
  await userEvent.click(within(form).getByRole('button', { name: 'Release' }));
  await screen.findByText('Hold of case 7 lifted.');
  expect(inputsOf('PUT /cases/:id/hold')).toMatchObject([{ body: { held: false, reason: 'Over since the verdict' } }]);
});

it('is handed over to one of those who may read it, and kept for editing by its owner', async () => {
  const own = caseOf({ ownerId: newId() });
  const next = { _id: newId(), username: 'bela' };
  const { inputsOf } = view([], {
    row: own,
    more: {
      'GET /cases/:id/people': () => [next],
      'PUT /cases/:id/owner': () => ({ ...own, owner: 'bela', ownerId: next._id, deletable: false }),
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Transfer ...' }));
  const form = await screen.findByRole('dialog', { name: 'Transfer case 7' });
  await within(form).findByText(/^RESTRICTED/);
  await userEvent.click(within(form).getByRole('button', { name: 'Transfer' }));
  await within(form).findByText('Choose the new owner');
  await userEvent.type(within(form).getByRole('combobox', { name: /^New owner/ }), 'bel{Enter}');
  expect(within(form).getByRole<HTMLInputElement>('checkbox', { name: 'ana may still edit it' }).checked).toBe(true);
  await userEvent.click(within(form).getByRole('button', { name: 'Transfer' }));
  await screen.findByText('Case 7 belongs to bela now.');
  expect(inputsOf('GET /cases/:id/people')[0]).toMatchObject({ query: { as: 'owner' } });
  expect(inputsOf('PUT /cases/:id/owner')).toMatchObject([{ body: { owner: next._id, staysEditor: true } }]);
});

it('shows readers what it holds, and nothing that they may not do', async () => {
  const row = caseOf({ editable: false, deletable: false, holdable: false, exportable: false });
  view(some(), { row, role: 'guest', more: { 'GET /cases/:id/comments': () => [caseCommentOf({ own: false })] } });
  await screen.findByText('Who flew?');
  expect(shown()).toEqual(titles);
  const names = screen.queryAllByRole('button').map((one) => one.getAttribute('aria-label') ?? one.textContent);
  expect(names).toEqual([]);
  expect(screen.queryByRole('textbox')).toBeNull();
});
