import type pg from 'pg';

/** Units per degree in which positions are stored; one unit is 1/600,000 of a degree. */
const PARTS = 600_000;
/** Length of a partition of the position rows, in microseconds: half an hour. */
const SLOT_US = 1_800_000_000;
/** Seconds between two reports of a ship. */
export const EVERY_S = 10;

export type Traffic = {
  /** Number of ships that each receiver receives. */
  ships: number;
  receivers: number;
  positions: number;
  /** Time of the last report, in UTC microseconds. */
  endUs: number;
};

/**
 * Inserts reports of ships in a square of 10 degrees, each reporting every 10 s to one receiver, as rows of the rolling
 * store with their last states and static data. The first ship reports four times as often, since its trail is
 * requested.
 */
export async function seed(client: pg.Client, { ships, receivers, positions, endUs }: Traffic): Promise<void> {
  const rounds = Math.ceil(positions / ships);
  const startUs = endUs - rounds * EVERY_S * 1e6;
  for (let slot = Math.floor(startUs / SLOT_US); slot <= Math.floor(endUs / SLOT_US); slot += 1) {
    await client.query('select ais_make_partition($1::bigint)', [slot * SLOT_US]);
  }
  const { rows } = await client.query<{ id: number }>(
    `with made as (insert into platforms (name, description, type, color, classification, marked, audience, priority, autostart, record, created, updated)
       select 'Receiver ' || n, '', 'Plane', '#22ccdd', 1, true, 'everyone', 5, false, '{}', 0, 0 from generate_series(1, $1::int) n
       returning id)
     insert into ais_sources (sensor_id, name, platform_id, created) select gen_random_uuid(), 'AIS', id, 0 from made
     returning id`,
    [receivers],
  );
  const ids = rows.map(({ id }) => id);
  const columns = 'source_id, mmsi, time, lat, lon, sog, cog, heading, turn, status, message_type, fix_type, flags';
  // Insert in order of time, as reports would arrive.
  const STEP = Math.max(1, Math.floor(400_000 / ships));
  for (let from = 0; from < rounds; from += STEP) {
    await client.query(
      `insert into ais_positions (${columns})
       select ($1::int[])[1 + ship % $2], 200000000 + ship, $3::bigint + round * ${EVERY_S * 1e6}::bigint + (ship * 7919 % ${EVERY_S * 1000})::bigint * 1000,
         (35 * ${PARTS} + (ship * 48271::bigint % (10 * ${PARTS})) + round * 30 % ${PARTS})::int,
         (20 * ${PARTS} + (ship * 69621::bigint % (10 * ${PARTS})) + round * 30 % ${PARTS})::int,
         100 + ship % 50, ship * 10 % 3600, ship % 360, null, 0, 1, null, 1
       from generate_series($4::int, $5::int) round, generate_series(0, $6::int - 1) ship order by round, ship * 7919 % ${EVERY_S * 1000}`,
      [ids, receivers, startUs, from, Math.min(rounds, from + STEP) - 1, ships],
    );
  }
  await client.query(
    `insert into ais_heard (source_id, minute)
     select id, minute from unnest($1::int[]) id, generate_series($2::int, $3::int) minute`,
    [ids, Math.floor(startUs / 60e6), Math.floor(endUs / 60e6)],
  );
  await client.query(`insert into ais_last (${columns}) select distinct on (source_id, mmsi) ${columns} from ais_positions
    where time > ${endUs - 3 * EVERY_S * 1e6} order by source_id, mmsi, time desc
    on conflict do nothing`);
  await client.query(
    `insert into ais_vessels (source_id, mmsi, time, name, ship_type)
     select source_id, mmsi, time, 'SHIP ' || mmsi, 70 + mmsi % 20 from ais_last on conflict do nothing`,
  );
  await client.query('vacuum analyze ais_positions, ais_last, ais_vessels, ais_heard');
}
