import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

export type IdleLimits = { idleMs: number; lookMs: number };
const LIMITS: IdleLimits = { idleMs: 60_000, lookMs: 5000 };

/** Types of small bodies, whose reader has limits of its own. */
const SMALL = /^application\/(?:json|sdp)/;

type Watched = { bytes: number; sinceMs: number };

/**
 * Closes connections whose request body has stopped arriving. Forms, uploads, imports and restores may take any time as
 * long as bytes arrive. Time during which received bytes wait to be read by the server does not count.
 */
export function endIdleBodies(app: FastifyInstance, { idleMs, lookMs }: IdleLimits = LIMITS): void {
  const open = new Map<IncomingMessage, Watched>();

  function endIdle(): void {
    const nowMs = performance.now();
    for (const [request, watched] of open) {
      const { socket, readableLength } = request;
      if (request.complete || request.readableEnded || socket.destroyed) open.delete(request);
      else if (socket.bytesRead !== watched.bytes || readableLength > 0) {
        open.set(request, { bytes: socket.bytesRead, sinceMs: nowMs });
      } else if (nowMs - watched.sinceMs >= idleMs) {
        open.delete(request);
        socket.destroy();
      }
    }
  }

  app.addHook('preParsing', async ({ raw }) => {
    if (raw.complete || SMALL.test(raw.headers['content-type'] ?? '')) return;
    const hasBody = raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0;
    if (hasBody) open.set(raw, { bytes: raw.socket.bytesRead, sinceMs: performance.now() });
  });
  app.addHook('onResponse', async ({ raw }) => void open.delete(raw));
  const timer = setInterval(endIdle, lookMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
