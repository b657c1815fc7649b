import type { CheckResult, HealthCheck } from './checks.ts';

/**
 * Minimum interval between two runs of the checks for public requests, in milliseconds, since checks read folders and
 * start programs.
 */
const STRANGERS_MS = 1000;

/** Runs all health checks in parallel. Accounts that only see whether the server is up share recent results. */
export function healthLook({ checks, nowMs }: { checks: readonly HealthCheck[]; nowMs: () => number }) {
  let latest: { atMs: number; results: Promise<CheckResult[]> } | null = null;

  function fresh(): Promise<CheckResult[]> {
    const current = { atMs: nowMs(), results: Promise.all(checks.map((check) => check())) };
    latest = current;
    return current.results;
  }

  return {
    fresh,
    shared: (): Promise<CheckResult[]> =>
      latest !== null && nowMs() - latest.atMs < STRANGERS_MS ? latest.results : fresh(),
  };
}
