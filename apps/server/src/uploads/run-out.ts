import type { FastifyRequest } from 'fastify';

/** Time for which a sender whose body was refused may continue to send before its connection is closed. */
const RUN_OUT_MS = 30_000;

/**
 * Reads and drops the rest of a refused body, so that the sender can read the reason, and unread bytes do not block the
 * next request on the connection.
 */
export function runOut({ raw }: FastifyRequest): void {
  if (raw.complete || raw.destroyed) return;
  raw.unpipe();
  raw.resume();
  const cut = setTimeout(() => raw.destroy(), RUN_OUT_MS);
  cut.unref();
  raw.once('close', () => clearTimeout(cut));
}
