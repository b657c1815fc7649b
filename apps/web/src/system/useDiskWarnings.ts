import type { HealthCheck } from '@osprey/contract';
import { useChecks } from './useChecks.ts';

/**
 * Polling interval in milliseconds. A minute is enough, since disks do not fill faster, and every page of an admin
 * polls.
 */
const POLL_MS = 60_000;
/** Checks of the health page that concern free space. */
const DISKS: ReadonlySet<string> = new Set(['disk', 'database disk']);

const none: readonly string[] = [];

/** Returns the server's warnings about disks with little free space, for accounts that may see them. */
export function useDiskWarnings(enabled: boolean): readonly string[] {
  return useChecks({ enabled, everyMs: POLL_MS, select: warningsOf }) ?? none;
}

const warningsOf = (checks: readonly HealthCheck[]): readonly string[] =>
  checks.filter(({ name, state }) => DISKS.has(name) && state !== 'ok').map(({ text }) => text);
