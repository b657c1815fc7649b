import { deepStrictEqual } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '@osprey/contract';
import pg from 'pg';
import { databaseRoot } from '../../test-support/memory-folder.ts';
import { median } from '../../test-support/statistics.ts';
import { type BenchLine, belowGoal } from '../bench-line.ts';
import { rounded } from '../bench-server.ts';
import { seedCase } from './seed.ts';
import { type Db, EARLIER, earlierVersion, ownVersion, type Version } from './versions.ts';

const PARTS = 500;
const WARM_UP = 20;
const ROUNDS = 100;
/** Minimum ratio; 5 % is within the noise of the machine. */
const GOAL = 0.95;

const actor: Actor = {
  ...{ id: crypto.randomUUID(), username: 'reader', role: 'user', clearance: 'RESTRICTED' },
  ...{ groups: [], administered: [] },
};

/** Lists a case's parts by way of the features' contents, compared with the single query of the version before that. */
export async function bench(): Promise<BenchLine[]> {
  const folder = mkdtempSync(join(tmpdir(), 'osprey-bench-cases-'));
  const cluster = join(databaseRoot(), `osprey-bench-cases-${process.pid}`);
  const [own, earlier] = [await ownVersion(), await earlierVersion(folder)];
  const server = await own.startPostgres({ folder: cluster });
  const open: Db[] = [];
  const clients: pg.Client[] = [];
  const database = (name: string, { connect }: Version): Db => {
    const db = connect({ url: server.url(name), statementTimeoutMs: 60_000 });
    open.push(db);
    return db;
  };
  const clientOf = async (name: string): Promise<pg.Client> => {
    const client = new pg.Client(server.url(name));
    await client.connect();
    clients.push(client);
    return client;
  };
  try {
    const maintenance = await clientOf('postgres');
    await maintenance.query('create database earlier');
    const filling = earlier.connect({ url: server.url('earlier'), statementTimeoutMs: 60_000 });
    await earlier.migrate(filling);
    const client = await clientOf('earlier');
    const caseId = await seedCase(filling, client, PARTS);
    await filling.destroy();
    await client.end();
    await maintenance.query('create database ours template earlier');
    const [ours, theirs] = [database('ours', own), database('earlier', earlier)];
    await own.migrate(ours);
    for (const name of ['ours', 'earlier']) await (await clientOf(name)).query('vacuum analyze');
    const files = join(folder, 'files');
    const sides = [
      { name: 'ours', read: own.partsOf(ours, files), spent: [] as Spent[] },
      { name: 'earlier', read: earlier.partsOf(theirs, files), spent: [] as Spent[] },
    ] as const;
    const [listed, before] = [await sides[0].read(actor, caseId), await sides[1].read(actor, caseId)];
    if (listed.length !== PARTS) throw new Error(`${listed.length} of ${PARTS} parts are listed`);
    deepStrictEqual(listed, before);
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      for (const { name, read, spent } of round % 2 === 0 ? sides : sides.toReversed()) {
        const one = await spentOn(await backendsOf(maintenance, name), () => read(actor, caseId));
        if (round >= 0) spent.push(one);
      }
    }
    return (['ms', 'cpuMs'] as const).map((figure) => {
      const [mine, other] = sides.map(({ spent }) => spent.map((one) => one[figure])) as [number[], number[]];
      const ratio = median(mine.map((one, at) => other[at]! / one));
      return {
        ...{ name: 'cases', unit: figure === 'ms' ? 'ms' : 'ms of the processors' },
        ...{ ours: rounded(median(mine)), peer: rounded(median(other)), ratio: rounded(ratio) },
        peerName: `one query, commit ${EARLIER}`,
        note: `${PARTS} parts of seven kinds listed, medians of ${ROUNDS} pairs`,
        failure: belowGoal(ratio, GOAL),
      };
    });
  } finally {
    for (const db of open) await db.destroy();
    for (const client of clients) await client.end().catch(() => undefined);
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
    rmSync(cluster, { recursive: true, force: true });
  }
}

type Spent = { ms: number; cpuMs: number };

async function backendsOf(client: pg.Client, database: string): Promise<number[]> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
    [database],
  );
  return rows.map(({ pid }) => pid);
}

/** Measures the wall-clock time of a call, and the processor time that this process and the database spent on it. */
async function spentOn(pids: readonly number[], call: () => Promise<unknown>): Promise<Spent> {
  const [cpu, backends, begun] = [process.cpuUsage(), onProcessorMs(pids), performance.now()];
  await call();
  const ms = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000 + onProcessorMs(pids) - backends };
}

/** Returns the total processor time of these processes, in milliseconds. */
const onProcessorMs = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6, 0);
