import { expect, it } from 'vitest';
import { type Column, columnsInRoom } from './data-table.ts';

const column = (id: string, width: number, more: Partial<Column<string>> = {}): Column<string> => ({
  ...{ id, header: id, width, cell: () => null },
  ...more,
});
const columns = [
  column('name', 100, { fixed: true }),
  column('company', 100),
  column('role', 100, { priority: 2 }),
  column('groups', 100, { priority: 1 }),
  column('online', 100),
];
const shown = (room: number, { widths = {}, sorted = null as string | null } = {}) =>
  columnsInRoom(columns, { widths, sorted, room }).map(({ id }) => id);

it('has all columns where there is room, and before the room is known', () => {
  expect(shown(500)).toHaveLength(5);
  expect(shown(0)).toHaveLength(5);
});

it('drops whole columns where there is none, those with the least priority first', () => {
  expect(shown(499)).toEqual(['name', 'company', 'role', 'groups']);
  expect(shown(399)).toEqual(['name', 'role', 'groups']);
  expect(shown(299)).toEqual(['name', 'role']);
  expect(shown(50)).toEqual(['name']);
});

it('keeps the column that orders the rows', () => {
  expect(shown(210, { sorted: 'online' })).toEqual(['name', 'online']);
});

it('scrolls for a column that the user has widened, and has room by one that was made narrower', () => {
  expect(shown(500, { widths: { company: 300 } })).toHaveLength(5);
  expect(shown(460, { widths: { company: 60 } })).toHaveLength(5);
});
