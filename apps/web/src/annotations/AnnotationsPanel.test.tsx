// @vitest-environment jsdom
import { mdiEyeOffOutline, mdiEyeOutline } from '@mdi/js';
import { type AnnotationRow, AppError } from '@osprey/contract';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Answers, fakeApi, newId, refusing, usergroupOf, WithHeaders } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { tabPanelProps } from '../ui/TabStrip.tsx';
import { AnnotationsPanel } from './AnnotationsPanel.tsx';

const rowOf = (fields: Partial<AnnotationRow> = {}): AnnotationRow => ({
  ...{ _id: newId(), title: 'Search area', description: 'Second pass', annotationType: 'GeoJson' },
  ...{ securityClassification: 'RESTRICTED', marked: true, restricted: false, usergroups: [], audience: 'everyone' },
  ...{ tags: ['sea', 'night'], geometries: 2, vertices: 9, author: 'ana', authorId: null, creationTime: 0 },
  ...{ missionId: null, startTime: null, endTime: null, frame: null, revision: 1, deletedTime: null },
  ...fields,
});

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function panel(answers: Answers) {
  const groups = { 'GET /usergroups': () => [usergroupOf({ name: 'Demo' })], 'GET /tags': () => [] };
  const fake = fakeApi({ ...groups, ...answers });
  show(<AnnotationsPanel tabs={null} panel={tabPanelProps('annotations')} />, { api: fake.api });
  return fake;
}

const listing = (...rows: AnnotationRow[]): Answers => ({
  'GET /annotations': () => new WithHeaders(rows, { 'x-total-count': String(rows.length) }),
});

it('has every column of the specification, newest first', async () => {
  const { inputsOf } = panel(listing(rowOf({ restricted: true, heldBy: 'Held by case 7' })));
  const table = await screen.findByRole('treegrid', { name: 'Annotations' });
  await within(table).findByText('Search area');

  const heads = within(table)
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent);
  const expected = ['Title', 'Description', 'Tags', 'Geometries', 'Label', 'Locked', 'Author', 'Created', 'Hide'];
  expect(heads.filter((head) => expected.includes(head ?? ''))).toEqual(expected);
  expect(within(table).getByText('sea, night')).toBeDefined();
  expect(within(table).getByRole('img', { name: /^Locked \(only admins/ })).toBeDefined();
  expect(within(table).getByRole('img', { name: 'Held by case 7' })).toBeDefined();
  expect(inputsOf('GET /annotations')[0]).toMatchObject({ query: { sort: '-creationTime' } });
});

it('leads from what was drawn on video to its picture, while that is shown', async () => {
  const frame = { sensorId: newId(), time: 1_780_304_410_000_000, anchor: null, state: 'shown' } as const;
  const on = (title: string, state: 'shown' | 'gone') =>
    rowOf({ title, missionId: frame.sensorId, frame: { ...frame, state } });
  panel(listing(on('Here', 'shown'), on('Lost', 'gone'), rowOf({ title: 'Plain' })));
  const link = await screen.findByRole('link', { name: 'Open the moment of Here' });
  expect(link.getAttribute('href')).toContain('&t=2026-06-01T09');
  expect(screen.queryAllByRole('link', { name: /^Open the moment/ })).toHaveLength(1);
});

it('hides an annotation on this machine alone', async () => {
  const row = rowOf();
  panel(listing(row));
  const box = await screen.findByRole('checkbox', { name: 'Hide Search area on the map' });
  // An eye, not a second column of ticks.
  const picture = () => box.parentElement!.querySelector('path')!.getAttribute('d');
  expect(picture()).toBe(mdiEyeOutline);
  fireEvent.click(box);
  expect(picture()).toBe(mdiEyeOffOutline);
  expect(JSON.parse(localStorage.getItem('hiddenAnnotations') ?? '')).toEqual([row._id]);
  fireEvent.click(screen.getByRole('checkbox', { name: 'Hide Search area on the map' }));
  expect(localStorage.getItem('hiddenAnnotations')).toBeNull();
});

it('deletes nothing without a selected row, and says so', async () => {
  panel(listing());
  await screen.findByText('No annotations yet');
  fireEvent.click(screen.getByRole('button', { name: 'Delete annotation' }));

  await screen.findByText('Please select an annotation first.'); // S2-331
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

it('needs a selected row for Edit and Delete, says when there is nothing to export, and keeps mode and order', async () => {
  panel(listing());
  await screen.findByText('No annotations yet');
  fireEvent.click(screen.getByRole('button', { name: 'Edit annotation' }));
  await screen.findByText('Please select an annotation first.');
  fireEvent.click(screen.getByRole('button', { name: 'Export annotations' }));
  await screen.findByText('No annotations available to export.');
  fireEvent.click(screen.getByRole('button', { name: 'Area' }));
  expect(JSON.parse(localStorage.getItem('annotationsQueryFilter') ?? '')).toMatchObject({ mode: 'area' });
});

it('says what went wrong with the words of the specification', async () => {
  panel({
    'GET /annotations': () => {
      throw new AppError('unavailable');
    },
  });
  await screen.findByText(/^Error fetching Annotation data: The server cannot do this right now\./);
});

it('deletes several at once and offers to take them back; a refusal is said', async () => {
  const rows = [rowOf({ title: 'first' }), rowOf({ title: 'second' })];
  const { inputsOf } = panel({
    ...listing(...rows),
    'DELETE /annotations': () => ({ message: 'done' }),
    'POST /annotations/restore': () => ({ message: 'done' }),
  });
  for (const { title } of rows) {
    const line = (await screen.findByText(title)).closest('[role=row]') as HTMLElement;
    fireEvent.click(within(line).getAllByRole('checkbox')[0]!);
  }
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
  await screen.findByText('2 annotations deleted successfully');
  expect(inputsOf('DELETE /annotations')).toEqual([{ body: { annotations: rows.map(({ _id }) => _id) } }]);
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText('Annotation first, second restored.');
});

it('says with the words of the specification that one could not be deleted, or that the export failed', async () => {
  const row = rowOf();
  panel({ ...listing(row), 'DELETE /annotations/:id': refusing('forbidden') });
  fireEvent.click(await screen.findByText(row.title));
  fireEvent.click(screen.getByRole('button', { name: 'Delete annotation' }));
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
  await screen.findByText('Error deleting annotation: You do not have the rights for this.');
  cleanup();

  panel(listing(row));
  await screen.findByText(row.title);
  const values = { reason: 'One file holds at most 2000 annotations.' };
  const fetched = vi.fn(async () => Response.json({ code: 'ruleRefused', values }, { status: 422 }));
  vi.stubGlobal('fetch', fetched);
  fireEvent.click(screen.getByRole('button', { name: 'Export annotations' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'GeoJSON' }));
  await screen.findByText('Error exporting annotations. One file holds at most 2000 annotations.');
  expect(fetched).toHaveBeenCalledWith('/api/annotations/export', expect.objectContaining({ method: 'POST' }));
});
