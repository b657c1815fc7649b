import type { AisReports, Filmed, Heard, ShipsInFrame } from '@osprey/contract';
import { type Sighting, unpackSightings } from '@osprey/geo';
import { beforeAll, expect } from 'vitest';
import { itWithData, testData, testDataFolder } from '../../../../../tools/test-support/test-data.ts';
import { addAisSource } from '../../../test/ais.ts';
import { addPlatform } from '../../../test/platforms.ts';
import { askAs, recordingServer } from '../../../test/recordings.ts';
import type { Subject } from '../../../test/server.ts';
import { emptyBatch, FLAG, type Position } from './batch.ts';
import { DEGREE_PARTS } from './jump.ts';
import { writeBatch } from './write.ts';

const server = await recordingServer();
const { db } = server;
/** In the middle of the picture once, never in it, in it and flagged. */
const [SEEN, AWAY, JUMPED] = [211_000_021, 211_000_022, 211_000_023];
const open = { securityClassification: 'UNCLASSIFIED' };
const FILE = 'ts/osh/sample-stream.ts';

let filmed = { missionId: '', sensorId: '' };
/** Source of a SECRET platform or mission: U2 may read its ships, U0 may not. */
let hidden = { missionId: '', sourceId: 0 };
let sightings: Sighting[] = [];
let middle: Sighting;

const ask = <T>(who: Subject, path: string) => askAs(server, who).get<T>(`/api/aistargets/${path}`);
const labelled = (missionId: string, classification: number) =>
  db.updateTable('missions').set({ classification }).where('id', '=', missionId).execute();

function positionOf(
  mmsi: number,
  timeUs: number,
  [lon, lat]: readonly [number, number],
  flags: number = FLAG.accurate,
): Position {
  return {
    ...{ mmsi, time: timeUs, lat: Math.round(lat * DEGREE_PARTS), lon: Math.round(lon * DEGREE_PARTS), flags },
    ...{ sog: 0, cog: null, heading: 30, turn: null, status: 5, messageType: 1, fixType: null },
  };
}

const centreOf = ({ corners }: Sighting): [number, number] => [
  corners.reduce((sum, [lon]) => sum + lon / 4, 0),
  corners.reduce((sum, [, lat]) => sum + lat / 4, 0),
];

beforeAll(async () => {
  if (testDataFolder === null) return;
  const { mission } = await server.record({ name: 'Filmed' }, [{ path: testData(FILE) }]);
  filmed = { missionId: mission._id, sensorId: mission.sensors[0]!._id };
  const rows = await db.selectFrom('coverage_minutes').selectAll().orderBy('minute').execute();
  sightings = rows.flatMap(({ footprints }) => unpackSightings(footprints));
  middle = sightings[sightings.length >> 1]!;
  const place = centreOf(middle);
  const heard = await server.record({ name: 'Heard', securityClassification: 'SECRET' }, {});
  await db.updateTable('missions').set({ state: 'Ready' }).where('id', '=', heard.mission._id).execute();
  hidden = {
    missionId: heard.mission._id,
    sourceId: await addAisSource(db, { platformId: null, missionId: heard.mission._id }),
  };
  const times = [-400, -90, -60, 60, 90].map((second) => middle.timeUs + second * 1e6);
  const batch = emptyBatch();
  for (const time of times) {
    batch.positions.push(
      positionOf(SEEN, time, place),
      positionOf(AWAY, time, [place[0] + 0.2, place[1]]),
      positionOf(JUMPED, time, place, FLAG.jump),
    );
  }
  const nothing = { time: middle.timeUs, callSign: null, imo: null, aidType: null, draught: null, destination: null };
  batch.vessels.set(SEEN, {
    ...{ ...nothing, mmsi: SEEN, name: 'POLARIS BAY', shipType: 70, eta: null, fixType: null, isVirtual: null },
    ...{ toBow: 6, toStern: 4, toPort: 2, toStarboard: 2 },
  });
  await writeBatch(db, {
    sourceId: hidden.sourceId,
    isMission: true,
    batch,
    made: new Set(),
    nowUs: Date.now() * 1000,
  });
});

