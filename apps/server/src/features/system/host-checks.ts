import { statfs } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { type Kysely, sql } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import type { Items } from '../../base/items/items.ts';
import { addressesInUse } from '../../base/items/platform-facts.ts';
import { columnOf } from '../../base/items/visible.ts';
import { type SpaceLevel, spaceLevel } from '../../base/storage/space-rule.ts';
import { isListening } from '../../recorder-wire/source-address.ts';
import type { HealthCheck } from './checks.ts';

const CLOCK_WARN_MS = 2000;
const CLOCK_FAIL_MS = 60_000;

/** Advice for operators at each level. Its thresholds are those of base/storage/space-rule.ts. */
const spaceWords: Record<SpaceLevel, string> = {
  fine: '',
  warn: ' Make room: below 5 % uploads are refused.',
  noUploads: ' Uploads and imports are refused until there is room.',
  noExports: ' Uploads, exports and pictures are refused until there is room.',
  noRecording: ' Nothing is recorded any more. Make room at once.',
};

/** Health check of the free space on the volume of a folder. */
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

/** Health check of failed jobs. Jobs of items in the bin are not counted until the item is restored. */
export function jobsCheck(db: Kysely<Database>, { kinds }: Pick<Items, 'kinds'>): HealthCheck {
  const joins = kinds.flatMap(({ table, job }) =>
    job === undefined
      ? []
      : sql`left join ${sql.table(table)} on ${sql.ref(`${table}.id`)} = ${sql.ref(`jobs.${job}`)}`,
  );
  const inBin = kinds.flatMap((kind) => (kind.job === undefined ? [] : sql`${columnOf(kind, 'deleted_time')} is null`));
  return async () => {
    const { rows } = await sql<{ state: string; count: number }>`
      select jobs.state, count(*) as count from jobs ${sql.join(joins, sql` `)}
      where jobs.state in ('waiting', 'running', 'failed') and ${sql.join(inBin, sql` and `)}
      group by jobs.state`.execute(asSystem(db, 'health'));
    const of = (state: string) => rows.find((row) => row.state === state)?.count ?? 0;
    const open = `${of('running')} running, ${of('waiting')} waiting`;
    const failed = of('failed');
    if (failed === 0) return { name: 'jobs', state: 'ok', text: `No job has failed; ${open}.` };
    return {
      name: 'jobs',
      state: 'warning',
      text: `${failed} failed; ${open}. Whoever may edit their missions and documents can try them again, or cancel them.`,
    };
  };
}

/** Compares the clock of this machine with that of the database, and detects clock changes since the start. */
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
  db: Kysely<Database>;
  address: () => AddressInfo | string | null;
  tls: boolean;
  trustedProxies: readonly string[];
  /** UDP port range; null if WebRTC is off. */
  webRtcPorts: readonly [number, number] | null;
};

/** Health check that lists all ports open to other machines, for setting up a firewall. */
export function portsCheck(options: PortsOptions): HealthCheck {
  const { db, address, tls, trustedProxies, webRtcPorts } = options;
  return async () => {
    const at = address();
    if (at === null || typeof at === 'string') return { name: 'ports', state: 'warning', text: 'No port is open.' };
    const scheme = tls ? 'HTTPS and secure WebSocket' : 'HTTP and WebSocket';
    const proxy = trustedProxies.length === 0 ? '' : ` through the proxy ${trustedProxies.join(', ')}`;
    const sensors = await listeningSensors(db);
    const others = [
      ...(webRtcPorts === null ? [] : [`WebRTC on UDP ${webRtcPorts[0]}-${webRtcPorts[1]}`]),
      ...(sensors === '' ? [] : [`enabled sensors of the platform configuration (${sensors})`]),
    ];
    const rest = others.length === 0 ? 'no other open port' : others.join(', ');
    return { name: 'ports', state: 'ok', text: `${scheme} on ${at.address}:${at.port}${proxy}, ${rest}.` };
  };
}

/**
 * Counts the listeners by protocol: "2 udp, 1 srt". Port numbers are left out, since only accounts that may see the
 * platforms may know them.
 */
async function listeningSensors(db: Kysely<Database>): Promise<string> {
  const schemes = (await addressesInUse(db)).filter(isListening).map((url) => url.slice(0, url.indexOf(':')));
  return [...Map.groupBy(schemes, (scheme) => scheme)].map(([scheme, same]) => `${same.length} ${scheme}`).join(', ');
}
