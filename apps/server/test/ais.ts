import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { encodeSentences } from '@osprey/ais';
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import { expect } from 'vitest';
import { readConfig } from '../src/base/config/config.ts';
import type { Database } from '../src/base/db/schema.ts';
import { composeRecorder } from '../src/compose/recorder.ts';
import { atEnd } from './cleanup.ts';
import { uploadPlatforms } from './platforms.ts';
import { type Subject, type TestServer, type TestServerOptions, testServer } from './server.ts';

export type AisPlatform = { name: string; label?: string; audience?: string };

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
export async function aisServer(wanted: readonly AisPlatform[], options: TestServerOptions = {}) {
  const server = await testServer(options);
  const config = { ...readConfig({ OSPREY_DATA: server.dataDir }), sourceAllow: ['127.0.0.0/8'] };
  const log = pino({ level: process.env.OSPREY_TEST_LOG ?? 'silent' });
  const recorder = await composeRecorder({ config, log, onEnd: () => undefined });
  await recorder.start();
  atEnd(recorder.close);
  const ports = await freePorts(wanted.length);
  const platforms = wanted.map(
    ({ name, label = 'UNCLASSIFIED', audience = 'everyone' }, n) => `  - name: ${name}
    securityClassification: ${label}
    audience: ${audience}
    autostart: true
    sensors:
      - { name: AIS, type: ais, url: "udp://127.0.0.1:${ports[n]}" }
`,
  );
  const answer = await uploadPlatforms(server, `platforms:\n${platforms.join('')}`);
  expect(answer.json()).toMatchObject({ valid: true });
  await expect.poll(() => receiving(server)).toBe(wanted.length);
  return { server, ports };
}

/** Sources that the recorder has opened. */
const receiving = (server: TestServer): number =>
  [...server.coordination.mirror.sources()].filter(({ ais, on, error }) => ais !== undefined && on && error === null)
    .length;

async function freePorts(count: number): Promise<number[]> {
  const sockets = Array.from({ length: count }, () => createSocket('udp4').bind(0, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'listening')));
  const ports = sockets.map((socket) => socket.address().port);
  await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.close(resolve))));
  return ports;
}

/** Answer of a GET, with the headers of lists. */
export async function asked(server: TestServer, who: Subject, path: string) {
  const answer = await server.asUser(who).inject({ method: 'GET', url: `/api/${path}` });
  return { status: answer.statusCode, total: answer.headers['x-total-count'], body: answer.json() as unknown };
}

/** A place where AIS was heard, as rows alone. */
export async function addAisSource(
  db: Kysely<Database>,
  wanted: { platformId: string | null; missionId?: string | null; name?: string },
): Promise<number> {
  const { id } = await db
    .insertInto('ais_sources')
    .values({
      sensor_id: crypto.randomUUID(),
      name: wanted.name ?? 'AIS',
      platform_id: wanted.platformId,
      mission_id: wanted.missionId ?? null,
      created: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
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
