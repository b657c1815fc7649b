// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { giveLayout } from '../../testing/show.tsx';
import { MovableContent, MovablePlace, useMovable } from '../Movable.tsx';
import { DataTable } from './DataTable.tsx';

const measures = new Set<() => void>();

beforeAll(() => {
  giveLayout();
  Object.defineProperty(Element.prototype, 'clientHeight', {
    configurable: true,
    get(this: Element) {
      return this.isConnected ? 600 : 0;
    },
  });
  class Observer {
    constructor(measure: () => void) {
      measures.add(measure);
    }
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  vi.stubGlobal('ResizeObserver', Observer);
});
afterEach(cleanup);

/** Runs the callbacks before a paint, as a browser does. */
const paint = () =>
  act(() => {
    for (const measure of measures) measure();
  });

const nothing = () => undefined;

type PageProps = { at: 'above' | 'below' | 'nowhere'; rows?: string[]; followId?: string; holdKey?: string };

function Page({ at, rows = ['Kea', 'Tinos'], followId, holdKey }: PageProps) {
  const movable = useMovable();
  return (
    <>
      <MovableContent movable={movable}>
        <DataTable
          label="Ships"
          columns={[{ id: 'name', header: 'Name', width: 100, cell: (name: string) => name }]}
          rows={rows}
          {...(followId !== undefined && { followId })}
          {...(holdKey !== undefined && { holdKey })}
          traits={(name) => ({ id: name, name, level: 1 })}
          sorting={{ column: 'name', descending: false }}
          onSort={nothing}
          choice={{ hidden: [], widths: {} }}
          onWidth={nothing}
          onOpen={nothing}
          onToggle={nothing}
          total={2}
        />
      </MovableContent>
      <header>{at === 'above' && <MovablePlace movable={movable} />}</header>
      <footer>{at === 'below' && <MovablePlace movable={movable} />}</footer>
    </>
  );
}

it('keeps the row that has the focus while the table is on its way to another place', () => {
  const { rerender } = render(<Page at="above" />);
  paint();
  const row = screen.getByText('Tinos').closest<HTMLElement>('[role=row]')!;
  row.focus();

  rerender(<Page at="nowhere" />);
  paint();
  rerender(<Page at="below" />);
  paint();

  expect(row.closest('footer')).not.toBeNull();
  expect(document.activeElement).toBe(row);
});

it('brings a row that was opened elsewhere into sight, once', () => {
  const rows = Array.from({ length: 200 }, (_, index) => `Ship ${index}`);
  const { rerender } = render(<Page at="above" rows={rows} />);
  const scrollTo = vi.spyOn(Element.prototype, 'scrollTo');

  rerender(<Page at="above" rows={rows} followId="Ship 150" />);
  expect(scrollTo).toHaveBeenCalled();
  scrollTo.mockClear();
  rerender(<Page at="above" rows={['New ship', ...rows]} followId="Ship 150" />);

  expect(scrollTo).not.toHaveBeenCalled();
});

it('Rows hold still while the pointer or the focus is in the table, and a chip shows them as they are now', async () => {
  const shown = () =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map(({ textContent }) => textContent);
  // React draws after the pointer enters or leaves in a turn of its own.
  const after = (work: () => unknown) =>
    act(async () => {
      work();
    });
  const at = 'above' as const;
  // Rows of tables that were removed.
  measures.clear();
  const page = render(<Page at={at} holdKey="all" rows={['Kea', 'Tinos']} />);
  paint();
  const show = (rows: string[], holdKey = 'all') => page.rerender(<Page at={at} holdKey={holdKey} rows={rows} />);
  const table = document.querySelector<HTMLElement>('[data-part="table"]')!;
  show(['Andros', 'Kea', 'Tinos']);
  expect(shown()).toEqual(['Andros', 'Kea', 'Tinos']);

  await after(() => fireEvent.pointerEnter(table));
  show(['Milos', 'Naxos', 'Kea']);
  expect(shown()).toEqual(['Andros', 'Kea', 'Tinos']);
  // A page that was read by scrolling comes below.
  show(['Milos', 'Naxos', 'Kea', 'Ios']);
  expect(shown()).toEqual(['Andros', 'Kea', 'Tinos', 'Ios']);
  fireEvent.click(screen.getByRole('button', { name: '2 new' }));
  expect(shown()).toEqual(['Milos', 'Naxos', 'Kea', 'Ios']);
  expect(screen.queryByRole('button', { name: /new/i })).toBeNull();

  // The focus holds them too, after the pointer left.
  act(() => screen.getAllByRole('row')[1]!.focus());
  await after(() => fireEvent.pointerLeave(table));
  show(['Kea', 'Milos', 'Naxos', 'Ios']);
  expect(shown()).toEqual(['Milos', 'Naxos', 'Kea', 'Ios']);
  screen.getByRole('button', { name: 'New order' });
  act(() => (document.activeElement as HTMLElement).blur());
  expect(shown()).toEqual(['Kea', 'Milos', 'Naxos', 'Ios']);

  // Rows that were asked for, and rows that the reader may no longer see.
  await after(() => fireEvent.pointerEnter(table));
  show(['Delos'], 'other');
  expect(shown()).toEqual(['Delos']);
  show([], 'other');
  expect(shown()).toEqual([]);
});
