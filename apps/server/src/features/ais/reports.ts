import {
  AIS_REPORT_BITS,
  AIS_REPORTS_MAX,
  AIS_REPORTS_SHIPS_MAX,
  type AisReport,
  type AisReports,
  type MapArea,
  type ReportedShip,
  stationOf,
} from '@osprey/contract';
import { REPORT_AGE_MAX_S, type Vessel } from '@osprey/geo';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../base/access/as-system.ts';
import { FLAG } from './batch.ts';
import { DEGREE_PARTS } from './jump.ts';
import { positionsBetween } from './positions.ts';
import { type AisSource, highestLabel } from './sources.ts';
import type { AisPositionRow } from './tables.ts';

/**
 * Message types with ship positions accurate to 20 m (ITU-R M.1371-5). Type 27 is given in tenths of minutes only;
 * types 4 and 21 are not ships.
 */
const SHIP_MESSAGES = [1, 2, 3, 18, 19];
/** Navigational statuses of a ship that is not moving: at anchor, moored, aground. */
const STANDING = new Set([1, 5, 6]);
const MINUTE_US = 60_000_000;
const AGE_US = REPORT_AGE_MAX_S * 1e6;

type Row = Omit<AisPositionRow, 'message_type' | 'fix_type'>;
type Info = {
  mmsi: number;
  sources: number[];
  name: string | null;
  ship_type: number | null;
  to_bow: number | null;
  to_stern: number | null;
  to_port: number | null;
  to_starboard: number | null;
};

export type ReportsWish = { area: MapArea; startUs: number; endUs: number };

/**
 * Ships that reported from an area between two moments, or near enough to them, with the reports that show their
 * places.
 */
export async function reportsNear(
  db: Db,
  sources: readonly AisSource[],
  { area, startUs, endUs }: ReportsWish,
): Promise<AisReports> {
  if (sources.length === 0) return { ships: [], cut: false, heard: false, securityClassification: highestLabel([]) };
  const heard = heardBy(sources, { fromUs: startUs - AGE_US, toUs: endUs + AGE_US });
  const columns = sql.raw('source_id, mmsi, time, lat, lon, sog, cog, heading, turn, status, flags');
  const [rows, isHeard] = await Promise.all([
    sql<Row>`with heard as materialized (${heard}),
        near as (select mmsi from heard where ${isIn(area)} group by mmsi order by mmsi limit ${AIS_REPORTS_SHIPS_MAX + 1}),
        own as (select heard.* from heard join near using (mmsi))
      select ${columns} from (
        (select distinct on (mmsi) ${columns} from own where time < ${startUs}::bigint order by mmsi, time desc)
        union all (select ${columns} from own where time between ${startUs}::bigint and ${endUs}::bigint)
        union all (select distinct on (mmsi) ${columns} from own where time > ${endUs}::bigint order by mmsi, time)
      ) reports order by mmsi, time limit ${AIS_REPORTS_MAX + 1}`.execute(db),
    anyHeard(db, sources, { fromUs: startUs - AGE_US, toUs: endUs }),
  ]);
  const reports = rows.rows.slice(0, AIS_REPORTS_MAX);
  const { ships, saidBy } = await nameShips(db, sources, shipsOf(reports));
  const usedSources = new Set([...saidBy, ...reports.map(({ source_id }) => source_id)]);
  const securityClassification = highestLabel(sources.filter(({ id }) => usedSources.has(id)));
  const cut = rows.rows.length > AIS_REPORTS_MAX || ships.length > AIS_REPORTS_SHIPS_MAX;
  return { ships: ships.slice(0, AIS_REPORTS_SHIPS_MAX), cut, heard: isHeard, securityClassification };
}

/**
 * Returns all reports of one ship between two moments, and those before and after that are still recent enough to
 * count.
 */
export async function reportsOf(
  db: Db,
  sources: readonly AisSource[],
  { mmsi, fromUs, toUs }: Between & { mmsi: number },
): Promise<Vessel> {
  const heard = heardBy(sources, { fromUs: fromUs - AGE_US, toUs: toUs + AGE_US, mmsi });
  const { rows } = await sql<Row>`${heard} order by time`.execute(db);
  const [ship] = (await nameShips(db, sources, shipsOf(rows))).ships;
  return ship ? vesselOf(ship) : { mmsi, sizes: null, reports: [] };
}

