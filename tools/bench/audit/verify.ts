import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { median } from '../../test-support/statistics.ts';
import type { BenchLine } from '../bench-line.ts';

const root = resolve(import.meta.dirname, '../../..');
const ROWS = 100_000;
const NODE = 'bench-verify';
const BATCH = 5000;
const PAGE = 2000;
const ROUNDS = 3;
/** Minimum speed required by T-104: 100,000 rows in two seconds. */
const LEAST_ROWS_PER_SECOND = 50_000;

/** Columns in the order in which they enter a row's hash. */
const COLUMNS = [
  ...['node', 'seq', 'time', 'monotonic', 'actor_id', 'role', 'clearance', 'session', 'address', 'action'],
  ...['item_id', 'item_label', 'groups', 'decision', 'via', 'result', 'reason'],
] as const;
const BIGINTS: ReadonlySet<string> = new Set(['seq', 'time', 'monotonic']);

type Row = Record<string, unknown>;

/**
 * Measures `npm run audit -- verify` over a chain, in rows per second, against a loop that reads and hashes the same
 * rows.
 */
export async function measureVerify(client: pg.Client, env: Record<string, string>): Promise<BenchLine> {
  await seedChain(client);
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await verifyOnce(env));
    bare.push(await hashOnce(client));
  }
  await client.query('delete from audit where node = $1', [NODE]);
  const [own, peer] = [median(ours), median(bare)].map(Math.round) as [number, number];
  return {
    name: 'audit',
    unit: 'rows/s',
    ours: own,
    peer,
    peerName: 'a loop over pg and SHA-256',
    ratio: Math.round((own / peer) * 100) / 100,
    note: `npm run audit -- verify of ${ROWS} rows`,
    failure: own < LEAST_ROWS_PER_SECOND ? `${own} rows/s, at least ${LEAST_ROWS_PER_SECOND} are asked for` : undefined,
  };
}

/** Inserts a chain as the server writes it. It must be valid, or the verifier would stop at the first row. */
async function seedChain(client: pg.Client): Promise<void> {
  let previous: Buffer = Buffer.alloc(32);
  for (let from = 1; from <= ROWS; from += BATCH) {
    const rows = Array.from({ length: BATCH }, (_none, i) => {
      const row: Row = rowOf(from + i);
      const previous_hash = previous;
      previous = hashOf(previous, row);
      return { ...row, previous_hash: `\\x${previous_hash.toString('hex')}`, hash: `\\x${previous.toString('hex')}` };
    });
    await client.query('insert into audit select * from json_populate_recordset(null::audit, $1)', [
      JSON.stringify(rows),
    ]);
  }
  await client.query('analyze audit');
}

const rowOf = (seq: number): Row => ({
  ...{ node: NODE, seq, time: seq * 1_000_000, monotonic: seq, actor_id: '00000000-0000-4000-8000-00000000000a' },
  ...{ role: 'user', clearance: 3, session: null, address: `10.0.0.${seq % 250}`, action: 'media.begin' },
  ...{ item_id: '00000000-0000-4000-8000-00000000000b', item_label: 1 + (seq % 5) },
  ...{ groups: ['00000000-0000-4000-8000-00000000000c'], decision: 'allowed', via: null, result: null, reason: null },
});

const hashOf = (previous: Buffer, row: Row): Buffer =>
  createHash('sha256')
    .update(previous)
    .update(JSON.stringify(COLUMNS.map((column) => row[column])))
    .digest();

/**
 * Runs the verification once and takes the time from the command's own output, so that process start-up does not count.
 */
async function verifyOnce(env: Record<string, string>): Promise<number> {
  const command = [join(root, 'apps/server/src/commands/audit.ts'), 'verify'];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env });
  const speed = /^The audit holds: \d+ rows, .*; (\d+) rows\/s\.$/m.exec(stdout)?.[1];
  if (speed === undefined) throw new Error(`The verification did not hold: ${stdout.slice(0, 300)}`);
  return Number(speed);
}

async function hashOnce(client: pg.Client): Promise<number> {
  const begun = performance.now();
  let previous: Buffer = Buffer.alloc(32);
  for (let after = 0; after < ROWS; after += PAGE) {
    const { rows } = await client.query<Row>('select * from audit where node = $1 and seq > $2 order by seq limit $3', [
      NODE,
      after,
      PAGE,
    ]);
    for (const row of rows) {
      for (const column of BIGINTS) row[column] = Number(row[column]);
      previous = hashOf(previous, row);
    }
    if (!previous.equals(rows.at(-1)?.hash as Buffer)) throw new Error('The chain is not as it was seeded');
  }
  return (1000 * ROWS) / (performance.now() - begun);
}
