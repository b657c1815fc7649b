import type { LastSeenTile } from '@osprey/contract';
import type { Feature, FeatureCollection, Position } from 'geojson';

/** Upper limits of the age classes, as shares of the chosen hours. Older cells are outlined. */
export const SHARES = [1 / 12, 1 / 4, 1 / 2, 1] as const;
/** Class of cells that were not seen for the chosen hours. */
export const OLD = SHARES.length;

/** Returns the class of an age in seconds; 0 is the most recent. */
export function classOf(ageSeconds: number, hours: number): number {
  const found = SHARES.findIndex((share) => ageSeconds < share * hours * 3600);
  return found < 0 ? OLD : found;
}

/**
 * Converts the cells of tiles to shapes. Adjacent cells of the same class in a row form one rectangle, with the class
 * in its property `age`, and the property `approximate` if they were last seen only approximately. Old cells have a
 * border around their whole area, in lines with the property `border`.
 */
export function shapesOf(
  tiles: readonly LastSeenTile[],
  { atUs, hours }: { atUs: number; hours: number },
): FeatureCollection {
  const features: Feature[] = [];
  for (const level of new Set(tiles.map((tile) => tile.level))) {
    const rows = rowsOf(
      tiles.filter((tile) => tile.level === level),
      { atUs, hours },
    );
    const at = (column: number, row: number): Position => [
      (column / 2 ** level) * 360 - 180,
      (row / 2 ** level) * 180 - 90,
    ];
    const isOld = (column: number, row: number) => rows.get(row)?.get(column)?.age === OLD;
    for (const [row, cells] of rows) {
      for (const { from, to, age, approximate } of stretchesOf(cells)) {
        const ring = [at(from, row), at(to, row), at(to, row + 1), at(from, row + 1), at(from, row)];
        const properties = { age, ...(approximate && { approximate }) };
        features.push({ type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [ring] } });
        if (age !== OLD) continue;
        const lines: Position[][] = [
          [at(from, row), at(from, row + 1)],
          [at(to, row), at(to, row + 1)],
        ];
        for (const [neighbourRow, edge] of [
          [row - 1, row],
          [row + 1, row + 1],
        ] as const) {
          for (let column = from; column < to; column += 1) {
            if (!isOld(column, neighbourRow)) lines.push([at(column, edge), at(column + 1, edge)]);
          }
        }
        const geometry = { type: 'MultiLineString', coordinates: lines } as const;
        features.push({ type: 'Feature', properties: { border: true }, geometry });
      }
    }
  }
  return { type: 'FeatureCollection', features };
}

type Cell = { age: number; approximate: boolean };

/** Returns the class of each cell, by row and column. */
function rowsOf(tiles: readonly LastSeenTile[], { atUs, hours }: { atUs: number; hours: number }) {
  const rows = new Map<number, Map<number, Cell>>();
  for (const { cells, approximate } of tiles) {
    const uncertain = new Set(approximate);
    for (let at = 0; at + 2 < cells.length; at += 3) {
      const [column, row, seen] = [cells[at]!, cells[at + 1]!, cells[at + 2]!];
      const own = rows.get(row) ?? new Map<number, Cell>();
      rows.set(row, own);
      own.set(column, { age: classOf(atUs / 1e6 - seen, hours), approximate: uncertain.has(at / 3) });
    }
  }
  return rows;
}

type Stretch = Cell & { from: number; to: number };

function stretchesOf(cells: ReadonlyMap<number, Cell>): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [column, cell] of [...cells].sort(([a], [b]) => a - b)) {
    const last = stretches[stretches.length - 1];
    const isSame = last?.to === column && last.age === cell.age && last.approximate === cell.approximate;
    if (last && isSame) last.to = column + 1;
    else stretches.push({ from: column, to: column + 1, ...cell });
  }
  return stretches;
}
