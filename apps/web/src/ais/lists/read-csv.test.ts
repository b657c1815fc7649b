import { expect, it } from 'vitest';
import { readShipsCsv } from './read-csv.ts';

const shipsOf = (text: string) => readShipsCsv(text).ships.map(({ mmsi, note }) => [mmsi, note]);

it('reads its own export again, apostrophes of the export taken off', () => {
  const text = '\ufeffmmsi,name,note\r\n248113000,POLARIS,"\'+1 crew, ""late"""\r\n636014221,,\r\n';
  expect(readShipsCsv(text)).toEqual({
    ships: [
      { mmsi: 248_113_000, note: '+1 crew, "late"' },
      { mmsi: 636_014_221, note: '' },
    ],
    wrong: 0,
  });
});

it('finds the column by its head, in any order, with semicolons or tabs', () => {
  expect(shipsOf('Name;MMSI\nPOLARIS BAY;248 113 000\n')).toEqual([[248_113_000, 'POLARIS BAY']]);
  expect(shipsOf('IMO\tRemark\tmmsi\tName\n9301234\twatch\t636014221\tARGO')).toEqual([[636_014_221, 'watch']]);
});

it('takes bare numbers, counts lines without one, and a ship once', () => {
  expect(shipsOf('248113000\n636014221')).toEqual([
    [248_113_000, ''],
    [636_014_221, ''],
  ]);
  expect(readShipsCsv('mmsi,note\nabc,x\n1234567890,y\n0,z\n\n5,first\n5,last').ships).toEqual([
    { mmsi: 5, note: 'last' },
  ]);
  expect(readShipsCsv('mmsi,note\nabc,x\n1234567890,y\n0,z\n').wrong).toBe(3);
});

it('holds out hostile files: open quotes, control characters, long cells, too many ships', () => {
  expect(shipsOf('mmsi,note\n5,"open\n6,x')).toEqual([[5, 'open 6,x']]);
  expect(shipsOf(`mmsi,note\n5,a\u0000b${'x'.repeat(1000)}`)[0]?.[1]).toHaveLength(200);
  const many = Array.from({ length: 5000 }, (_, n) => n + 1).join('\n');
  expect(readShipsCsv(many).ships).toHaveLength(2001);
  expect(readShipsCsv('')).toEqual({ ships: [], wrong: 0 });
});