itWithData(
  'gives the reports of ships around a picture, with the last one before and the first one after',
  async () => {
    const [lon, lat] = centreOf(middle);
    const area = `west=${lon - 0.05}&east=${lon + 0.05}&south=${lat - 0.05}&north=${lat + 0.05}`;
    const span = `&start=${middle.timeUs - 10e6}&end=${middle.timeUs + 10e6}`;
    const { body } = await ask<AisReports>('U2', `reports?${area}${span}`);
    expect(body).toMatchObject({
      heard: true,
      cut: false,
      securityClassification: 'SECRET',
      ships: [{ mmsi: SEEN, mmsiText: String(SEEN), name: 'POLARIS BAY', shipType: 70 }],
    });
    expect(body.ships[0]!.dimensions).toEqual({ toBow: 6, toStern: 4, toPort: 2, toStarboard: 2 });
    expect(body.ships[0]!.reports.map(([time]) => (time - middle.timeUs) / 1e6)).toEqual([-60, 60]);
    expect(body.ships[0]!.reports[0]!.slice(3)).toEqual([0, null, 30, null, 3]);

    // An actor who may not hear the receiver gets the answer of a server without it.
    expect((await ask('U0', `reports?${area}${span}`)).body).toEqual({ ...open, ships: [], cut: false, heard: false });
    expect((await ask('U2', `reports?${area}${span}&mission=${filmed.missionId}`)).body).toMatchObject({ ships: [] });
    expect((await ask('U0', `reports?${area}${span}&mission=${hidden.missionId}`)).status).toBe(404);
    const long = `reports?${area}&start=${middle.timeUs}&end=${middle.timeUs + 3600e6}`;
    expect((await ask('U2', long)).status).toBe(400);
  },
);

itWithData('gives what a platform hears now, recorded or not, to who may read the platform', async () => {
  const nowUs = Math.floor(Date.now() / 1000) * 1_000_000;
  const [lon, lat] = [24.9, 37.1];
  const path = `reports?west=24.8&east=25&south=37&north=37.2&start=${nowUs - 60e6}&end=${nowUs}`;
  const nothing = { ...open, ships: [], cut: false, heard: false };
  const platformId = await addPlatform(db, { audience: 'everyone', classification: 4, sensors: ['AIS'] });
  const addReport = async (mmsi: number, missionId: string | null) => {
    const sourceId = await addAisSource(db, { platformId, missionId });
    const batch = emptyBatch();
    batch.positions.push(positionOf(mmsi, nowUs - 5e6, [lon, lat]));
    await writeBatch(db, { sourceId, isMission: missionId !== null, batch, made: new Set(), nowUs: Date.now() * 1000 });
  };

  await addReport(SEEN, null);
  expect((await ask<AisReports>('U2', path)).body).toMatchObject({
    ...{ heard: true, cut: false, securityClassification: 'SECRET' },
    ships: [{ mmsi: SEEN, reports: [[nowUs - 5e6, lat, lon, 0, null, 30, null, 3]] }],
  });
  expect((await ask('U0', path)).body).toEqual(nothing);

  // While a recording runs, its platform must be readable too.
  const { mission } = await server.record({ name: 'Running' }, {});
  await db.updateTable('missions').set({ state: 'Running' }).where('id', '=', mission._id).execute();
  await addReport(AWAY, mission._id);
  const { body } = await ask<AisReports>('U2', path);
  expect(body.ships.map(({ mmsi }) => mmsi)).toEqual([SEEN, AWAY]);
  expect((await ask('U0', path)).body).toEqual(nothing);
  await db.updateTable('platforms').set({ classification: 1 }).where('id', '=', platformId).execute();
  const { body: opened } = await ask<AisReports>('U0', path);
  // The name was heard by the receiver of a mission that stays hidden.
  const ships = body.ships.map((ship) => ({ ...ship, name: null, shipType: null, dimensions: null }));
  expect(opened).toEqual({ ...open, ships, cut: false, heard: true });
});

