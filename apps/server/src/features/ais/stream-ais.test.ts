import { createSocket } from 'node:dgram';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AisTarget, KlvHealth } from '@osprey/contract';
import { expect, it } from 'vitest';
import { aisServer, asked, cameraWithAis, reportOf, staticOf } from '../../../test/ais.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { recordingServer } from '../../../test/recordings.ts';
import type { TestServer } from '../../../test/server.ts';

const SHIP = 211_000_021;
const START = Date.UTC(2026, 5, 1, 12) * 1000;

const targets = async (server: TestServer, query: string) =>
  (await asked(server, 'U0', `aistargets${query}`)).body as AisTarget[];

it('AIS on a private data PID of a recording is the ship source of its sensor, dated by its clock and named in its health', async () => {
  const server = await recordingServer({ jobs: ['ingest'] });
  const folder = await mkdtemp(join(tmpdir(), 'osprey-stream-ais-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const sentences = (second: number) => [
    reportOf({ mmsi: SHIP, latitude: 37 + second / 10_000, longitude: 24 }),
    ...(second === 0 ? staticOf(SHIP, 'POLARIS BAY') : []),
  ];
  const path = join(folder, 'flight.ts');
  await writeFile(path, cameraWithAis({ startUs: START, seconds: 4, sentences }));
  const { mission } = await server.record(
    { name: 'SEA', securityClassification: 'UNCLASSIFIED', audience: 'everyone' },
    [{ path }],
  );

  const rows = await targets(server, `?mission=${mission._id}&mode=all&sort=timestamp`);
  expect(rows.map(({ mmsi, name, timestamp }) => [mmsi, name, Math.round((timestamp - START) / 1e5) / 10])).toEqual(
    [0, 1, 2, 3].map((second) => [SHIP, 'POLARIS BAY', second + 0.5]),
  );
  const sources = await asked(server, 'U0', 'aissources');
  expect(sources.body).toMatchObject({ missions: [{ _id: mission._id, name: 'SEA' }] });
  const sensor = mission.sensors[0]!._id;
  const health = (await asked(server, 'U0', `sensors/klv-health/${mission._id}/${sensor}`)).body as KlvHealth;
  expect(health.findings).toContainEqual({
    severity: 'good',
    text: 'flight.ts: AIS on PID 300 (6 sentences); its ships are those of this sensor.',
  });
});

it('AIS on a private data PID of a live stream is the ship source of that camera, and counted in its state', async () => {
  const { server, ports } = await aisServer([{ name: 'OSP-21', camera: true }]);
  const stream = cameraWithAis({
    ...{ startUs: Date.now() * 1000, seconds: 3 },
    sentences: (second) => [reportOf({ mmsi: SHIP, latitude: 37 + second / 10_000, longitude: 24 })],
  });
  const socket = createSocket('udp4');
  for (let at = 0; at < stream.length; at += 1316) {
    await new Promise<void>((resolve) =>
      socket.send(stream.subarray(at, at + 1316), ports[0]!, '127.0.0.1', () => resolve()),
    );
    if (at % 13_160 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  }
  socket.close();
  await expect
    .poll(async () =>
      (await targets(server, '')).map(({ mmsi, sensorName, platformName }) => [mmsi, sensorName, platformName]),
    )
    .toEqual([[SHIP, 'EO', 'OSP-21']]);
  const { receivers } = (await asked(server, 'U0', 'aissources')).body as { receivers: object[] };
  expect(receivers).toMatchObject([{ sensorName: 'EO', platformName: 'OSP-21' }]);
  const source = () => [...server.coordination.mirror.sources()][0];
  await expect.poll(source).toMatchObject({ ais: { sentences: 3, checksumFaults: 0 } });
});
