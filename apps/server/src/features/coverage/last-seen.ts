import { type Actor, AppError, type LastSeenTile } from '@osprey/contract';
import {
  coverageArea,
  coverageAreaLevel,
  coverageCellOf,
  type GridCell,
  probesOf,
  readCoverageRuns,
  readLastCovered,
  SEEN_HOUR_S,
  SEEN_LEVELS,
} from '@osprey/geo';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { readableSensors } from '../../media/play/covered-minutes.ts';
import { fewReadable } from './readable.ts';

/** Number of grid levels by which the cells of a tile are finer than its zoom, limited by the finest level stored. */
const FINER = 5;

export type LastSeenQuery = { zoom: number; x: number; y: number; atUs: number };

/** A tile, and the missions that it reveals, with the ranks of their labels (1 to 5). */
export type LastSeen = { tile: LastSeenTile; missions: { id: string; rank: number }[] };

type Row = {
  missionId: string;
  rank: number;
  area: number;
  hour: number;
  shiftUs: number;
  approximate: boolean;
  last: Buffer | null;
  runs: Buffer | null;
};

/**
 * When each cell of a tile was last seen before a moment, by sensors of missions that the actor may read.
 *
 * @throws AppError invalid for an invalid tile
 */
export async function lastSeen(db: Kysely<Database>, actor: Actor, query: LastSeenQuery): Promise<LastSeen> {
  const tile = tileOf(query);
  const size = tile.columns * tile.rows;
  const found = { endsUs: new Float64Array(size).fill(Number.NEGATIVE_INFINITY), approximate: new Uint8Array(size) };
  const missions = new Map<string, number>();
  for (const row of await rowsOf(db, actor, tile, query.atUs)) {
    const area = tile.areas.get(row.area);
    if (!area) continue;
    const startUs = row.hour * SEEN_HOUR_S * 1e6 + row.shiftUs;
    const isShown = (key: number, end: number) => {
      const seen = { endUs: startUs + end * 1e6, isApproximate: row.approximate };
      if (fill(found, tile, coverageCellOf(area, key), seen)) missions.set(row.missionId, row.rank);
    };
    if (row.last) readLastCovered(row.last, isShown);
    if (row.runs) readCoverageRuns(row.runs, Math.floor((query.atUs - startUs) / 1e6), isShown);
  }
  const [cells, approximate]: [number[], number[]] = [[], []];
  found.endsUs.forEach((endUs, at) => {
    if (endUs === Number.NEGATIVE_INFINITY) return;
    if (found.approximate[at] === 1) approximate.push(cells.length / 3);
    cells.push(tile.column + (at % tile.columns), tile.row + Math.floor(at / tile.columns), endUs / 1e6);
  });
  return {
    tile: { level: tile.level, cells, ...(approximate.length > 0 && { approximate }) },
    missions: [...missions].map(([id, rank]) => ({ id, rank })),
  };
}

type Tile = {
  level: number;
  column: number;
  row: number;
  columns: number;
  rows: number;
  /** Areas in which its cells are stored, by their number. */
  areas: Map<number, GridCell>;
};

function tileOf({ zoom, x, y }: LastSeenQuery): Tile {
  const size = 2 ** zoom;
  if (x >= size || y >= size) throw new AppError('invalid', { field: 'x', reason: 'No such tile' });
  const retained = [...SEEN_LEVELS].reverse().find((level) => level >= Math.min(zoom + FINER, SEEN_LEVELS[0]))!;
  const level = Math.min(zoom + FINER, retained);
  const wide = 2 ** (level - zoom);
  // Rows whose middle lies within the tile.
  const rowOf = (tileRow: number) => Math.ceil(((latitudeOf(tileRow / size) + 90) / 180) * 2 ** level - 0.5);
  const [row, end] = [Math.max(0, rowOf(y + 1)), Math.min(2 ** level, rowOf(y))];
  const own = { level, column: x * wide, row, columns: wide, rows: Math.max(0, end - row) };
  const areas = new Map<number, GridCell>();
  const areaLevel = coverageAreaLevel(retained);
  const up = level - areaLevel;
  for (let areaRow = row >> up; areaRow <= (end - 1) >> up && own.rows > 0; areaRow += 1) {
    for (let column = own.column >> up; column <= (own.column + wide - 1) >> up; column += 1) {
      const area = { level: areaLevel, column, row: areaRow };
      areas.set(coverageArea(area), area);
    }
  }
  return { ...own, areas };
}

/** Latitude of a height in the Mercator square, 0 at its top. */
const latitudeOf = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

/** Reads all runs in the hour of the moment; for earlier hours the end of the last run is enough. */
async function rowsOf(db: Kysely<Database>, actor: Actor, { areas }: Tile, atUs: number): Promise<Row[]> {
  if (areas.size === 0) return [];
  const few = await fewReadable(db, actor, probesOf([...areas.keys()]));
  if (few?.length === 0) return [];
  const start = sql<number>`(coverage_seen.hour::bigint * ${sql.lit(SEEN_HOUR_S * 1e6)} + sensors.time_shift)`;
  const isOver = sql<boolean>`${start} + ${sql.lit(SEEN_HOUR_S * 1e6)} <= ${atUs}`;
  return readableSensors(db, actor)
    .innerJoin('coverage_seen', 'coverage_seen.sensor_id', 'sensors.id')
    .select([
      'missions.id as missionId',
      'missions.classification as rank',
      'coverage_seen.area',
      'coverage_seen.hour',
      'sensors.time_shift as shiftUs',
      'coverage_seen.approximate',
      sql<Buffer | null>`case when ${isOver} then coverage_seen.last end`.as('last'),
      sql<Buffer | null>`case when not ${isOver} then coverage_seen.runs end`.as('runs'),
    ])
    .where(sql<boolean>`coverage_seen.area = any(${[...areas.keys()]}::bigint[])`)
    .$if(few !== null, (query) => query.where('coverage_seen.sensor_id', 'in', few ?? []))
    .where(start, '<', atUs)
    .execute();
}

type Found = { endsUs: Float64Array; approximate: Uint8Array };
type Seen = { endUs: number; isApproximate: boolean };

/**
 * Marks the cells of the tile that a cell of any level covers or is part of as seen at this time. Returns whether the
 * cell is in the tile.
 */
function fill(found: Found, tile: Tile, cell: GridCell, { endUs, isApproximate }: Seen): boolean {
  const down = Math.max(0, tile.level - cell.level);
  const up = Math.max(0, cell.level - tile.level);
  const [column, row] = [(cell.column << down) >> up, (cell.row << down) >> up];
  const firstColumn = Math.max(column, tile.column);
  const lastColumn = Math.min(column + 2 ** down, tile.column + tile.columns);
  const lastRow = Math.min(row + 2 ** down, tile.row + tile.rows);
  let isIn = false;
  for (let y = Math.max(row, tile.row); y < lastRow; y += 1) {
    for (let x = firstColumn; x < lastColumn; x += 1) {
      const at = (y - tile.row) * tile.columns + (x - tile.column);
      const isNewer = endUs > found.endsUs[at]!;
      // Ground that a footprint showed in the same second is not approximate.
      if (isNewer || (endUs === found.endsUs[at] && !isApproximate)) found.approximate[at] = isApproximate ? 1 : 0;
      if (isNewer) found.endsUs[at] = endUs;
      isIn = true;
    }
  }
  return isIn;
}
