import { addCoverageMinute, type CoverageArea, createCoverageHours, type Position, packCoverage } from '@osprey/geo';
import { expect, it } from 'vitest';
import { askAs, recordingServer } from '../../../test/recordings.ts';

const server = await recordingServer();
const { db } = server;
const DAY_US = 86_400e6;
type Who = Parameters<typeof askAs>[1];

const extentOf = async (who: Who) =>
  (await askAs(server, who).get<{ extent: number[] | null }>('/api/coverage/extent')).body.extent;

/** A recording that saw one place this many days ago. */
async function fly(name: string, [lon, lat]: Position, { daysAgo, label = 1 }: { daysAgo: number; label?: number }) {
  const hour = Math.floor((Date.now() * 1000 - daysAgo * DAY_US) / 3600e6);
  const startUs = hour * 3600e6;
  const mission = await db
    .insertInto('missions')
    .values({
      ...{ name, description: '', classification: label, marked: true, audience: 'everyone', state: 'Ready' },
      ...{ platform_name: '', platform_type: '', platform_color: '', sort_order: 0, creation_time: startUs },
      ...{ rating: 0, tags: [], place_lon: lon, place_lat: lat },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const sensor = await db
    .insertInto('sensors')
    .values({
      ...{ mission_id: mission.id, name: 'EO', description: '', type: 'video', position: 0, state: 'Ready' },
      ...{ creation_time: startUs, start_time: startUs, end_time: startUs + 60e6, index_key: name },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('coverage_sensors').values({ sensor_id: sensor.id, index_key: name, footprints: 1 }).execute();
  const corners = [
    [lon - 0.002, lat + 0.002],
    [lon + 0.002, lat + 0.002],
    [lon + 0.002, lat - 0.002],
    [lon - 0.002, lat - 0.002],
  ] as [Position, Position, Position, Position];
  const areas = new Map<number, CoverageArea>();
  const minute = createCoverageHours().minuteOf([{ timeUs: startUs, corners, platform: null }], startUs / 60e6);
  addCoverageMinute(areas, minute, 0);
  for (const [area, own] of areas) {
    const { last, runs } = packCoverage(own);
    await db
      .insertInto('coverage_seen')
      .values({ area, sensor_id: sensor.id, hour, last: Buffer.from(last), runs: Buffer.from(runs) })
      .execute();
  }
}

const holds = ([west, south, east, north]: number[], [lon, lat]: Position) =>
  lon >= west! && lon <= east! && lat >= south! && lat <= north!;

it('is that of the last 30 days, of what the account may see; a hidden mission does not change it', async () => {
  expect(await extentOf('U0')).toBeNull();

  await fly('Long-ago', [-60, -30], { daysAgo: 90 });
  expect(await extentOf('U0')).toEqual([-60, -30, -60, -30]);

  await fly('Kea', [24.3, 37.6], { daysAgo: 2 });
  const shown = (await extentOf('U0'))!;
  expect([holds(shown, [24.3, 37.6]), holds(shown, [-60, -30])]).toEqual([true, false]);
  // Some kilometres around one place, not a continent.
  expect([shown[2]! - shown[0]! < 1, shown[3]! - shown[1]! < 1]).toEqual([true, true]);

  await fly('Hidden', [10, 54], { daysAgo: 1, label: 4 });
  expect(await extentOf('U0')).toEqual(shown);
  expect(holds((await extentOf('SA'))!, [10, 54])).toBe(true);
});
