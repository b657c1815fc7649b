import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Api, apiOf, signIn } from '../test-support/data/api.ts';
import { mainScript } from '../test-support/product.ts';
import { median, percentile } from '../test-support/statistics.ts';
import type { BenchLine } from './bench-line.ts';

/** Number of measurements: enough that the slowest twentieth is more than a brief disturbance of the machine. */
const ROUNDS = 120;
const WARM_UP = 5;
/**
 * Number of calls before a measurement, since a newly started server becomes faster with each of its first few hundred
 * calls.
 */
const PAGE_WARM_UP = 300;

/** Maximum time of a list, as a multiple of the bare route with the same rows. */
const TIMES_MAX = 3;
/** Maximum time of a page of the larger list, as a multiple of the same page of the smaller list. */
const GROWTH_MAX = 2;

export const BENCH_PASSWORD = 'bench-of-the-lists-1';
const ADMIN = { username: 'admin', password: BENCH_PASSWORD };
export const ADMIN_BASIC = `Basic ${btoa(`admin:${BENCH_PASSWORD}`)}`;

export type BenchServer = {
  /** Addresses of the product (`address`) and of the bare route (`peer`). */
  address: string;
  peer: string;
  /** Database connection for inserting test rows. */
  client: pg.Client;
  /** Environment variables for commands that use the same database. */
  env: Record<string, string>;
};

/**
 * Starts the product as users do, with its own new database or with `databaseUrl`, and a bare node:http route over the
 * same rows.
 */
