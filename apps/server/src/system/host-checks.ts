import { statfs } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { type Kysely, sql } from 'kysely';
import { asSystem } from '../access/visibility.ts';
import type { Database } from '../db/schema.ts';
import { type SpaceLevel, spaceLevel } from '../storage/space-rule.ts';
import type { HealthCheck } from './checks.ts';

const CLOCK_WARN_MS = 2000;
const CLOCK_FAIL_MS = 60_000;

/** What an operator should know of each level; the thresholds are those of storage/space-rule. */
const spaceWords: Record<SpaceLevel, string> = {
  fine: '',
  warn: ' Make room: below 5 % uploads are refused.',
  noUploads: ' Uploads and imports are refused until there is room.',
  noExports: ' Uploads, exports and pictures are refused until there is room.',
  noRecording: ' Nothing is recorded any more. Make room at once.',
};

/** Free space of the volume that a folder lies on. */
export function volumeCheck(name: string, what: string, folder: string): HealthCheck {
  return async () => {
    const { bavail, blocks, bsize } = await statfs(folder);
    const freeBytes = bavail * bsize;
    const totalBytes = blocks * bsize;
    const level = spaceLevel({ freeBytes, totalBytes });
    const percent = Math.floor((100 * freeBytes) / totalBytes);
    const text = `${percent} % free for ${what}: ${gigabytes(freeBytes)} of ${gigabytes(totalBytes)}.${spaceWords[level]}`;
    return { name, state: stateOf[level], text };
  };
}

const stateOf = {
  fine: 'ok',
  warn: 'warning',
  noUploads: 'failed',
  noExports: 'failed',
  noRecording: 'failed',
} as const;
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(bytes < 1e10 ? 1 : 0)} GB`;

export function jobsCheck(db: Kysely<Database>): HealthCheck {
  return async () => {
    const rows = await asSystem(db, 'health')
      .selectFrom('jobs')
      .select(['state', sql<number>`count(*)`.as('count')])
      .where('state', 'in', ['waiting', 'running', 'failed'])
      .groupBy('state')
      .execute();
    const of = (state: string) => rows.find((row) => row.state === state)?.count ?? 0;
    const open = `${of('running')} running, ${of('waiting')} waiting`;
    const failed = of('failed');
    if (failed === 0) return { name: 'jobs', state: 'ok', text: `No job has failed; ${open}.` };
    return {
      name: 'jobs',
      state: 'warning',
      text: `${failed} failed; ${open}. Try the failed ones again, or cancel them.`,
    };
  };
}

/** This machine's clock beside that of the database, and whether it was set since the start. */
export function clockCheck(db: Kysely<Database>): HealthCheck {
  const startedAt = Date.now() - performance.now();
  return async () => {
    const before = Date.now();
    const { rows } = await sql<{ ms: number }>`
      select extract(epoch from clock_timestamp())::double precision * 1000 as ms`.execute(db);
    const after = Date.now();
    const offsetMs = Math.round((rows[0]?.ms ?? after) - (before + after) / 2);
    const jumpMs = Math.round(Date.now() - performance.now() - startedAt);
    const worst = Math.max(Math.abs(offsetMs), Math.abs(jumpMs));
    const facts = `${signed(offsetMs)} ms to the clock of the database, moved by ${signed(jumpMs)} ms since the start`;
    if (worst < CLOCK_WARN_MS) return { name: 'clock', state: 'ok', text: `The clock is steady: ${facts}.` };
    const text = `The clock is off or was set: ${facts}. Check the time service of the machine.`;
    return { name: 'clock', state: worst < CLOCK_FAIL_MS ? 'warning' : 'failed', text };
  };
}

const signed = (value: number) => (value < 0 ? `−${-value}` : `${value}`);

export type PortsOptions = {
  address: () => AddressInfo | string | null;
  tls: boolean;
  trustedProxies: readonly string[];
};

export function portsCheck({ address, tls, trustedProxies }: PortsOptions): HealthCheck {
  return async () => {
    const at = address();
    if (at === null || typeof at === 'string') return { name: 'ports', state: 'warning', text: 'No port is open.' };
    const scheme = tls ? 'https and wss' : 'http and ws';
    const proxy = trustedProxies.length === 0 ? '' : ` behind the proxy ${trustedProxies.join(', ')}`;
    return {
      name: 'ports',
      state: 'ok',
      text: `${at.address} port ${at.port} for ${scheme}${proxy}; nothing else listens for others.`,
    };
  };
}
