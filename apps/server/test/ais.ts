import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { encodeSentences } from '@osprey/ais';
import { encodeSt0601 } from '@osprey/klv';
import { createMuxer } from '@osprey/mpegts';
import type { Insertable, Kysely } from 'kysely';
import { pino } from 'pino';
import { expect } from 'vitest';
import { readConfig } from '../src/base/config/config.ts';
import type { Database } from '../src/base/db/schema.ts';
import { composeRecorder } from '../src/compose/recorder.ts';
import { atEnd } from './cleanup.ts';
import { uploadPlatforms } from './platforms.ts';
import { type Subject, type TestServer, type TestServerOptions, testServer } from './server.ts';
import { picture } from './transport.ts';

/** `camera`: its sensor is a camera whose stream brings AIS in private data. */
export type AisPlatform = { name: string; label?: string; audience?: string; camera?: true };

/** Sends sentences as a receiver does, one a datagram. */
export async function sendSentences(port: number, sentences: readonly string[]): Promise<void> {
  const socket = createSocket('udp4');
  for (const sentence of sentences) {
    await new Promise<void>((resolve, reject) =>
      socket.send(`${sentence}\r\n`, port, '127.0.0.1', (error) => (error ? reject(error) : resolve())),
    );
  }
  await new Promise<void>((resolve) => socket.close(resolve));
}

/** Api and recorder in one process, with a platform of one AIS receiver each; `ports` in the order of the platforms. */
export async function aisServer(requested: readonly AisPlatform[], options: TestServerOptions = {}) {
  const server = await testServer(options);
  const config = { ...readConfig({ OSPREY_DATA: server.dataDir }), sourceAllow: ['127.0.0.0/8'] };
  const log = pino({ level: process.env.OSPREY_TEST_LOG ?? 'silent' });
  const recorder = await composeRecorder({ config, log, onEnd: () => undefined });
  await recorder.start();
  atEnd(recorder.close);
  const ports = await freePorts(requested.length);
  const platforms = requested.map(
    ({ name, label = 'UNCLASSIFIED', audience = 'everyone', camera }, n) => `  - name: ${name}
    securityClassification: ${label}
    audience: ${audience}
    autostart: true
    sensors:
      - { name: ${camera ? 'EO' : 'AIS, type: ais'}, url: "udp://127.0.0.1:${ports[n]}" }
`,
  );
  const answer = await uploadPlatforms(server, `platforms:\n${platforms.join('')}`);
  expect(answer.json()).toMatchObject({ valid: true });
  await expect.poll(() => receiving(server)).toBe(requested.length);
  return { server, ports };
}

/** Sources that the recorder has opened. */
const receiving = (server: TestServer): number =>
  [...server.coordination.mirror.sources()].filter(({ on, error }) => on && error === null).length;

async function freePorts(count: number): Promise<number[]> {
  const sockets = Array.from({ length: count }, () => createSocket('udp4').bind(0, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'listening')));
  const ports = sockets.map((socket) => socket.address().port);
  await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.close(resolve))));
  return ports;
}

/** A camera's stream of 10 pictures a second with telemetry of these times, and sentences of AIS on PID 300 each second. */
export function cameraWithAis({ startUs, seconds, sentences }: CameraWithAis): Buffer {
  const written: Uint8Array[] = [];
  const muxer = createMuxer({
    streams: [
      { pid: 256, kind: 'h264' },
      { pid: 257, kind: 'klvAsync' },
      { pid: 300, kind: 'other', streamType: 0x06 },
    ],
    write: (bytes) => written.push(bytes.slice()),
  });
  for (let n = 0; n < seconds * 10; n += 1) {
    const ptsTicks = 900_000 + n * 9000;
    muxer.unit({ pid: 256, ptsTicks, keyframe: n % 10 === 0, bytes: picture(n % 10 === 0, 200) });
    const set = encodeSt0601({ '2': startUs + n * 100_000, '13': 37.5, '14': 24.5, '65': 17 });
    muxer.unit({ pid: 257, ptsTicks, bytes: set });
    const lines = n % 10 === 5 ? sentences((n - 5) / 10) : [];
    if (lines.length > 0) {
      muxer.unit({ pid: 300, ptsTicks: null, dtsTicks: ptsTicks, bytes: Buffer.from(`${lines.join('\r\n')}\r\n`) });
    }
  }
  muxer.end();
  return Buffer.concat(written);
}
type CameraWithAis = { startUs: number; seconds: number; sentences: (second: number) => readonly string[] };

