import { countryOfMmsi, shipTypeName } from '@osprey/ais/names';
import {
  AIS_BADGE_MAX,
  AIS_TRAIL_POINTS_MAX,
  type AisFilter,
  type AisSort,
  type AisTarget,
  type AisTrail,
  type AisVessel,
  aisDoubts,
  stationOf,
} from '@osprey/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../base/access/as-system.ts';
import { partPattern } from '../../base/db/keyset.ts';
import { FLAG } from './batch.ts';
import { partWith } from './blocks.ts';
import { DEGREE_PARTS } from './jump.ts';
import { type LastShip, lastBetween, mergedLast, unpackedOf } from './last.ts';
import { type Bounds, isOfType, isRequested, positionsBetween } from './positions.ts';
import type { AisSource } from './sources.ts';
import type { AisPositionRow } from './tables.ts';

/** A row as returned by the queries below. */
type Row = AisPositionRow & { sources: number } & InfoRow;

type InfoRow = {
  name: string | null;
  call_sign: string | null;
  imo: number | null;
  ship_type: number | null;
  to_bow: number | null;
  to_stern: number | null;
  to_port: number | null;
  to_starboard: number | null;
  draught: number | null;
  destination: string | null;
  eta: string | null;
};

export type AisPage = { rows: AisTarget[]; total: number | null; next: number | null };
/** `only` lists the MMSIs of the stations to include; all if absent. */
type Only = { only?: readonly number[] | undefined };
export type PageWish = Omit<AisFilter, 'list'> &
  Only & {
    sort: AisSort | `-${AisSort}`;
    limit: number;
    after?: number | undefined;
    count?: boolean | undefined;
  };

export type AisReads = {
  page(sources: readonly AisSource[], wish: PageWish): Promise<AisPage>;
  all(sources: readonly AisSource[], wish: PageWish): Promise<AisTarget[]>;
  trail(sources: readonly AisSource[], wish: Span & { mmsi: number }): Promise<AisTrail>;
  /** Reads the details of stations. Stations without any details are included. */
  vessels(sources: readonly AisSource[], mmsi: readonly number[]): Promise<AisVessel[]>;
};

/**
 * Reads stations and positions as the actor may see them. Last states and static data are merged by MMSI here, using
 * only sources that the reader may access; the others are treated as if they did not exist.
 */
