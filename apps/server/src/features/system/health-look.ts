import type { CheckResult, HealthCheck } from './checks.ts';

/** Public requests are answered by checks at most this often: a check reads folders and starts programs. */
const STRANGERS_MS = 1000;

/**
 * Runs all health checks at once. Accounts that see only whether the server is up share the result of recent requests.
 */
export function healthLook({ checks, nowMs }: { checks: readonly HealthCheck[]; nowMs: () => number }) {
  let latest: { atMs: number; results: Promise<CheckResult[]> } | null = null;

  function fresh(): Promise<CheckResult[]> {
    const look = { atMs: nowMs(), results: Promise.all(checks.map((check) => check())) };
    latest = look;
    return look.results;
  }

  return {
    fresh,
    shared: (): Promise<CheckResult[]> =>
      latest !== null && nowMs() - latest.atMs < STRANGERS_MS ? latest.results : fresh(),
  };
}