/** Answer to a GET of this user, with the headers of lists. */
export async function asked(server: TestServer, who: Subject, path: string) {
  const answer = await server.asUser(who).inject({ method: 'GET', url: `/api/${path}` });
  return { status: answer.statusCode, total: answer.headers['x-total-count'], body: answer.json() as unknown };
}

/** A place where AIS was heard, as rows alone. */
export async function addAisSource(
  db: Kysely<Database>,
  requested: { platformId: string | null; missionId?: string | null; name?: string },
): Promise<number> {
  const { id } = await db
    .insertInto('ais_sources')
    .values({
      sensor_id: crypto.randomUUID(),
      name: requested.name ?? 'AIS',
      platform_id: requested.platformId,
      mission_id: requested.missionId ?? null,
      created: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A ship list for everyone, UNCLASSIFIED and nobody's own, with these ships, unless `fields` say else. */
export async function addShipList(
  db: Kysely<Database>,
  fields: Partial<Insertable<Database['ship_lists']>> = {},
  { groups = [], ships = [] }: { groups?: readonly string[]; ships?: readonly number[] } = {},
): Promise<string> {
  const row = {
    ...{ name: 'list', colour: null, classification: 1, audience: 'everyone' as const, owner_id: null },
    ...{ owner: 'somebody', created: 0, changed: 0, deleted_time: null },
    ...fields,
  };
  const { id } = await db.insertInto('ship_lists').values(row).returning('id').executeTakeFirstOrThrow();
  const links = groups.map((usergroup_id) => ({ shiplist_id: id, usergroup_id }));
  if (links.length > 0) await db.insertInto('ship_list_usergroups').values(links).execute();
  const listed = ships.map((mmsi) => ({ shiplist_id: id, mmsi }));
  if (listed.length > 0) await db.insertInto('ship_list_ships').values(listed).execute();
  return id;
}

type Report = { mmsi?: number; latitude: number; longitude: number; sog?: number; cog?: number; timeUs?: number };

/** A position report of a class A ship as one sentence. */
export function reportOf({ mmsi = 211_000_001, latitude, longitude, sog = 10, cog = 90, timeUs }: Report): string {
  const [sentence = ''] = encodeSentences(
    {
      ...{ type: 1, repeat: 0, mmsi, latitude, longitude, accurate: true, raim: false, sog, cog, heading: 91 },
      ...{ status: 0, turn: 0, turnAtLeast: false, second: 30, positionMode: 'sensor', manoeuvre: null, radio: 0 },
    },
    timeUs === undefined ? {} : { timeUs },
  );
  return sentence;
}

/** Static and voyage data of a class A ship, in its two sentences. */
export const staticOf = (mmsi: number, name: string, imo: number | null = null): string[] =>
  encodeSentences({
    ...{ type: 5, repeat: 0, mmsi, aisVersion: 2, imo, callSign: 'DABC', name, shipType: 70, fixType: 1, eta: null },
    ...{ draught: 7.5, destination: 'KEA', dataTerminal: true },
    dimensions: { toBow: 100, toStern: 20, toPort: 8, toStarboard: 10, length: 120, beam: 18, referenceKnown: true },
  });

/** A report of a base station, in the harbour of Kea. */
export function stationOf(mmsi: number): string {
  const place = { latitude: 37.66, longitude: 24.32, accurate: true, raim: false };
  const [sentence = ''] = encodeSentences({
    ...{ type: 4, repeat: 0, mmsi, ...place, timeUs: null, fixType: 1, longRange: false, radio: 0 },
  });
  return sentence;
}
