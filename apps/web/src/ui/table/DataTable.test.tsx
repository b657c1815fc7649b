// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
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

type PageProps = { at: 'above' | 'below' | 'nowhere'; rows?: string[]; followId?: string };

function Page({ at, rows = ['Kea', 'Tinos'], followId }: PageProps) {
  const movable = useMovable();
  return (
    <>
      <MovableContent movable={movable}>
        <DataTable
          label="Ships"
          columns={[{ id: 'name', header: 'Name', width: 100, cell: (name: string) => name }]}
          rows={rows}
          {...(followId !== undefined && { followId })}
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
