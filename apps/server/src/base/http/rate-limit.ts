import { AppError } from '@osprey/contract';

const KEYS_MAX = 100_000;

/** Allows at most `limit` requests per key in each window. Times are of the monotonic clock, in milliseconds. */
export function windowLimit({ limit, windowMs, nowMs }: { limit: number; windowMs: number; nowMs: () => number }) {
  const windows = new Map<string, { start: number; count: number }>();
  return {
    /** @throws AppError tooManyRequests */
    take(key: string): void {
      const now = nowMs();
      const existing = windows.get(key);
      const current = existing && now - existing.start < windowMs ? existing : { start: now, count: 0 };
      current.count += 1;
      store(windows, key, current);
      if (current.count > limit) throw tooMany(current.start + windowMs - now);
    },
  };
}

/**
 * Limits failed attempts: some are free, then each one doubles the wait. Keys contain the client's address, so that
 * nobody can lock another user's account.
 */
export function failureLimit({
  free,
  windowMs,
  waitMs,
  nowMs,
}: {
  free: number;
  windowMs: number;
  waitMs: number;
  nowMs: () => number;
}) {
  const failures = new Map<string, { count: number; last: number }>();

  function remaining(key: string): number {
    const existing = failures.get(key);
    if (existing === undefined || existing.count < free) return 0;
    const wait = Math.min(windowMs, waitMs * 2 ** (existing.count - free));
    return Math.max(0, existing.last + wait - nowMs());
  }

  return {
    /** @throws AppError tooManyRequests */
    check(key: string): void {
      const waitLeft = remaining(key);
      if (waitLeft > 0) throw tooMany(waitLeft);
    },
    failed(key: string): void {
      const now = nowMs();
      const existing = failures.get(key);
      const count = existing && now - existing.last < windowMs ? existing.count + 1 : 1;
      store(failures, key, { count, last: now });
    },
    succeeded(key: string): void {
      failures.delete(key);
    },
  };
}

/** The map is bounded: when it is full, the oldest key is removed. */
function store<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  const [oldest] = map.size >= KEYS_MAX ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}

const tooMany = (waitMs: number) => new AppError('tooManyRequests', { seconds: String(Math.ceil(waitMs / 1000)) });