export function aisReads(db: Db): AisReads {
  /**
   * Reads a page. If it is sorted by time, its rows come from one part of the period; if that part fills the page,
   * nothing else is read.
   */
  async function page(sources: readonly AisSource[], wish: PageWish): Promise<AisPage> {
    const isByTime = wish.mode === 'all' && nameOf(wish.sort) === 'timestamp' && wish.search === undefined;
    if (!isByTime || sources.length === 0) return pageOf(sources, wish);
    const count = (wish.after ?? 0) + wish.limit + 1;
    const { fromUs, toUs } = boundsOf(wish);
    const newest = wish.sort.startsWith('-');
    const part = await partWith(db, idsOf(sources), { fromUs, toUs, count, newest });
    const { rows, next } = await pageOf(sources, { ...wish, start: part.fromUs, end: part.toUs, count: false });
    if (next === null && (part.fromUs > fromUs || part.toUs < toUs)) return pageOf(sources, wish);
    const counted = positionsOf(sources, wish);
    return { rows, next, total: wish.count ? await countOf(sources, counted, undefined) : null };
  }

  async function pageOf(sources: readonly AisSource[], wish: PageWish): Promise<AisPage> {
    if (sources.length === 0) return { rows: [], total: wish.count ? 0 : null, next: null };
    const { heard, counted, isPacked, added = sql`` } = await heardBy(sources, wish);
    const offset = wish.after ?? 0;
    const order = orderOf(wish.sort);
    const needsInfo = wish.search !== undefined || ['name', 'vesselType'].includes(nameOf(wish.sort));
    // Names and numbers of sources are joined only to the rows of the page, unless its order or its search needs them.
    const pageRows = needsInfo
      ? sql`select heard.* ${added} from (
          select heard.*, info.* from (${heard}) heard left join lateral (${infoOf(sources)}) info on true
          where ${searched(wish.search, sources)} order by ${order} limit ${wish.limit + 1} offset ${offset}) heard
          order by ${order}`
      : sql`select heard.*, info.* ${added} from (select * from (${heard}) heard order by ${order}
          limit ${wish.limit + 1} offset ${offset}) heard
          left join lateral (${infoOf(sources)}) info on true order by ${order}`;
    const [found, total] = await Promise.all([
      sql<Row>`${pageRows}`.execute(db),
      wish.count ? countOf(sources, counted, wish.search) : null,
    ]);
    const byId = new Map(sources.map((source) => [source.id, source]));
    const page = found.rows.slice(0, wish.limit);
    const complete = isPacked ? await unpack(page) : page;
    const rows = complete.map((row) => toTarget(row, byId.get(row.source_id), wish.info));
    return { rows, total, next: found.rows.length > wish.limit ? offset + wish.limit : null };
  }

  /** Returns the query for the rows of the page, and the query for the rows to be counted. */
  async function heardBy(sources: readonly AisSource[], wish: PageWish): Promise<Heard> {
    if (wish.mode === 'all') return same(positionsOf(sources, wish));
    if (wish.end === undefined) return lastOf(sources, wish);
    // A ship that is still transmitting has been received since, so its stored last state is later than the end of the
    // period.
    const { only, aisType } = wish;
    const found = mergedLast(await lastBetween(db, sources, { ...boundsOf(wish), only, aisType }));
    const places = found.map((ship) => ({ ...ship, source_id: ship.sourceId }));
    const fixes = nameOf(wish.sort) === 'fixType' ? await unpackedOf(db, places) : [];
    return { ...same(rowsFrom(found, fixes)), isPacked: true };
  }

  /** Adds the values that packed minutes do not contain. */
  async function unpack(rows: readonly Row[]): Promise<Row[]> {
    const values = await unpackedOf(db, rows);
    return rows.map((row, index) => ({ ...row, ...values[index] }));
  }

  async function countOf(sources: readonly AisSource[], counted: RawBuilder<unknown>, search: string | undefined) {
    const rows =
      search === undefined
        ? sql`select from (${counted}) heard limit ${AIS_BADGE_MAX + 1}`
        : sql`select from (${counted}) heard left join lateral (${infoOf(sources)}) info on true
            where ${searched(search, sources)} limit ${AIS_BADGE_MAX + 1}`;
    const found = await sql<{ total: number }>`select count(*) as total from (${rows}) counted`.execute(db);
    return found.rows[0]?.total ?? 0;
  }

  async function trail(sources: readonly AisSource[], wish: Span & { mmsi: number }) {
    if (sources.length === 0) return { ...stationOf(wish.mmsi), points: [] };
    const positions = positionsBetween(sources, {
      ...{ ...boundsOf(wish), only: [wish.mmsi], lists: ['lat', 'lon', 'flags'] },
    });
    const { rows } = await sql<Pick<Row, 'lat' | 'lon' | 'time' | 'flags'>>`
      select lat, lon, time, flags from (
        select *, row_number() over (order by time) as place, count(*) over () as points
        from (${positions}) heard) numbered
      where points <= ${AIS_TRAIL_POINTS_MAX} or place = points
        or place % ceil(points::numeric / ${AIS_TRAIL_POINTS_MAX})::bigint = 0
      order by time`.execute(db);
    return { ...stationOf(wish.mmsi), points: broken(rows) };
  }

  /** Reads all rows up to a limit, for an export. This may take longer than a page. */
  async function all(sources: readonly AisSource[], wish: PageWish): Promise<AisTarget[]> {
    return db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = '60s'`.execute(tx);
      return (await aisReads(tx).page(sources, wish)).rows;
    });
  }

  async function vessels(sources: readonly AisSource[], mmsi: readonly number[]): Promise<AisVessel[]> {
    if (sources.length === 0 || mmsi.length === 0) return [];
    const { rows } = await sql<InfoRow & { mmsi: number; names: string[] | null }>`
      select heard.mmsi, info.*, (select array_agg(name order by last_time desc) from
          (select name, max(last_time) as last_time from ais_names
            where ais_names.mmsi = heard.mmsi and source_id = any (${idsOf(sources)}::integer[]) group by name) said) as names
      from unnest(${[...new Set(mmsi)]}::integer[]) as heard (mmsi)
      left join lateral (${infoOf(sources)}) info on true`.execute(db);
    return rows.map((row) => ({
      ...stationOf(row.mmsi),
      ...infoFields(row),
      formerNames: (row.names ?? []).filter((name) => name !== row.name),
    }));
  }

  return { page, all, trail, vessels };
}

const idsOf = (sources: readonly AisSource[]) => sources.map(({ id }) => id);

export type Span = { start?: number | undefined; end?: number | undefined };

/** Returns the first and last moment of a span. An open end extends to the earliest or latest possible moment. */
export const boundsOf = ({ start, end }: Span): Bounds => ({
  ...{ fromUs: start ?? 0, toUs: end ?? Number.MAX_SAFE_INTEGER },
});

export function within(span: Span): RawBuilder<boolean> {
  const { fromUs, toUs } = boundsOf(span);
  return sql`time >= ${fromUs}::bigint and time <= ${toUs}::bigint`;
}

/**
 * Queries for a page. `isPacked` means that rows come from packed minutes, which lack some values. `added` is a further
 * column that is read for the rows of the page alone.
 */
type Heard = {
  heard: RawBuilder<unknown>;
  counted: RawBuilder<unknown>;
  isPacked: boolean;
  added?: RawBuilder<unknown>;
};
const same = (heard: RawBuilder<unknown>): Heard => ({ heard, counted: heard, isPacked: false });

/** Returns queries of the newest state of each station, and of the number of sources that receive it. */
function lastOf(sources: readonly AisSource[], wish: PageWish): Heard {
  const ids = sql`${idsOf(sources)}::integer[]`;
  const isMeant = sql`source_id = any (${ids}) and ${within(wish)} and ${isOfType(wish.aisType)}
    and ${isRequested('mmsi', wish.only)}`;
  const added = sql`, (select count(*)::integer from ais_last other where other.mmsi = heard.mmsi and ${isMeant}) as sources`;
  const newest = (states: RawBuilder<unknown>) =>
    sql`select distinct on (mmsi) * from (${states}) states order by mmsi, time desc, source_id`;
  const counted = sql`select distinct mmsi from ais_last where ${isMeant}`;
  const all = sql`select * from ais_last where ${isMeant}`;
  if (wish.sort !== '-timestamp' || wish.search !== undefined)
    return { heard: newest(all), counted, isPacked: false, added };
  // Each station has at most one state per source, so this number of newest states is enough to fill the page.
  const maximum = ((wish.after ?? 0) + wish.limit + 1) * sources.length;
  const heard = newest(sql`${all} order by time desc, mmsi, source_id limit ${maximum}`);
  return { heard, counted, isPacked: false, added };
}

/** Converts last positions to rows. `fixes` lists their fix types in the same order, if known. */
function rowsFrom(
  ships: readonly (LastShip & { sources: number })[],
  fixes: readonly ({ fix_type: number | null } | undefined)[],
) {
  const each = <Key extends keyof (LastShip & { sources: number })>(key: Key) => ships.map((ship) => ship[key]);
  return sql`select *, null::smallint as turn, null::smallint as status from unnest(
    ${each('sourceId')}::integer[], ${each('mmsi')}::integer[], ${each('time')}::bigint[], ${each('lat')}::integer[],
    ${each('lon')}::integer[], ${each('sog')}::smallint[], ${each('cog')}::smallint[], ${each('heading')}::smallint[],
    ${each('messageType')}::smallint[], ${each('flags')}::smallint[], ${each('sources')}::integer[],
    ${ships.map((_, index) => fixes[index]?.fix_type ?? null)}::smallint[])
    as last (source_id, mmsi, time, lat, lon, sog, cog, heading, message_type, flags, sources, fix_type)`;
}

/** Returns a query of all positions of some stations, or of all stations. */
function positionsOf(
  sources: readonly AisSource[],
  wish: Span & Only & { aisType: AisFilter['aisType'] | undefined },
): RawBuilder<unknown> {
  const positions = positionsBetween(sources, { ...boundsOf(wish), only: wish.only });
  return sql`select *, 1 as sources from (${positions}) own where ${isOfType(wish.aisType)}`;
}

/** Returns a subquery of the static data for the station of the row `heard`: the newest value of each field. */
function infoOf(sources: readonly AisSource[]): RawBuilder<unknown> {
  const newest = (column: string) => {
    const name = sql.ref(column);
    return sql`(array_agg(${name} order by time desc) filter (where ${name} is not null))[1] as ${name}`;
  };
  const columns = ['name', 'call_sign', 'imo', 'ship_type', 'draught', 'destination', 'eta'].map(newest);
  // The four dimensions of a ship are taken from the same row, since they are sent together.
  const sizes = ['to_bow', 'to_stern', 'to_port', 'to_starboard'].map(newest);
  return sql`select ${sql.join([...columns, ...sizes])} from ais_vessels vessel
    where vessel.mmsi = heard.mmsi and vessel.source_id = any (${idsOf(sources)}::integer[])`;
}

/**
 * Condition for a search: each word must be part of a current or earlier name or of a call sign, or the beginning of an
 * MMSI or IMO number.
 */
function searched(search: string | undefined, sources: readonly AisSource[]): RawBuilder<boolean> {
  const words = (search ?? '').split(/\s+/).filter((word) => word !== '');
  const conditions = words.map((word) => {
    const pattern = partPattern(word);
    const number = /^\d{1,9}$/.test(word)
      ? sql`heard.mmsi::text like ${`${word}%`} or info.imo::text like ${`${word}%`}`
      : sql`false`;
    return sql<boolean>`(info.name ilike ${pattern} or info.call_sign ilike ${pattern} or ${number}
      or exists (select from ais_names former where former.mmsi = heard.mmsi and former.name ilike ${pattern}
        and former.source_id = any (${idsOf(sources)}::integer[])))`;
  });
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

const nameOf = (sort: PageWish['sort']) => sort.replace(/^-/, '') as AisSort;

const compared: Record<AisSort, string> = {
  sensorName: 'source_id',
  mmsi: 'mmsi',
  name: 'name',
  vesselType: 'ship_type',
  // The first three digits of a ship's MMSI identify its country.
  country: 'mmsi',
  timestamp: 'time',
  lat: 'lat',
  lon: 'lon',
  cog: 'cog',
  hdg: 'heading',
  sog: 'sog',
  fixType: 'fix_type',
};

function orderOf(sort: PageWish['sort']): RawBuilder<unknown> {
  const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc');
  return sql`${sql.ref(compared[nameOf(sort)])} ${direction} nulls last, mmsi, time desc`;
}

export function toTarget(row: Row, source: AisSource | undefined, withInfo: boolean): AisTarget {
  const country = countryOfMmsi(row.mmsi);
  const doubts = aisDoubts.filter((doubt) => (row.flags & FLAG[doubt]) !== 0);
  return {
    sensorName: source?.name ?? '',
    platformName: source?.platformName ?? null,
    securityClassification: source?.label ?? 'TOP SECRET',
    sources: row.sources,
    ...stationOf(row.mmsi),
    ...(withInfo ? infoFields(row) : noInfo),
    countryCode: withInfo ? (country?.code ?? null) : null,
    country: withInfo ? (country?.name ?? null) : null,
    timestamp: row.time,
    lat: row.lat / DEGREE_PARTS,
    lon: row.lon / DEGREE_PARTS,
    cog: row.cog === null ? null : row.cog / 10,
    hdg: row.heading,
    sog: row.sog === null ? null : row.sog / 10,
    turn: row.turn,
    status: row.status,
    messageType: row.message_type,
    fixType: row.fix_type,
    suspect: doubts.length > 0,
    suspectFor: doubts,
  };
}

const noInfo = {
  ...{ name: null, callSign: null, imo: null, shipType: null, vesselType: null, dimensions: null, draught: null },
  ...{ destination: null, eta: null },
};

function infoFields(info: InfoRow): Omit<AisVessel, 'mmsi' | 'mmsiText' | 'formerNames'> {
  const { to_bow: toBow, to_stern: toStern, to_port: toPort, to_starboard: toStarboard } = info;
  return {
    name: info.name,
    callSign: info.call_sign,
    imo: info.imo,
    shipType: info.ship_type,
    vesselType: info.ship_type === null ? null : shipTypeName(info.ship_type),
    dimensions:
      toBow === null || toStern === null
        ? null
        : { toBow, toStern, toPort: toPort ?? 0, toStarboard: toStarboard ?? 0 },
    draught: info.draught === null ? null : info.draught / 10,
    destination: info.destination,
    eta: info.eta,
  };
}

/**
 * Maximum silence within a track, in microseconds. After a longer one the track is broken, since the path in between is
 * unknown.
 */
const SILENT_US = 30 * 60_000_000;

/** Whether a position is doubtful: no line of the track is drawn to or from it. */
const isDoubtful = ({ flags }: Pick<Row, 'flags'>): boolean => (flags & (FLAG.jump | FLAG.nowhere)) !== 0;

function broken(rows: readonly Pick<Row, 'lat' | 'lon' | 'time' | 'flags'>[]) {
  const points: ({ lat: number; lon: number; timestamp: number } | null)[] = [];
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1];
    const isCut = before !== undefined && (isDoubtful(row) || isDoubtful(before) || row.time - before.time > SILENT_US);
    if (isCut) points.push(null);
    points.push({ lat: row.lat / DEGREE_PARTS, lon: row.lon / DEGREE_PARTS, timestamp: row.time });
  }
  return points;
}
