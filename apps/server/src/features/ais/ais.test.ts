import { type AisFrame, type AisTarget, readAisFrame } from '@osprey/contract';
import { expect, it } from 'vitest';
import { aisServer, asked, reportOf, sendSentences, staticOf, stationOf } from '../../../test/ais.ts';
import { type EventSocket, eventSockets } from '../../../test/event-sockets.ts';

/** Recorded by others (gpsd, dma): a class A ship, and the two parts of its static data. */
const POSITION = '!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C';
const SHIP = 477553000;
const STATIC = [
  '!AIVDM,2,1,3,B,55P5TL01VIaAL@7WKO@mBplU@<PDhh000000001S;AJ::4A80?4i@E53,0*3E',
  '!AIVDM,2,2,3,B,1@0000000000000,2*55',
];
const NAMED = 369190000;

const list = async (server: Parameters<typeof asked>[0], who: Parameters<typeof asked>[1], query = '') => {
  const { total, body } = await asked(server, who, `aistargets?count=1${query}`);
  return { total, rows: body as AisTarget[] };
};

it('Sentences that a platform receives are in the list with position, flag and source; U0 learns nothing of what a secret platform heard (T-048)', async () => {
  const { server, ports } = await aisServer([{ name: 'HARBOUR' }, { name: 'QUIET', label: 'SECRET' }]);
  const [open = 0, secret = 0] = ports;

  await sendSentences(open, [POSITION]);
  await expect.poll(async () => (await list(server, 'U0')).total).toBe('1');
  const before = await list(server, 'U0');
  expect(before.rows[0]).toMatchObject({
    ...{ mmsi: SHIP, sensorName: 'AIS', platformName: 'HARBOUR', sources: 1, name: null, sog: 0, cog: 51, hdg: 181 },
    ...{ countryCode: 'HK', lat: expect.closeTo(47.5828, 3), lon: expect.closeTo(-122.3458, 3), suspect: false },
  });
  const trail = await asked(server, 'U0', `aistargets/trail/${SHIP}`);
  const { lat, lon, timestamp } = before.rows[0]!;
  expect(trail.body).toEqual({ mmsi: SHIP, mmsiText: String(SHIP), points: [{ lat, lon, timestamp }] });

  // The same ship, and another one with its name, are heard by a platform that U0 may not see.
  await sendSentences(secret, [POSITION, ...STATIC, POSITION]);
  await expect.poll(async () => (await list(server, 'U2')).rows[0]?.sources).toBe(2);
  expect(await list(server, 'U0')).toEqual(before);
  expect(await asked(server, 'U0', `aistargets/trail/${SHIP}`)).toEqual(trail);
  expect((await list(server, 'U0', '&mode=all')).total).toBe('1');
  expect((await list(server, 'U2', '&mode=all')).total).toBe('3');
  const receivers = (await asked(server, 'U0', 'aissources')).body as { receivers: { platformName: string }[] };
  expect(receivers.receivers.map(({ platformName }) => platformName)).toEqual(['HARBOUR']);
  const names = await server.db.selectFrom('ais_vessels').select(['mmsi', 'name']).execute();
  expect(names).toEqual([{ mmsi: NAMED, name: expect.any(String) }]);
});

it('Only superAdmin and admin delete ships, and only those of receivers that they may hear', async () => {
  const { server, ports } = await aisServer([{ name: 'HARBOUR' }, { name: 'QUIET', label: 'SECRET' }]);
  await sendSentences(ports[0]!, [POSITION]);
  await sendSentences(ports[1]!, [POSITION]);
  await expect.poll(async () => (await list(server, 'SA', '&mode=all')).total).toBe('2');
  const remove = (who: 'A2' | 'GA' | 'U1') => server.asUser(who).inject({ method: 'DELETE', url: '/api/aistargets' });

  expect((await remove('U1')).statusCode).toBe(403);
  expect((await remove('GA')).statusCode).toBe(403);
  expect((await asked(server, 'A2', 'aistargets/span')).body).toMatchObject({ stations: 1, positions: 1 });
  expect((await remove('A2')).json()).toEqual({ message: 'Ais targets deleted' });
  // A2 is cleared for RESTRICTED: what the secret platform heard is still there.
  expect((await list(server, 'A2')).total).toBe('0');
  expect((await list(server, 'SA', '&mode=all')).total).toBe('1');
  const audited = await server.db.selectFrom('audit').where('action', '=', 'ais.delete').select('result').execute();
  expect(audited.map(({ result }) => result)).toContain('1 positions');
});

it('Vessel info is deleted by superAdmin and admin alone, that of receivers that they may hear', async () => {
  const { server, ports } = await aisServer([{ name: 'HARBOUR' }, { name: 'QUIET', label: 'SECRET' }]);
  const [open, secret] = [211_000_005, 211_000_006];
  await sendSentences(ports[0]!, [reportOf({ mmsi: open, latitude: 37, longitude: 24 }), ...staticOf(open, 'OPEN')]);
  await sendSentences(ports[1]!, [
    reportOf({ mmsi: secret, latitude: 36, longitude: 25 }),
    ...staticOf(secret, 'QUIET'),
  ]);
  const names = async () => (await list(server, 'SA', '&sort=mmsi')).rows.map(({ name }) => name);
  await expect.poll(names).toEqual(['OPEN', 'QUIET']);
  const remove = (who: 'A2' | 'GA' | 'U1') => server.asUser(who).inject({ method: 'DELETE', url: '/api/vesselinfo' });

  for (const who of ['U1', 'GA'] as const) expect((await remove(who)).statusCode, who).toBe(403);
  expect(await names()).toEqual(['OPEN', 'QUIET']);
  expect((await remove('A2')).json()).toEqual({ message: 'Vessel Info deleted' });
  // A2 is cleared for RESTRICTED; positions stay.
  expect(await names()).toEqual([null, 'QUIET']);
  const targets = await server.asUser('SA').inject({ method: 'DELETE', url: '/api/aistargets' });
  expect([targets.statusCode, await names()]).toEqual([200, []]); // S2-511
});

