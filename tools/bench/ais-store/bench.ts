import { signIn } from '../../test-support/data/api.ts';
import { percentile } from '../../test-support/statistics.ts';
import type { BenchLine } from '../bench-line.ts';
import { BENCH_PASSWORD, type BenchServer, rounded, timed, withBenchServer } from '../bench-server.ts';
import { type Received, receive } from './receive.ts';
import { EVERY_S, seed } from './seed.ts';

/** Number of positions to insert, large enough to show growth; can be raised with --positions=20000000. */
const POSITIONS = 2_000_000;
/** Duration for which 5,000 positions per second are sent, in seconds; can be raised with --seconds=300. */
const SECONDS = 30;
const CORES_MAX = 0.5;
const SHIPS = 5000;
const RECEIVERS = 10;
const ROUNDS = 60;
/** Time after the end of a half hour at which it is packed, in milliseconds. */
const PACKED_MS = 26 * 60_000;
const SLOT_MS = 30 * 60_000;
const AREA = 'west=20&south=35&east=30&north=45';

/**
 * Measures the store of ships over HTTP: the map at any moment, one trail, the list, and the disk space taken by a
 * position.
 */
export const bench = (options: readonly string[]): Promise<BenchLine[]> =>
  withBenchServer('ais-store', async (server) => {
    const received = await receive(server, numberOf(options, 'seconds') ?? SECONDS);
    return [...cpuLines(received), ...(await measure(server, numberOf(options, 'positions') ?? POSITIONS))];
  });

function cpuLines({ seconds, sent, stored, stations, postgresCores }: Received): BenchLine[] {
  const note = `PostgreSQL, ${sent} positions of ${stations} ships from 10 receivers in ${seconds} s, ${stored} stored`;
  const line = limitLine(note, postgresCores, CORES_MAX, 'cores');
  return [{ ...line, failure: stored < 0.99 * sent ? `${note}: some were lost` : undefined }];
}

function numberOf(options: readonly string[], name: string): number | null {
  const text = options.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);
  return text === undefined ? null : Number(text);
}

async function measure({ address, client }: BenchServer, positions: number): Promise<BenchLine[]> {
  const headers = await signIn(address, { username: 'admin', password: BENCH_PASSWORD });
  const endUs = Math.floor(Date.now() / 60_000) * 60e6 - 60e6;
  const spanUs = Math.floor(positions / SHIPS) * EVERY_S * 1e6;
  await seed(client, { ships: SHIPS, receivers: RECEIVERS, positions, endUs });
  await untilPacked(client);
  const ask = (path: string) => timed(`${address}/api/${path}`, { headers });

  /** Moments far apart from each other, as when a user drags the time slider over a day. */
  let state = 1;
  const moment = () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return Math.round(endUs - spanUs + 7 * 60e6 + (state / 2 ** 32) * (spanUs - 8 * 60e6));
  };
  const lines: BenchLine[] = [];
  const against = async (note: string, limit: number, path: () => string) => {
    for (let n = 0; n < 3; n += 1) await ask(path());
    const all: number[] = [];
    for (let n = 0; n < ROUNDS; n += 1) all.push(await ask(path()));
    lines.push(limitLine(note, percentile(all, 0.95), limit, 'ms p95'));
  };
  const of = `of ${positions} positions of ${SHIPS} ships and ${RECEIVERS} receivers`;
  await against(`map of ${SHIPS} ships at a moment, ${of}`, 200, () => `aistargets/frame?${AREA}&time=${moment()}`);
  await against(`map of 2000 ships now, ${of}`, 50, () => 'aistargets/frame?west=20&south=35&east=24&north=45');
  await against(`trail of a day, ${of}`, 50, () => `aistargets/trail/200000007?start=${endUs - 86_400e6}&end=${endUs}`);
  await against(`100 rows of the list, ${of}`, 50, () => `aistargets?limit=100&start=${endUs - 360e6}`);
  const { rows } = await client.query<{ bytes: string; count: string; packed: string; all: string }>(
    `select (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'ais_blocks'::regclass) as bytes,
       (select sum(positions) from ais_blocks) as count,
       (select pg_total_relation_size('ais_minutes')) as packed, (select count(*) from ais_rolling) as all`,
  );
  const [{ bytes = '0', count = '1', packed = '0', all = '1' } = {}] = rows;
  const minutes = `and ${rounded(Number(packed) / Number(all))} for its packed minute`;
  const note = `a position on the disk once it is older than an hour (${count} of them) ${minutes}, ${of}`;
  lines.push(limitLine(note, Number(bytes) / Number(count), 24, 'bytes'));
  return lines;
}

/**
 * Waits until the server has packed all positions: it packs minutes every minute, and half hours every five minutes.
 */
async function untilPacked(client: BenchServer['client']): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ left: string }>(
      `select (select count(*) from ais_heard where minute < $1 and not exists (select from ais_minutes packed
           where packed.source_id = ais_heard.source_id and packed.minute = ais_heard.minute))
         + (select count(*) from ais_positions where time < $2::bigint) as left`,
      [Math.floor(Date.now() / 60_000) - 4, Math.floor((Date.now() - PACKED_MS) / SLOT_MS) * SLOT_MS * 1000],
    );
    if (Number(rows[0]?.left) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
}

const limitLine = (note: string, ours: number, limit: number, unit: string): BenchLine => ({
  ...{ name: 'ais-store', unit, ours: rounded(ours), peer: limit, peerName: 'what is asked' },
  ...{ ratio: rounded(limit / ours), note },
});
