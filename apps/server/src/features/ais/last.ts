import { AIS_LAST_HOURS, type AisType, AppError } from '@osprey/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../base/access/as-system.ts';
import { eachPacked, MINUTE_US, type MinuteShip, ROW_BYTES, shipsBetween } from './minutes.ts';
import { BASE_STATION, type Bounds, SLOT_US } from './positions.ts';
import type { AisSource } from './sources.ts';

const SPAN_US = AIS_LAST_HOURS * 3_600_000_000;
/** Maximum length of a span that is read without first counting its stations, in microseconds. */
const SHORT_US = 60 * MINUTE_US;
/**
 * Maximum number of stations in packed minutes read by one request: 24 hours of 5,000 ships, and half as many again.
 */
const PACKED_SHIPS_MAX = 11_000_000;
/** Number of minutes read by one statement: some megabytes if they are packed, else their rows. */
const MINUTES_PER_STATEMENT = 30;

type LastWish = Bounds & {
  /** MMSIs of the stations to include; all if absent. */
  only?: readonly number[] | undefined;
  aisType?: AisType | undefined;
};

/** A station at its last position received by one source. */
export type LastShip = MinuteShip & { sourceId: number };

/**
 * Reads the last position of each station between two moments, for each source that received it. Whole minutes are read
 * from their packed copies, last minute first, and from rows if there is no copy.
 *
 * @throws AppError aisSpanTooLong
 */
export async function lastBetween(db: Db, sources: readonly AisSource[], wish: LastWish): Promise<LastShip[]> {
  const isShort = wish.toUs - wish.fromUs <= SHORT_US;
  const bounds = isShort ? wish : await heardIn(db, sources, wish);
  if (bounds === null) return [];
  const { fromUs, toUs } = bounds;
  if (toUs - fromUs > SPAN_US) throw new AppError('aisSpanTooLong');
  const newest = new Map(sources.map(({ id }) => [id, new Map<number, MinuteShip>()]));
  const meant = wish.only && new Set(wish.only);
  const isMeant = (messageType: number): boolean =>
    wish.aisType === undefined || (messageType === BASE_STATION) === (wish.aisType === 'baseStations');

  function taking(sourceId: number) {
    const ships = newest.get(sourceId)!;
    return {
      requested: (mmsi: number, time: number, messageType: number) =>
        time >= fromUs &&
        time > (ships.get(mmsi)?.time ?? Number.NEGATIVE_INFINITY) &&
        isMeant(messageType) &&
        meant?.has(mmsi) !== false,
      take: (ship: MinuteShip) => void ships.set(ship.mmsi, ship),
    };
  }

  async function takeRows(own: readonly AisSource[], between: Bounds): Promise<void> {
    const inside = { fromUs: Math.max(fromUs, between.fromUs), toUs: Math.min(toUs, between.toUs) };
    for (const { sourceId, ...ship } of await shipsBetween(db, own, { ...inside, only: wish.only }, wish.aisType)) {
      const { requested, take } = taking(sourceId);
      if (requested(ship.mmsi, ship.time, ship.messageType)) take(ship);
    }
  }

  // A packed minute contains the last positions of the whole minute, so part of a minute must be read from rows.
  const last = Math.floor((toUs + 1) / MINUTE_US) - 1;
  if ((last + 1) * MINUTE_US <= toUs) await takeRows(sources, { fromUs: (last + 1) * MINUTE_US, toUs });
  const first = Math.floor(fromUs / MINUTE_US);
  if (!isShort) await refuseTooMany(db, sources, first, last);
  for (let to = last; to >= first; to -= MINUTES_PER_STATEMENT) {
    const { packed, missing } = await packedMinutes(db, sources, Math.max(first, to - MINUTES_PER_STATEMENT + 1), to);
    for (const { sourceId, minute, ships } of packed) eachPacked(ships, minute, taking(sourceId));
    if (missing.length === 0) continue;
    const minutes = missing.map(({ minute }) => minute);
    const ids = new Set(missing.map(({ sourceId }) => sourceId));
    await takeRows(
      sources.filter(({ id }) => ids.has(id)),
      { fromUs: Math.min(...minutes) * MINUTE_US, toUs: (Math.max(...minutes) + 1) * MINUTE_US - 1 },
    );
  }
  return [...newest].flatMap(([sourceId, ships]) => [...ships.values()].map((ship) => ({ ...ship, sourceId })));
}

const idsOf = (sources: readonly AisSource[]) => sources.map(({ id }) => id);

/** Returns the part of a period in which these sources received anything, in whole minutes; null if there is none. */
async function heardIn(db: Db, sources: readonly AisSource[], { fromUs, toUs }: Bounds): Promise<Bounds | null> {
  const [from, to] = [fromUs, toUs].map((us) => Math.floor(us / MINUTE_US));
  const minute = (end: 'asc' | 'desc') => sql`(select minute from ais_heard where source_id = source.id
    and minute between ${from}::integer and ${to}::integer order by minute ${sql.raw(end)} limit 1)`;
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(${minute('asc')}) as first, max(${minute('desc')}) as last
    from unnest(${idsOf(sources)}::integer[]) as source (id)`.execute(db);
  const { first = null, last = null } = rows[0] ?? {};
  if (first === null || last === null) return null;
  return { fromUs: Math.max(fromUs, first * MINUTE_US), toUs: Math.min(toUs, (last + 1) * MINUTE_US - 1) };
}

async function refuseTooMany(db: Db, sources: readonly AisSource[], from: number, to: number): Promise<void> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(octet_length(ships)), 0)::bigint as bytes from ais_minutes
    where source_id = any (${idsOf(sources)}::integer[]) and minute between ${from}::integer and ${to}::integer`.execute(
    db,
  );
  if (rows[0]!.bytes > PACKED_SHIPS_MAX * ROW_BYTES) throw new AppError('aisSpanTooLong');
}

