import { expect, it } from 'vitest';
import { groupPictures } from './picture-rows.ts';
import type { TrailRow } from './rows.tsx';

type Row = TrailRow & { user: { _id: string; username: string } };
const ana = { _id: 'ana', username: 'ana' };

const rowOf = (seq: number, fields: Partial<Row> = {}): Row => ({
  ...{ node: 'api', seq, time: seq * 1_000_000, role: 'user', action: 'thumbnail.read', sensorName: null },
  ...{ item: { _id: `m${seq}`, name: `Kea-${seq}` }, itemLabel: 'RESTRICTED', address: '10.0.0.1' },
  ...{ outcome: 'allowed', result: null, user: ana },
  ...fields,
});

it('shows the pictures of a list as one row, with their number and highest label', () => {
  const rows = [9, 8, 7].map((seq) => rowOf(seq, seq === 8 ? { itemLabel: 'SECRET' } : {}));
  const login = rowOf(10, { action: 'login' });
  const grouped = groupPictures([login, ...rows, rowOf(6, { action: 'mission.read' })]);

  expect(grouped.rows).toHaveLength(3);
  expect(grouped.rows[1]).toMatchObject({ seq: 9, pictures: 3, item: null, itemLabel: 'SECRET' });
  expect([0, 1, 2].map(grouped.lastOf)).toEqual([0, 3, 4]);
});

it('keeps apart what others looked at, what was refused, and what was looked at later', () => {
  const bob = { _id: 'bob', username: 'bob' };
  const rows = [
    rowOf(100),
    rowOf(99, { user: bob }),
    rowOf(98, { user: bob, outcome: 'refused' }),
    rowOf(97, { address: '10.0.0.2' }),
    rowOf(80, { address: '10.0.0.2' }),
  ];

  expect(groupPictures(rows).rows).toEqual(rows);
});

it('names the mission where all pictures are of one', () => {
  const item = { _id: 'm', name: 'Kea' };
  expect(groupPictures([rowOf(2, { item }), rowOf(1, { item })]).rows[0]).toMatchObject({ item, pictures: 2 });
});
