import { createSocket } from 'node:dgram';
import { encodeSentences } from '@osprey/ais';
import { apiOf } from '../../test-support/data/api.ts';
import { freeUdpPort } from '../../test-support/data/platforms.ts';
import { BENCH_PASSWORD, type BenchServer } from '../bench-server.ts';
import { treeCpuSeconds } from '../live-fanout/process-cpu.ts';

const SHIPS = 50_000;
const RECEIVERS = 10;
const PER_SECOND = 5000;
const TICK_MS = 100;
/** Number of sentences in one datagram, as concentrators send them. */
const IN_DATAGRAM = 10;
const SETTLE_MS = 5000;
const FIRST_MMSI = 300_000_000;

export type Received = { seconds: number; sent: number; stored: number; stations: number; postgresCores: number };

/**
 * Sends position reports of 50,000 ships to ten receivers, 5,000 per second, and measures the processor time that
 * PostgreSQL uses for them.
 */
export async function receive({ address, client }: BenchServer, seconds: number): Promise<Received> {
  const api = apiOf(address, { username: 'admin', password: BENCH_PASSWORD });
  const ports = await Promise.all(Array.from({ length: RECEIVERS }, freeUdpPort));
  for (const [n, port] of ports.entries()) {
    await api.send('POST', 'platforms', {
      ...{ name: `Live ${n}`, securityClassification: 1, audience: 'everyone', autostart: true },
      sensors: [{ name: 'AIS', type: 'ais', url: `udp://127.0.0.1:${port}` }],
    });
  }
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const sentences = Array.from({ length: SHIPS }, (_, n) => sentenceOf(n));
  const socket = createSocket('udp4');
  const before = treeCpuSeconds(process.pid).get('postgres') ?? 0;
  const begunMs = performance.now();
  let sent = 0;
  while (performance.now() - begunMs < seconds * 1000) {
    const due = Math.floor(((performance.now() - begunMs) * PER_SECOND) / 1000);
    for (; sent < due; sent += IN_DATAGRAM) {
      const lines = Array.from({ length: IN_DATAGRAM }, (_, n) => sentences[(sent + n) % SHIPS]);
      socket.send(`${lines.join('\r\n')}\r\n`, ports[(sent / IN_DATAGRAM) % RECEIVERS]!, '127.0.0.1');
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const tookS = (performance.now() - begunMs) / 1000;
  const cpuS = (treeCpuSeconds(process.pid).get('postgres') ?? 0) - before;
  socket.close();
  const { rows } = await client.query<{ stored: string; stations: string }>(
    'select (select count(*) from ais_positions where mmsi >= $1) as stored, (select count(*) from ais_last where mmsi >= $1) as stations',
    [FIRST_MMSI],
  );
  const { stored = '0', stations = '0' } = rows[0] ?? {};
  return { seconds, sent, stored: Number(stored), stations: Number(stations), postgresCores: cpuS / tookS };
}

const sentenceOf = (n: number): string =>
  encodeSentences({
    ...{ type: 1, repeat: 0, mmsi: FIRST_MMSI + n, latitude: 30 + (n % 1000) / 100, longitude: (n % 3000) / 100 },
    ...{ accurate: true, raim: false, sog: 10, cog: n % 360, heading: n % 360, status: 0, turn: 0, turnAtLeast: false },
    ...{ second: n % 60, positionMode: 'sensor', manoeuvre: null, radio: 0 },
  })[0]!;