export async function withBenchServer<Result>(
  name: string,
  work: (server: BenchServer) => Promise<Result>,
  options: { databaseUrl?: string } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), `osprey-bench-${name}-`));
  const own = process.getuid?.() === 0 ? `/var/lib/osprey/bench-${process.pid}` : join(folder, 'postgres');
  const database: Record<string, string> = options.databaseUrl
    ? { OSPREY_DATABASE_URL: options.databaseUrl }
    : { OSPREY_DATABASE_DIR: own };
  const env = { PATH: process.env.PATH ?? '', OSPREY_DATA: folder, ...database };
  const server = spawn(process.execPath, [mainScript()], {
    env: { ...env, OSPREY_PORT: '0', OSPREY_ADMIN_PASSWORD: BENCH_PASSWORD },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let plain: ChildProcess | null = null;
  try {
    const address = await readyAddress(server);
    const databaseUrl = options.databaseUrl ?? urlOf(own);
    const client = new pg.Client(databaseUrl);
    await client.connect();
    plain = fork(join(import.meta.dirname, 'plain-route.ts'), [databaseUrl]);
    const [port] = (await once(plain, 'message')) as [number];
    try {
      return await work({ address, peer: `http://127.0.0.1:${port}`, client, env });
    } finally {
      await client.end();
    }
  } finally {
    plain?.kill();
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
    rmSync(own, { recursive: true, force: true });
  }
}

async function readyAddress(server: ChildProcess): Promise<string> {
  let said = '';
  for await (const part of server.stdout!) {
    said += String(part);
    const address = /Osprey is ready: (\S+)/.exec(said)?.[1];
    if (address) return address.replace('localhost', '127.0.0.1');
  }
  throw new Error(`The server did not start: ${said}`);
}

/** Returns the URL of the database cluster that the server has just started, from the files that it wrote. */
function urlOf(folder: string): string {
  const password = readFileSync(join(folder, 'password'), 'utf8').trim();
  const [, , , port, socketFolder] = readFileSync(join(folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n');
  const host = encodeURIComponent(socketFolder || '127.0.0.1');
  return `postgres://postgres:${encodeURIComponent(password)}@${host}:${port}/osprey`;
}

/** Returns the time until a complete answer has been received, in milliseconds. */
export async function timed(url: string, options: RequestInit): Promise<number> {
  const begun = performance.now();
  const answer = await fetch(url, options);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status}: ${text.slice(0, 300)}`);
  return performance.now() - begun;
}

export async function times(ask: () => Promise<number>): Promise<number[]> {
  for (let round = 0; round < PAGE_WARM_UP; round += 1) await ask();
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) all.push(await ask());
  return all;
}

type Compared = { name: string; note: string; ours: () => Promise<number>; plain: () => Promise<number> };

/** Measures our call and the bare route alternately, so that both run under the same conditions. */
export async function againstPlain({ name, note, ours, plain }: Compared): Promise<BenchLine> {
  const own: number[] = [];
  const bare: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const [a, b] = [await ours(), await plain()];
    if (round < 0) continue;
    own.push(a);
    bare.push(b);
  }
  const [p95, peer95] = [percentile(own, 0.95), percentile(bare, 0.95)];
  const failed = p95 > TIMES_MAX * peer95;
  return {
    name,
    unit: 'ms p95',
    ours: rounded(p95),
    peer: rounded(peer95),
    peerName: 'node:http with plain SQL',
    ratio: rounded(peer95 / p95),
    note: `${note}; medians ${rounded(median(own))} and ${rounded(median(bare))} ms`,
    failure: failed ? `${note}: ${rounded(p95 / peer95)} times the bare route, at most ${TIMES_MAX}` : undefined,
  };
}

export type ListFilter = { name: string; query: string; statement: string; values: unknown[] };

/**
 * An account that requests a list, logged in as a page would be: either the superAdmin, who sees everything, or an
 * account whose rights exclude some rows.
 */
export type Caller = { name: string; headers: Record<string, string> };

/** Adds an account other than the superAdmin, as the second caller of a list. */
export async function callerOf(
  { address }: Pick<BenchServer, 'address'>,
  name: string,
  rights: Parameters<Api['addUser']>[1],
): Promise<Caller> {
  const { username, password } = await apiOf(address, ADMIN).addUser('caller', rights);
  return { name, headers: await signIn(address, { username, password }) };
}

type List = {
  name: string;
  /** Plural noun for the rows, used in notes: "accounts". */
  rows: string;
  /** Address of the list, without query parameters. */
  url: string;
  /**
   * Caller other than the superAdmin. `filters`: statements that find the same rows as this caller sees, if plain SQL
   * would find others.
   */
  caller: Caller & { filters?: readonly ListFilter[] };
  /** Inserts the rows with numbers from `from` to `to`. */
  seed: (from: number, to: number) => Promise<void>;
  small: number;
  large: number;
  filters: readonly ListFilter[];
  /** Queries that have the same number of matching rows at both sizes. */
  grown: readonly string[];
  peer: string;
};

/**
 * Measures a list at two sizes: each filter against a bare route at the larger size, and a page against the same page
 * at the smaller size.
 */
export async function measureList({ name, rows, url, caller, seed, small, large, filters, grown, peer }: List) {
  const callers = [
    { filters, name: 'superAdmin', headers: await signIn(new URL(url).origin, ADMIN) },
    { filters, ...caller },
  ];
  const ours = (query: string, { headers }: Caller) => timed(`${url}?limit=100&${query}`, { headers });
  const pages = callers.flatMap((own) => grown.map((query) => ({ own, query })));
  await seed(1, small);
  const before: number[] = [];
  for (const { own, query } of pages) before.push(median(await times(() => ours(query, own))));
  await seed(small + 1, large);

  const lines: BenchLine[] = [];
  for (const own of callers) {
    for (const filter of own.filters) {
      const body = JSON.stringify({ statement: filter.statement, values: filter.values });
      lines.push(
        await againstPlain({
          name,
          note: `${filter.name}: 100 of ${large} ${rows}, as ${own.name}`,
          ours: () => ours(filter.query, own),
          plain: () => timed(peer, { method: 'POST', body }),
        }),
      );
    }
  }
  for (const [at, { own, query }] of pages.entries()) {
    const largeMs = median(await times(() => ours(query, own)));
    // Omit the id of a group, which means nothing to the reader.
    const asked = query.replace(/=[0-9a-f-]{36}$/, '') || 'a page of 100';
    const note = `${asked} out of ${large} ${rows}, as ${own.name}`;
    lines.push(grownPage({ name, note, largeMs, smallMs: before[at]!, small }));
  }
  return lines;
}

type Grown = { name: string; note: string; largeMs: number; smallMs: number; small: number };

/** Compares a page of the larger list with the same page of the list with `small` rows. */
export function grownPage({ name, note, largeMs, smallMs, small }: Grown): BenchLine {
  const growth = rounded(largeMs / smallMs);
  return {
    name,
    unit: 'ms',
    ours: rounded(largeMs),
    peer: rounded(smallMs),
    peerName: `the same page out of ${small}`,
    ratio: rounded(smallMs / largeMs),
    growth,
    note,
    failure: growth > GROWTH_MAX ? `${note}: ${growth} times the smaller list, at most ${GROWTH_MAX}` : undefined,
  };
}

export const rounded = (value: number): number => Math.round(value * 100) / 100;