itWithData('says which ships a mission had in frame, and when, to who may read it and hear them', async () => {
  const path = `inframe?mission=${filmed.missionId}`;
  const { body } = await ask<ShipsInFrame>('U2', path);
  expect(body).toMatchObject({ heard: true, securityClassification: 'SECRET' });
  expect(new Set(body.spans.map(({ mmsiText, name, sensorId }) => `${mmsiText} ${name} ${sensorId}`))).toEqual(
    new Set([`${SEEN} POLARIS BAY ${filmed.sensorId}`]),
  );
  expect(body.spans.some(({ from, to, sure }) => sure && from <= middle.timeUs && to >= middle.timeUs)).toBe(true);
  expect((await ask('U0', path)).body).toEqual({ ...open, spans: [], more: false, heard: false });

  await labelled(filmed.missionId, 3);
  expect((await ask('U0', path)).status).toBe(404);
  await labelled(filmed.missionId, 1);
});

itWithData(
  'says when a ship was filmed, only of missions that may be read and by receivers that may be heard',
  async () => {
    const { body } = await ask<Filmed>('U2', `filmed/${SEEN}`);
    const [span, ...others] = body.spans;
    expect(span).toMatchObject({ ...filmed, mission: 'Filmed', sure: true });
    expect(span!.from).toBeLessThanOrEqual(middle.timeUs);
    expect(span!.to).toBeGreaterThanOrEqual(middle.timeUs);
    expect(span!.first).toBeGreaterThanOrEqual(span!.from);
    expect(span!.first).toBeLessThan(span!.to);
    expect(span!.distanceM).toBeGreaterThan(10);
    for (const other of others) expect(other.to).toBeLessThanOrEqual(span!.from);
    expect((await ask<Filmed>('U2', `filmed/${AWAY}`)).body).toEqual({ ...open, spans: [], more: false });
    expect((await ask<Filmed>('U2', `filmed/${JUMPED}`)).body.spans).toEqual([]);

    // The mission may be read, the receiver not be heard.
    expect((await ask('U0', `filmed/${SEEN}`)).body).toEqual({ ...open, spans: [], more: false });
    // The receiver may be heard, the mission not be read.
    await labelled(hidden.missionId, 1);
    expect((await ask<Filmed>('U0', `filmed/${SEEN}`)).body.spans).toHaveLength(body.spans.length);
    await labelled(filmed.missionId, 3);
    const { body: none } = await ask('U0', `filmed/${SEEN}`);
    expect(none).toEqual({ ...open, spans: [], more: false });
    await labelled(filmed.missionId, 1);
    await labelled(hidden.missionId, 4);
  },
);

itWithData('moves with the sensor', async () => {
  const shift = (shift: number) => askAs(server, 'SA').post(`/api/sensors/${filmed.sensorId}/shift`, { shift });
  await shift(86_400_000_000);
  expect((await ask<Filmed>('U2', `filmed/${SEEN}`)).body.spans).toEqual([]);
  expect((await ask<ShipsInFrame>('U2', `inframe?mission=${filmed.missionId}`)).body.spans).toEqual([]);
  await shift(0);
  expect((await ask<Filmed>('U2', `filmed/${SEEN}`)).body.spans.length).toBeGreaterThan(0);
});

itWithData('says when a receiver heard anything, to users who may read it, and when there was none', async () => {
  const [from, to] = [middle.timeUs - 3600e6, middle.timeUs + 3600e6];
  const path = `/api/aissources/heard?start=${from}&end=${to}`;
  const { body } = await askAs(server, 'U2').get<Heard>(path);
  expect(body).toMatchObject({
    more: false,
    securityClassification: 'SECRET',
    receivers: [{ missionName: 'Heard', sensorName: 'AIS' }],
  });
  // The receiver heard ships 400 s before the moment, and again from 90 s before to 90 s after.
  const minutes = body.receivers[0]!.spans.map((span) => span.map((us) => Math.round((us - middle.timeUs) / 60e6)));
  expect(minutes).toHaveLength(2);
  expect(minutes[0]![1]).toBeLessThan(minutes[1]![0]!);
  expect((await askAs(server, 'U0').get(path)).body).toEqual({ ...open, receivers: [], more: false });
});