/** Converts a ship to the form used in its geometry. */
export const vesselOf = ({ mmsi, dimensions, reports }: ReportedShip): Vessel => ({
  mmsi,
  sizes: dimensions,
  reports: reports.map(([timeUs, lat, lon, sogKnots, cogDeg, headingDeg, turnDegMin, bits]) => ({
    ...{ timeUs, lat, lon, sogKnots, cogDeg, headingDeg, turnDegMin },
    accurate: (bits & AIS_REPORT_BITS.accurate) !== 0,
    standing: (bits & AIS_REPORT_BITS.standing) !== 0,
  })),
});

type Between = { fromUs: number; toUs: number };

/**
 * Returns a query of plausible positions: positions that do not fit the previous one, or whose time is in the future,
 * are excluded.
 */
export function heardBy(
  sources: readonly AisSource[],
  { fromUs, toUs, mmsi }: Between & { mmsi?: number },
): RawBuilder<unknown> {
  const all = positionsBetween(sources, { fromUs, toUs, only: mmsi === undefined ? undefined : [mmsi] });
  return sql`select * from (${all}) own
    where message_type = any (${SHIP_MESSAGES}::smallint[]) and flags & ${FLAG.jump | FLAG.future} = 0`;
}

/** Whether a receiver received anything, ships or not, to the minute. */
export async function anyHeard(db: Db, sources: readonly AisSource[], { fromUs, toUs }: Between): Promise<boolean> {
  const found = await db
    .selectFrom('ais_heard')
    .select('source_id')
    .where('source_id', 'in', sources.map(({ id }) => id).concat(-1))
    .where('minute', '>=', Math.floor(fromUs / MINUTE_US))
    .where('minute', '<=', Math.floor(toUs / MINUTE_US))
    .limit(1)
    .execute();
  return found.length > 0;
}

function shipsOf(rows: readonly Row[]): Map<number, AisReport[]> {
  const ships = new Map<number, AisReport[]>();
  for (const row of rows) {
    const reports = ships.get(row.mmsi) ?? [];
    ships.set(row.mmsi, reports);
    // Two receivers may have received the same report.
    if (reports.at(-1)?.[0] === row.time) continue;
    const isStanding = row.status !== null && STANDING.has(row.status);
    reports.push([
      row.time,
      row.lat / DEGREE_PARTS,
      row.lon / DEGREE_PARTS,
      row.sog === null ? null : row.sog / 10,
      row.cog === null ? null : row.cog / 10,
      row.heading,
      row.turn,
      ((row.flags & FLAG.accurate) !== 0 ? AIS_REPORT_BITS.accurate : 0) | (isStanding ? AIS_REPORT_BITS.standing : 0),
    ]);
  }
  return ships;
}

/** Adds the known static data of each ship, and its sources. */
async function nameShips(
  db: Db,
  sources: readonly AisSource[],
  ships: ReadonlyMap<number, AisReport[]>,
): Promise<{ ships: ReportedShip[]; saidBy: number[] }> {
  if (ships.size === 0) return { ships: [], saidBy: [] };
  const newest = (column: string) => {
    const name = sql.ref(column);
    return sql`(array_agg(${name} order by time desc) filter (where ${name} is not null))[1] as ${name}`;
  };
  const columns = ['name', 'ship_type', 'to_bow', 'to_stern', 'to_port', 'to_starboard'].map(newest);
  const { rows } = await sql<Info>`select mmsi, array_agg(source_id) as sources, ${sql.join(columns)} from ais_vessels
    where mmsi = any (${[...ships.keys()]}::integer[]) and source_id = any (${sources.map(({ id }) => id)}::integer[])
    group by mmsi`.execute(db);
  const existing = new Map(rows.map((row) => [row.mmsi, row]));
  const all = [...ships].map(([mmsi, reports]): ReportedShip => {
    const info = existing.get(mmsi);
    const { to_bow: toBow = null, to_stern: toStern = null } = info ?? {};
    return {
      ...stationOf(mmsi),
      name: info?.name ?? null,
      shipType: info?.ship_type ?? null,
      dimensions:
        toBow === null || toStern === null
          ? null
          : { toBow, toStern, toPort: info?.to_port ?? 0, toStarboard: info?.to_starboard ?? 0 },
      reports,
    };
  });
  return { ships: all, saidBy: rows.flatMap((row) => row.sources) };
}

function isIn({ west, south, east, north }: MapArea): RawBuilder<boolean> {
  const parts = (degrees: number) => Math.round(degrees * DEGREE_PARTS);
  const isBetween = sql`lat between ${parts(south)} and ${parts(north)}`;
  return west > east
    ? sql`${isBetween} and (lon >= ${parts(west)} or lon <= ${parts(east)})`
    : sql`${isBetween} and lon between ${parts(west)} and ${parts(east)}`;
}