/** Reads the packed minutes in which these sources received anything, and those that are not packed yet. */
async function packedMinutes(db: Db, sources: readonly AisSource[], from: number, to: number) {
  // The bounds are repeated for both tables, since PostgreSQL does not propagate a range across a join and would read
  // all minutes of one of them.
  const inside = (table: string) => sql`${sql.ref(`${table}.source_id`)} = any (${idsOf(sources)}::integer[])
    and ${sql.ref(`${table}.minute`)} between ${from}::integer and ${to}::integer`;
  const { rows } = await sql<{ sourceId: number; minute: number; ships: Buffer | null }>`
    select heard.source_id as "sourceId", heard.minute, packed.ships from ais_heard heard
    left join ais_minutes packed
      on packed.source_id = heard.source_id and packed.minute = heard.minute and ${inside('packed')}
    where ${inside('heard')}
    order by heard.minute desc, heard.source_id`.execute(db);
  return {
    packed: rows.flatMap(({ ships, ...place }) => (ships === null ? [] : [{ ...place, ships }])),
    missing: rows.filter(({ ships }) => ships === null),
  };
}

/**
 * Reduces the list to one entry per station: the source that received it last, and the number of sources that received
 * it.
 */
export function mergedLast(ships: readonly LastShip[]): (LastShip & { sources: number })[] {
  const merged = new Map<number, LastShip & { sources: number }>();
  for (const ship of ships) {
    const existing = merged.get(ship.mmsi);
    const sources = (existing?.sources ?? 0) + 1;
    const isNewer =
      existing === undefined ||
      ship.time > existing.time ||
      (ship.time === existing.time && ship.sourceId < existing.sourceId);
    merged.set(ship.mmsi, isNewer ? { ...ship, sources } : { ...existing, sources });
  }
  return [...merged.values()];
}

/** Values of a position that packed minutes do not contain. */
type Unpacked = { turn: number | null; status: number | null; fix_type: number | null };
type Place = { source_id: number; mmsi: number; time: number };

/** Maximum number of positions in one statement. */
const ROWS_PER_STATEMENT = 500;

/**
 * Reads the values that are not packed for some positions, in the same order; undefined for a position deleted
 * meanwhile.
 */
export async function unpackedOf(db: Db, places: readonly Place[]): Promise<(Unpacked | undefined)[]> {
  const all: (Unpacked | undefined)[] = [];
  for (let from = 0; from < places.length; from += ROWS_PER_STATEMENT) {
    const part = places.slice(from, from + ROWS_PER_STATEMENT);
    const each = (key: keyof Place) => part.map((place) => place[key]);
    const { rows } = await sql<Unpacked & { place: number }>`
      select wanted.place, found.* from unnest(${each('source_id')}::integer[], ${each('mmsi')}::integer[],
        ${each('time')}::bigint[]) with ordinality as wanted (source_id, mmsi, time, place),
      lateral (${rowAt('ais_positions')} union all ${rowAt('ais_mission_positions')}
        union all ${blockAt('ais_blocks')} union all ${blockAt('ais_mission_blocks')} limit 1) found`.execute(db);
    const byPlace = new Map(rows.map(({ place, ...values }) => [Number(place), values]));
    for (let n = 1; n <= part.length; n += 1) all.push(byPlace.get(n));
  }
  return all;
}

const rowAt = (table: string): RawBuilder<unknown> => sql`select turn, status, fix_type from ${sql.table(table)} own
  where own.source_id = wanted.source_id and own.mmsi = wanted.mmsi and own.time = wanted.time`;

/** In a block, the positions of a station are contiguous, so that the rest of the block need not be unpacked. */
const blockAt = (table: string): RawBuilder<unknown> => {
  const lists = ['after', 'turn', 'status', 'fix_type'].map(
    (name) => sql`${sql.ref(`block.${name}`)}[block.at:block.at + block.count - 1]`,
  );
  return sql`select one.turn, one.status, one.fix_type from (
      select *, array_position(own.mmsi, wanted.mmsi) as at, cardinality(array_positions(own.mmsi, wanted.mmsi)) as count
      from ${sql.table(table)} own
      where own.source_id = wanted.source_id and own.first_time <= wanted.time and own.last_time >= wanted.time
        and own.first_time > wanted.time - ${SLOT_US}::bigint and own.start_time <= wanted.time
        and own.start_time > wanted.time - ${SLOT_US}::bigint
        and own.first_mmsi <= wanted.mmsi and own.last_mmsi >= wanted.mmsi offset 0) block,
    unnest(${sql.join(lists)}) as one (after, turn, status, fix_type)
    where block.start_time + one.after = wanted.time`;
};