it('Ships have name, type and flag, and are read by mode, type and span', async () => {
  const { server, ports } = await aisServer([{ name: 'HARBOUR' }]);
  const [ship, station] = [211_000_005, 2_110_001];
  await sendSentences(ports[0]!, [
    reportOf({ mmsi: ship, latitude: 37, longitude: 24 }),
    reportOf({ mmsi: ship, latitude: 37.001, longitude: 24 }),
    ...staticOf(ship, 'OPEN'),
    stationOf(station),
  ]);
  await expect.poll(async () => (await list(server, 'U0', '&info=1')).rows[0]?.name).toBe('OPEN');
  await expect.poll(async () => (await list(server, 'U0', '&mode=all')).total).toBe('2');

  const [row] = (await list(server, 'U0', '&info=1')).rows;
  expect(row).toMatchObject({ name: 'OPEN' }); // S2-269
  expect(row).toMatchObject({ vesselType: 'Cargo' }); // S2-270
  expect(row).toMatchObject({ countryCode: 'DE', country: 'Germany' }); // S2-271
  const [bare] = (await list(server, 'U0', '&info=0')).rows;
  expect(bare).toMatchObject({ mmsi: ship, name: null, vesselType: null }); // S2-279

  const totals = async (query: string) => (await list(server, 'U0', query)).total;
  const from = row!.timestamp - 60e6;
  expect([
    await totals(`&mode=last&aisType=vessels&info=1&start=${from}`),
    await totals(`&mode=all&aisType=vessels&start=${from}`),
    await totals(`&mode=last&aisType=baseStations&start=${from}`),
    await totals(`&mode=all&start=${from - 60e6}&end=${from}`),
  ]).toEqual(['1', '2', '1', '0']); // S2-283 S2-300 S2-523
});

it('Each page gets the ships of its part of the map once a second, those of receivers alone that it may hear', async () => {
  const { server, ports } = await aisServer([{ name: 'HARBOUR' }, { name: 'QUIET', label: 'SECRET' }]);
  const sockets = eventSockets(server, await server.listen());
  const [open, cleared] = [await sockets.connected('U0'), await sockets.connected('U2')];
  const area = { west: 20, south: 30, east: 30, north: 40 };
  for (const { socket } of [open, cleared]) socket.emit('AisView', { area, minutes: 6, mission: null });
  const shown = (page: EventSocket) => (lastFrame(page)?.ships ?? []).map(({ mmsi }) => mmsi).sort();

  await sendSentences(ports[0]!, [
    reportOf({ mmsi: 211_000_001, latitude: 37, longitude: 24 }),
    ...staticOf(211_000_001, 'OPEN'),
    reportOf({ mmsi: 211_000_002, latitude: 50, longitude: 1 }),
  ]);
  await sendSentences(ports[1]!, [reportOf({ mmsi: 211_000_003, latitude: 36, longitude: 25 })]);
  await expect.poll(() => shown(cleared)).toEqual([211_000_001, 211_000_003]);
  await expect.poll(() => shown(open)).toEqual([211_000_001]);
  await expect.poll(() => lastFrame(open)?.ships[0]).toMatchObject({ shipType: 70, sog: 10, cog: 90, heading: 91 });

  // A station that none of their receivers heard is unknown to them.
  const known = (who: 'U0' | 'U2') => asked(server, who, 'aistargets/vessels?mmsi=211000001,211000003');
  expect((await known('U0')).body).toEqual((await known('U2')).body);
  expect((await known('U0')).body).toContainEqual(expect.objectContaining({ mmsi: 211_000_001, name: 'OPEN' }));
  sockets.closeAll();
});

const lastFrame = (page: EventSocket): AisFrame | null =>
  readAisFrame((page.named('aisFrame').at(-1)?.payload as Buffer | undefined) ?? Buffer.alloc(0));

it('A ship is found by a name that it had before, by IMO and call sign, and a map shows where it was', async () => {
  const { server, ports } = await aisServer([{ name: 'HARBOUR' }]);
  const ship = 211_000_004;
  await sendSentences(ports[0]!, [
    reportOf({ mmsi: ship, latitude: 37, longitude: 24 }),
    ...staticOf(ship, 'OLD NAME', 9_301_234),
    ...staticOf(ship, 'NEW NAME'),
  ]);
  const found = async (word: string) => (await list(server, 'U0', `&search=${word}`)).rows.map(({ name }) => name);
  await expect.poll(() => found('NEW')).toEqual(['NEW NAME']);
  for (const word of ['old%20name', '9301', 'dabc', '2110000']) expect(await found(word), word).toEqual(['NEW NAME']);
  expect(await found('nobody')).toEqual([]);

  const [{ timestamp = 0 } = {}] = (await list(server, 'U0')).rows;
  const at = async (time: number) => {
    const url = `/api/aistargets/frame?west=20&south=30&east=30&north=40&time=${time}`;
    const { rawPayload } = await server.asUser('U0').inject({ method: 'GET', url });
    return readAisFrame(rawPayload)?.ships.map(({ mmsi }) => mmsi);
  };
  expect(await at(timestamp + 1e6)).toEqual([ship]);
  expect(await at(timestamp - 1e6)).toEqual([]);
});
