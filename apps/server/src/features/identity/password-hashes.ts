import { createHmac, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '@osprey/contract';

/** Parameters of argon2id according to trust.md: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const QUEUE_MAX = 64;
const CACHED_MS = 60_000;
const CACHED_MAX = 10_000;

export type PasswordHashes = ReturnType<typeof passwordHashes>;

/**
 * Hashes passwords. Hashing is slow by design, so at most half of the cores work on it; further requests wait in a
 * bounded queue.
 */
export function passwordHashes({ nowMs }: { nowMs: () => number }) {
  const atOnce = Math.max(1, Math.floor(availableParallelism() / 2));
  const waiting: (() => void)[] = [];
  let busy = 0;
  /** Passwords verified shortly before, fingerprinted with a key that exists only in this process. */
  const cached = new Map<string, number>();
  const cacheKey = randomBytes(32);
  // Hash to compare with if the name is unknown, so that unknown and known names take the same time.
  const dummyHash = hash(randomBytes(16), COST);

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (busy >= atOnce) {
      if (waiting.length >= QUEUE_MAX) throw new AppError('unavailable');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      busy += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  }

  const fingerprint = (stored: string, password: string) =>
    createHmac('sha256', cacheKey).update(stored).update('\0').update(password).digest('base64');

  function remember(key: string): void {
    const [oldest] = cached.size >= CACHED_MAX ? cached.keys() : [];
    if (oldest !== undefined) cached.delete(oldest);
    cached.set(key, nowMs() + CACHED_MS);
  }

  return {
    hash: (password: string): Promise<string> => inTurn(() => hash(password, COST)),

    /**
     * Verifies a password. Takes the same time for an account without a password or for no account (null), so that the
     * time reveals nothing.
     */
    async verify(stored: string | null, password: string): Promise<boolean> {
      const key = stored === null ? null : fingerprint(stored, password);
      if (key !== null && (cached.get(key) ?? 0) > nowMs()) return true;
      const right = await inTurn(async () => verify(stored ?? (await dummyHash), password));
      if (!right || key === null) return false;
      remember(key);
      return true;
    },
  };
}
