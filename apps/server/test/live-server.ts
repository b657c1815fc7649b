import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { pino } from 'pino';
import { expect } from 'vitest';
import { readConfig } from '../src/base/config/config.ts';
import { composeRecorder } from '../src/compose/recorder.ts';
import { atEnd } from './cleanup.ts';
import { uploadPlatforms } from './platforms.ts';
import { type TestServer, testServer } from './server.ts';

export type LiveServer = Awaited<ReturnType<typeof liveServer>>;

/**
 * Api and recorder as main.ts runs them, in one process, with platforms of one camera each that sends to a UDP port of
 * its own; `ports` and `sensors` are in the order of the names.
 */
export async function liveServer(names: readonly string[]) {
  const server = await testServer();
  const address = await server.listen();
  const config = { ...readConfig({ OSPREY_DATA: server.dataDir }), sourceAllow: ['127.0.0.0/8'] };
  const log = pino({ level: process.env.OSPREY_TEST_LOG ?? 'silent' });
  const recorder = await composeRecorder({ config, log, onEnd: () => undefined });
  await recorder.start();
  atEnd(recorder.close);
  const ports = await freeUdpPorts(names.length);
  const sensors = await configure(server, names, ports);
  return { server, address, ports, sensors };
}

async function freeUdpPorts(count: number): Promise<number[]> {
  const sockets = Array.from({ length: count }, () => createSocket('udp4').bind(0, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'listening')));
  const ports = sockets.map((socket) => socket.address().port);
  await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.close(resolve))));
  return ports;
}

async function configure(server: TestServer, names: readonly string[], ports: readonly number[]): Promise<string[]> {
  const platforms = names.map(
    (name, n) => `  - name: ${name}
    securityClassification: UNCLASSIFIED
    audience: everyone
    autostart: true
    sensors:
      - { name: EO, url: "udp://127.0.0.1:${ports[n]}" }
`,
  );
  const text = `platforms:\n${platforms.join('')}`;
  const answer = await uploadPlatforms(server, text);
  expect(answer.json()).toMatchObject({ valid: true });
  const rows = await server.db
    .selectFrom('platform_sensors')
    .innerJoin('platforms', 'platforms.id', 'platform_sensors.platform_id')
    .select(['platform_sensors.id', 'platforms.name'])
    .execute();
  return names.map((name) => rows.find((row) => row.name === name)!.id);
}
