import type { CheckResult, HealthCheck } from './checks.ts';

/** What anybody may ask is looked up at most this often: a check reads folders and starts programs. */
const STRANGERS_MS = 1000;

/** All checks at once; whoever sees only whether the server is up shares a look with those who asked just before. */
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
