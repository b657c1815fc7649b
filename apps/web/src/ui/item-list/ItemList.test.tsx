// @vitest-environment jsdom
import { AppError, type Classification } from '@osprey/contract';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeApi, newId } from '../../testing/fake-api.ts';
import { show } from '../../testing/show.tsx';
import { ItemList } from './ItemList.tsx';
import { useItemList } from './useItemList.ts';

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

type Buoy = { _id: string; name: string; depth: string; locked: boolean; securityClassification: Classification };

const buoyOf = (name: string, fields: Partial<Buoy> = {}): Buoy => ({
  ...{ _id: newId(), name, depth: '40 m', locked: false, securityClassification: 'RESTRICTED' },
  ...fields,
});
const name = { id: 'name', header: 'Name', width: 100, sortable: true, fixed: true, cell: (row: Buoy) => row.name };
const depth = { id: 'depth', header: 'Depth', width: 100, sortable: true, cell: (row: Buoy) => row.depth };
const columns = { all: [name, depth], phone: [name] };
const texts = {
  title: 'Buoys',
  search: 'Search buoys',
  toolbar: { add: 'Buoy', addLabel: 'Add buoy', bin: 'Deleted buoys' },
  empty: { title: 'No buoys yet', text: 'Add the first.', guest: 'They appear here.' },
  failed: 'Error fetching buoys: {message}',
};

type More = { rows?: Buoy[]; sort?: string; mayAdd?: boolean; searched?: boolean; error?: Error | null };

function list({ rows = [], sort = 'name', mayAdd = true, searched = false, error = null }: More) {
  const calls = { onSort: vi.fn(), onOpen: vi.fn(), onCreate: vi.fn(), onBin: vi.fn(), onClear: vi.fn() };
  function Panel() {
    const own = useItemList({ rows, columns, storageKey: 'buoyColumns' });
    return (
      <ItemList
        texts={texts}
        icon=""
        list={own}
        listed={{ total: rows.length, loading: false, stale: false, error, refetch: vi.fn() }}
        isOffline={false}
        nameOf={(row) => row.name}
        onOpen={calls.onOpen}
        mayChoose={({ locked }) => !locked}
        actions={null}
        sort={sort}
        onSort={calls.onSort}
        startsDown={['depth']}
        search=""
        onSearch={() => undefined}
        hidden={
          searched
            ? { texts: { title: 'No buoy matches', text: '', clear: 'Clear the search' }, onClear: calls.onClear }
            : null
        }
        onCreate={mayAdd ? calls.onCreate : null}
        onBin={mayAdd ? calls.onBin : null}
        count={{ one: '1 buoy', many: '{count} buoys' }}
        bulk={<button type="button">Raise</button>}
      >
        {null}
      </ItemList>
    );
  }
  show(<Panel />, { api: fakeApi({}).api });
  return calls;
}

/** Also while a menu is open, which hides the table from a screen reader. */
const heads = () => screen.getAllByRole('columnheader', { hidden: true }).map(({ textContent }) => textContent);

it('counts rows, opens one, sorts by the head of a column, and downwards first where one looks for the most', async () => {
  const row = buoyOf('Kea');
  const { onSort, onOpen } = list({ rows: [row, buoyOf('Tinos')] });
  screen.getByText('2 buoys');
  const table = screen.getByRole('treegrid', { name: 'Buoys' });

  fireEvent.click(within(table).getByText('Kea'));
  expect(onOpen.mock.lastCall![0]).toBe(row);
  fireEvent.click(within(table).getByRole('button', { name: /Name/ }));
  fireEvent.click(within(table).getByRole('button', { name: /Depth/ }));
  expect(onSort.mock.calls).toEqual([['-name'], ['-depth']]);
});

it('chooses only rows that may be chosen, and shows what can be done with them', () => {
  list({ rows: [buoyOf('Kea'), buoyOf('Tinos', { locked: true }), buoyOf('Syros')] });
  expect(screen.queryByRole('button', { name: 'Raise' })).toBeNull();
  const boxes = screen.getAllByRole('checkbox');
  expect(boxes).toHaveLength(3);

  fireEvent.click(boxes[0]!);
  screen.getByRole('button', { name: 'Raise' });
  expect(boxes.map((box) => (box as HTMLInputElement).checked)).toEqual([true, true, true]);
  expect(document.querySelector('[data-part="bulk-bar"]')!.textContent).toContain('2');
});

it('hides columns as chosen on this machine', async () => {
  list({ rows: [buoyOf('Kea')] });
  expect(heads()).toContain('Depth');
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Depth' }));

  expect(heads()).not.toContain('Depth');
  expect(localStorage.getItem('buoyColumns')).toContain('depth');
});

it('has the columns of a phone on a phone', () => {
  vi.stubGlobal('matchMedia', (media: string) => ({
    ...{ matches: true, media, addListener: vi.fn(), removeListener: vi.fn() },
    ...{ addEventListener: vi.fn(), removeEventListener: vi.fn() },
  }));
  list({ rows: [buoyOf('Kea')] });
  expect(heads()).not.toContain('Depth');
});

it('offers to add and shows the bin to those who may, and says why there are no rows', () => {
  const { onCreate, onBin } = list({});
  screen.getByText('Add the first.');
  for (const button of screen.getAllByRole('button', { name: 'Add buoy' })) fireEvent.click(button);
  fireEvent.click(screen.getByRole('button', { name: 'Deleted buoys' }));
  expect([onCreate.mock.calls.length, onBin.mock.calls.length]).toEqual([2, 1]);
  cleanup();

  list({ mayAdd: false });
  screen.getByText('They appear here.');
  expect(screen.queryByRole('button', { name: 'Add buoy' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Deleted buoys' })).toBeNull();
  cleanup();

  const { onClear } = list({ searched: true });
  fireEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
  expect(onClear).toHaveBeenCalledOnce();
  cleanup();

  list({ error: new AppError('unavailable') });
  screen.getByText(/^Error fetching buoys: The server cannot/);
  screen.getByRole('button', { name: 'Try again' });
});
