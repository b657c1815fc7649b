import type { FastifyRequest } from 'fastify';

/** A sender whose body was refused may finish sending for so long before the line is cut. */
const RUN_OUT_MS = 30_000;

/**
 * Reads the rest of a refused body and drops it, so that the sender gets to read the reason, and the next request on
 * the same connection does not wait for unread bytes.
 */
export function runOut({ raw }: FastifyRequest): void {
  if (raw.complete || raw.destroyed) return;
  raw.unpipe();
  raw.resume();
  const cut = setTimeout(() => raw.destroy(), RUN_OUT_MS);
  cut.unref();
  raw.once('close', () => clearTimeout(cut));
}
