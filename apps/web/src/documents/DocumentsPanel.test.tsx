// @vitest-environment jsdom
import type { Actor, DocumentRow } from '@osprey/contract';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { documentOf } from '../testing/documents.ts';
import { type Answers, fakeApi, refusing, usergroupOf, WithHeaders } from '../testing/fake-api.ts';
import { admin, show } from '../testing/show.tsx';
import { DocumentsPanel } from './DocumentsPanel.tsx';
import { type Filter, noFilter } from './filter.ts';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const orders = documentOf({ title: 'Orders' });
const TOKEN = 'POST /documents/:id/token';

type Options = {
  answers?: Answers;
  actor?: Actor;
  open?: DocumentRow;
  opening?: boolean;
  filter?: Filter;
};

/** The panel with one document in it. */
async function panel({ answers = {}, actor = admin, open, opening = false, filter = noFilter }: Options) {
  const fake = fakeApi({
    'GET /documents': () => new WithHeaders([orders], { 'x-total-count': '1' }),
    'GET /usergroups': () => [],
    'GET /tags': () => [],
    ...answers,
  });
  const shown = show(
    <DocumentsPanel
      filter={filter}
      onFilter={() => undefined}
      sort="-creationTime"
      onSort={() => undefined}
      open={open ?? null}
      opening={opening}
      onOpen={() => undefined}
    />,
    { api: fake.api, session: { actor } },
  );
  await screen.findByText('Orders');
  return { ...fake, ...shown };
}

it('waits with what is done with the open document until the one of the link is read', async () => {
  await panel({ opening: true });

  const bar = within(screen.getByRole('toolbar', { name: 'Documents' }));
  const disabled = (name: string) => (bar.getByRole('button', { name }) as HTMLButtonElement).disabled;
  expect(['Download document', 'Edit document', 'Delete document'].map(disabled)).toEqual([true, true, true]);
  expect(disabled('Add document')).toBe(false);
});

it('asks for the documents of the area of the filter alone', async () => {
  const ring = [
    [24, 37],
    [25, 37],
    [25, 38],
    [24, 37],
  ];
  const area = { type: 'Polygon' as const, coordinates: [ring as [number, number][]] };
  const { inputsOf } = await panel({ filter: { ...noFilter, area } });

  const asked = inputsOf('GET /documents')[0] as unknown as { query: { geometry: string } };
  expect(JSON.parse(asked.query.geometry)).toEqual(area); // S1-354
});

it('S1-375 says why a document could not be deleted', async () => {
  const { inputsOf } = await panel({ answers: { 'DELETE /documents/:id': refusing('forbidden') } });

  await userEvent.click(screen.getByLabelText('Delete Orders', { selector: 'button' }));
  await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }));

  await screen.findByText('Failed to delete document. - You do not have the rights for this.');
  expect(inputsOf('DELETE /documents/:id')).toEqual([{ params: { id: orders._id } }]);
  expect(screen.queryByText('Document Orders deleted.')).toBeNull();
});

it('S1-376 says why a document could not be downloaded', async () => {
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click');
  await panel({ answers: { [TOKEN]: refusing('unavailable') } });

  await userEvent.click(screen.getByLabelText('Download Orders', { selector: 'button' }));

  await screen.findByText(/^Failed to download document: ./);
  expect(saved).not.toHaveBeenCalled();
});

it('asks for a token of its own for each download', async () => {
  let tokens = 0;
  const links: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    links.push(`${this.pathname}${this.search} ${this.download}`);
  });
  const { inputsOf } = await panel({
    answers: {
      [TOKEN]: () => {
        tokens += 1;
        return { accessToken: `token-${tokens}`, expires: Date.now() * 1000 + 60_000_000 };
      },
    },
  });

  for (const n of [1, 2]) {
    await userEvent.click(screen.getByLabelText('Download Orders', { selector: 'button' }));
    const link = `/api/documents/${orders._id}/content?token=token-${n} orders.pdf`;
    await waitFor(() => expect(links.at(-1)).toBe(link));
  }

  expect(inputsOf(TOKEN)).toHaveLength(2);
  expect(links).toHaveLength(2);
});

it('explains to a guest that downloads are not for guests, and asks for nothing', async () => {
  const { inputsOf } = await panel({ actor: { ...admin, role: 'guest' }, open: orders });

  await userEvent.click(screen.getByLabelText('Download document', { selector: 'button' }));

  await screen.findByText('Guest users do not have permission to download documents.');
  expect(inputsOf(TOKEN)).toEqual([]);
});

it('adds a document of a file that is dropped on the page, and says that the others are left', async () => {
  await panel({ answers: { 'GET /usergroups': () => [usergroupOf({ name: 'Demo' })] } });
  const file = (name: string) => ({ webkitGetAsEntry: () => null, getAsFile: () => new File(['x'], name) });
  const items = [file('Tide table.csv'), file('chart.png')];

  fireEvent.drop(document.body, { dataTransfer: { types: ['Files'], items } });

  const dialog = await screen.findByRole('dialog', { name: 'New document' });
  expect(within(dialog).getByText('Tide table.csv')).toBeDefined();
  expect(within(dialog).getByRole<HTMLInputElement>('textbox', { name: /Title/ }).value).toBe('Tide table');
  await screen.findByText('A document has one file: Tide table.csv was taken. Add the others one by one.');
});
