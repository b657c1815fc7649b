import { encodeSentences } from '@osprey/ais';
import type { AisRange } from '@osprey/contract';
import { destination } from '@osprey/geo';
import { expect, it } from 'vitest';
import { aisServer, asked, reportOf, sendSentences } from '../../../test/ais.ts';
import { askAs } from '../../../test/recordings.ts';
import type { Subject, TestServer } from '../../../test/server.ts';

const HARBOUR = { lat: 37.5, lon: 24.25 };
const [NEAR, FAR, NORTH] = [211_000_001, 211_000_002, 211_000_003];

const shipAt = (mmsi: number, bearing: number, metres: number): string => {
  const { lat, lon } = destination(HARBOUR, bearing, metres);
  return reportOf({ mmsi, latitude: lat, longitude: lon });
};

async function rangeOf(server: TestServer, who: Subject, sensor: string) {
  const { status, body } = await asked(server, who, `aissources/${sensor}/range`);
  return { status, range: body as AisRange };
}

const heard = ({ days: [day] }: AisRange) =>
  (day?.sectors ?? []).flatMap((ship, sector) =>
    ship === null ? [] : [[sector, Number(ship.mmsiText), Math.round(ship.metres / 1000)]],
  );

async function sensorOf(server: TestServer, platform: string): Promise<string> {
  const row = await server.db
    .selectFrom('platform_sensors')
    .innerJoin('platforms', 'platforms.id', 'platform_id')
    .where('platforms.name', '=', platform)
    .select('platform_sensors.id')
    .executeTakeFirstOrThrow();
  return row.id;
}

it('the farthest ship of each 10 degrees and day is kept once the place of the receiver is set, and only who hears it sees that', async () => {
  const { server, ports } = await aisServer([{ name: 'HARBOUR', label: 'RESTRICTED' }]);
  const [port = 0] = ports;
  const sensor = await sensorOf(server, 'HARBOUR');
  const url = `/api/aissources/${sensor}/place`;
  expect((await askAs(server, 'U1').put(url, HARBOUR)).status).toBe(403);
  expect((await askAs(server, 'SA').put(url, { lat: 91, lon: 0 })).status).toBe(400);
  expect((await askAs(server, 'SA').put(`/api/aissources/${crypto.randomUUID()}/place`, HARBOUR)).status).toBe(404);
  expect((await rangeOf(server, 'SA', sensor)).range).toMatchObject({ place: null, days: [] });
  expect((await askAs(server, 'SA').put(url, HARBOUR)).status).toBe(200);

  await sendSentences(port, [shipAt(NEAR, 214, 8000), shipAt(FAR, 216, 30_000), shipAt(NEAR, 218, 12_000)]);
  await sendSentences(port, [shipAt(NORTH, 4, 20_000), shipAt(NORTH + 1, 95, 1_400_000)]);
  await expect
    .poll(async () => heard((await rangeOf(server, 'U1', sensor)).range))
    .toEqual([
      [0, NORTH, 20],
      [21, FAR, 30],
    ]);
  const { range } = await rangeOf(server, 'U1', sensor);
  expect(range).toMatchObject({ place: { ...HARBOUR, origin: 'hand' }, securityClassification: 'RESTRICTED' });
  expect((await rangeOf(server, 'U0', sensor)).status).toBe(404);

  // Deleted positions are in no plot.
  await server.asUser('SA').inject({ method: 'DELETE', url: '/api/aistargets' });
  expect((await rangeOf(server, 'U1', sensor)).range.days).toEqual([]);
  await sendSentences(port, [shipAt(NORTH, 4, 10_000)]);
  await expect.poll(async () => heard((await rangeOf(server, 'U1', sensor)).range)).toEqual([[0, NORTH, 10]]);
  // Another place: distances from the one before mean nothing.
  await askAs(server, 'SA').put(url, { lat: 38, lon: 24 });
  expect((await rangeOf(server, 'U1', sensor)).range.days).toEqual([]);
});

it('a receiver that says its own place by VDO is measured from there', async () => {
  const { server, ports } = await aisServer([{ name: 'PATROL' }]);
  const sensor = await sensorOf(server, 'PATROL');
  const own = encodeSentences(
    {
      ...{ type: 1, repeat: 0, mmsi: 211_000_099, latitude: HARBOUR.lat, longitude: HARBOUR.lon, accurate: true },
      ...{ raim: false, sog: 0, cog: 0, heading: 0, status: 0, turn: 0, turnAtLeast: false, second: 1 },
      ...{ positionMode: 'sensor', manoeuvre: null, radio: 0 },
    },
    { own: true },
  );
  await sendSentences(ports[0]!, [...own, shipAt(FAR, 125, 25_000)]);
  await expect.poll(async () => heard((await rangeOf(server, 'U0', sensor)).range)).toEqual([[12, FAR, 25]]);
  expect((await rangeOf(server, 'U0', sensor)).range.place).toMatchObject({ origin: 'receiver' });
});
