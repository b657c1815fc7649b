// @vitest-environment jsdom
import { AppError } from '@osprey/contract';
import { cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { collectedBookmarks } from '../../bookmarks/collected.ts';
import { bookmarkOf } from '../../testing/bookmarks.ts';
import { caseOf, casePartOf } from '../../testing/cases.ts';
import { type Answers, fakeApi, missionOf, usergroupOf } from '../../testing/fake-api.ts';
import { admin, show } from '../../testing/show.tsx';
import { AddToCase } from './AddToCase.tsx';

// Shows the dialog cases/add/AddToCaseDialog.tsx FormDialog
// Shows the dialog cases/add/LockOutQuestion.tsx ConfirmDialog

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const mission = missionOf({ securityClassification: 'SECRET' });
const bookmarks = [bookmarkOf({ title: 'Take-off' }), bookmarkOf({ title: 'Hand-over' })];
const [mine, theirs] = [caseOf({ number: 3, name: 'Mine' }), caseOf({ number: 4, name: 'Theirs', editable: false })];

function button(answers: Answers, role: typeof admin.role = 'user') {
  const fake = fakeApi({ 'GET /cases': () => [mine, theirs], ...answers });
  const onAdded = vi.fn();
  const shown = show(<AddToCase of={() => collectedBookmarks(bookmarks, mission)} onAdded={onAdded} />, {
    api: fake.api,
    session: { actor: { ...admin, role } },
  });
  return { ...fake, ...shown, onAdded };
}

async function choose(name: RegExp) {
  await userEvent.click(await screen.findByRole('button', { name: 'Add to case' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add to case' });
  await userEvent.type(within(dialog).getByRole('combobox', { name: 'Case' }), 'mi');
  await userEvent.click(await screen.findByRole('option', { name }));
  return dialog;
}

const add = (dialog: HTMLElement) => userEvent.click(within(dialog).getByRole('button', { name: 'Add' }));

it('puts several things into a case that may be edited, by the keyboard alone, and leads there', async () => {
  const { inputsOf, onAdded, place } = button({ 'POST /cases/:id/parts': () => [casePartOf(), casePartOf()] });
  screen.getByRole('button', { name: 'Add to case' }).focus();
  await userEvent.keyboard('{Enter}');
  const dialog = await screen.findByRole('dialog', { name: 'Add to case' });
  expect(within(dialog).getByText('SECRET')).toBeDefined();
  expect(within(dialog).getByText('Take-off, Hand-over')).toBeDefined();
  await screen.findByRole('option', { name: /^Case 3, Mine/ });
  expect(screen.queryByRole('option', { name: /Theirs/ })).toBeNull();
  await userEvent.keyboard('{ArrowDown}{Enter}{Tab}');
  await userEvent.keyboard('Same boat{Enter}{Tab}');
  await add(dialog);

  expect(inputsOf('POST /cases/:id/parts')).toEqual([
    {
      params: { id: mine._id },
      body: { parts: bookmarks.map(({ _id }) => ({ kind: 'bookmark', bookmarkId: _id, remark: 'Same boat' })) },
    },
  ]);
  expect(onAdded).toHaveBeenCalledOnce();
  await userEvent.click(
    within((await screen.findByText('2 parts added to case 3.')).closest('[role=alert]')!).getByText('Open'),
  );
  expect(place.current).toBe(`/cases/${mine._id}`);
});

it('adds what is missing where some are there already, and says so', async () => {
  const { inputsOf } = button({
    'POST /cases/:id/parts': ({ body }) => {
      if ((body as unknown as { parts: unknown[] }).parts.length > 1)
        throw new AppError('partThere', { title: 'Take-off' });
      return [casePartOf()];
    },
    'GET /cases/:id/parts': () => [casePartOf({ subjectId: bookmarks[0]!._id })],
  });
  await add(await choose(/Mine/));

  await screen.findByText('1 added to case 3; 1 were already in it.');
  expect(inputsOf('POST /cases/:id/parts')[1]).toMatchObject({
    body: { parts: [{ bookmarkId: bookmarks[1]!._id }] },
  });
});

it('asks before readers are locked out, with their number and the label, and adds only after that', async () => {
  const { inputsOf, onAdded } = button({
    'POST /cases/:id/parts': ({ body }) => {
      if ((body as unknown as { lockOut?: true }).lockOut) return [casePartOf(), casePartOf()];
      throw new AppError('wouldLockOut', { label: 'SECRET', count: '3' });
    },
  });
  const dialog = await choose(/Mine/);
  await add(dialog);
  const question = await screen.findByRole('alertdialog', { name: 'Raise case 3 to SECRET?' });
  expect(question.textContent).toContain('3 people who read case 3 now could no longer read it.');
  await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
  expect(inputsOf('POST /cases/:id/parts')).toHaveLength(1);
  expect(onAdded).not.toHaveBeenCalled();

  await add(dialog);
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Add and raise' }));
  await screen.findByText('2 parts added to case 3.');
  expect(onAdded).toHaveBeenCalledOnce();
});

it('makes a new case of it, with the label of what is added', async () => {
  const group = usergroupOf({ name: 'Coast', securityClassification: 'SECRET' });
  const { inputsOf } = button(
    {
      'GET /usergroups': () => [group],
      'POST /sharing/readers': () => ({ everyone: false, guests: false, people: null, groups: [] }),
      'POST /cases': () => ({ ...caseOf({ name: 'Slick' }), message: 'Case Slick created' }),
    },
    'superAdmin',
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Add to case' }));
  await userEvent.click(
    within(await screen.findByRole('dialog', { name: 'Add to case' })).getByRole('button', { name: 'New case' }),
  );
  const form = await screen.findByRole('dialog', { name: 'New case' });
  expect(within(form).getByText('It begins with Take-off, Hand-over.')).toBeDefined();
  await userEvent.type(within(form).getByLabelText(/^Name/), 'Slick');
  await userEvent.click(within(form).getByRole('button', { name: 'Create' }));

  await screen.findByText('Case Slick created');
  expect(inputsOf('POST /cases')).toMatchObject([
    {
      body: {
        name: 'Slick',
        securityClassification: 'SECRET',
        usergroups: [group._id],
        parts: bookmarks.map(({ _id }) => ({ kind: 'bookmark', bookmarkId: _id })),
      },
    },
  ]);
});

it('is not there for guests', () => {
  button({}, 'guest');
  expect(screen.queryByRole('button', { name: 'Add to case' })).toBeNull();
});

it('keeps its clicks from its row', async () => {
  const onRow = vi.fn();
  const { api } = fakeApi({ 'GET /cases': () => [mine] });
  show(
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: stands for a row of a table
    <div onClick={onRow}>
      <AddToCase title="Take-off" of={() => collectedBookmarks(bookmarks, mission)} />
    </div>,
    { api },
  );
  await userEvent.click(screen.getByRole('button', { name: 'Add Take-off to a case' }));
  onRow.mockClear();
  await userEvent.click(within(await screen.findByRole('dialog')).getByText('Take-off, Hand-over'));
  expect(onRow).not.toHaveBeenCalled();
});
