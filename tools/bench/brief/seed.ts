import type pg from 'pg';

/**
 * Inserts missions `from` to `to`, spread over ten years, 30 countries, 40 tags and the land between 30 and 60 degrees
 * north.
 */
export async function seedMissions(
  client: pg.Client,
  { from, to, group }: { from: number; to: number; group: string },
) {
  await client.query(
    `with made as (
      insert into missions (name, description, classification, marked, audience, country_code, country_name, rating, tags,
        state, platform_name, platform_type, platform_color, sort_order, creation_time, start_time, end_time, place_lon, place_lat)
      select 'bench-' || n, 'Mission ' || n, 1, true, case when n % 3 = 0 then 'everyone' else 'groups' end,
        chr(65 + n % 26) || chr(65 + n % 7), 'Country ' || n % 30, n % 6, array['tag' || n % 40, 'tag' || n % 17], 'Ready',
        'Platform ' || n % 50, 'Plane', '#004dcf', 0, n * 6000000000::bigint, n * 6000000000::bigint,
        n * 6000000000::bigint + 3600000000, n % 60, 30 + n % 30
      from generate_series($1::int, $2::int) n returning id, place_lon, place_lat, start_time, end_time),
    shared as (insert into mission_usergroups (mission_id, usergroup_id) select id, $3 from made),
    sensed as (
      insert into sensors (mission_id, name, description, type, position, state, creation_time, start_time, end_time)
      select id, 'EO/IR', '', 'video', 0, 'Ready', start_time, start_time, end_time from made
      returning id, mission_id),
    filed as (
      insert into files (sensor_id, kind, name, size_bytes, storage_key, state, created)
      select id, 'ts', 'flight.ts', 1000000, 'originals/x/' || id || '.ts', 'ready', 0 from sensed)
    insert into mission_shapes (mission_id, sensor_id, aoi_mode, shape)
    select made.id, sensed.id, mode, polygon(box(point(place_lon, place_lat), point(place_lon + 0.2, place_lat + 0.2)))
    from made join sensed on sensed.mission_id = made.id,
      unnest(array['sensorArea', 'frameCenter', 'platformPath']) mode`,
    [from, to, group],
  );
  await client.query('analyze');
}
