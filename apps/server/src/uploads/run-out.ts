import type { FastifyRequest } from 'fastify';

/** A sender whose body was refused may finish sending for so long before the line is cut. */
const RUN_OUT_MS = 30_000;

/**
 * Lets the rest of a refused body run out, so that the sender gets to read why, and the next request on the same line
 * is not kept waiting behind bytes that nobody reads.
 */
export function runOut({ raw }: FastifyRequest): void {
  if (raw.complete || raw.destroyed) return;
  raw.unpipe();
  raw.resume();
  const cut = setTimeout(() => raw.destroy(), RUN_OUT_MS);
  cut.unref();
  raw.once('close', () => clearTimeout(cut));
}
