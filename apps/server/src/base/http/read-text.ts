import type { Readable } from 'node:stream';
import { AppError } from '@osprey/contract';

export type TextLimits = {
  maxBytes: number;
  /** Time limit for a body: `baseMs`, plus `perKibMs` for each KiB received. */
  baseMs: number;
  perKibMs: number;
  /** Called for each piece; a return value of false aborts the reading. */
  accepts?(bytes: Uint8Array): boolean;
};

export const TEXT_LIMITS: Pick<TextLimits, 'maxBytes' | 'baseMs' | 'perKibMs'> = {
  maxBytes: 1024 * 1024,
  baseMs: 10_000,
  perKibMs: 1000,
};

/**
 * Reads the whole body of a request as UTF-8.
 *
 * @param announced the Content-Length; null if absent
 * @throws AppError bodyTooLarge, bodyTooSlow, or invalid if it is refused or its length differs from the announced one
 */
export async function readText(body: Readable, announced: number | null, limits: TextLimits): Promise<string> {
  // If only a lower limit of this call is exceeded, the body is still read up to that limit, so that excessive nesting
  // is reported first.
  if (announced !== null && announced > Math.max(limits.maxBytes, TEXT_LIMITS.maxBytes))
    throw new AppError('bodyTooLarge');
  const begunMs = performance.now();
  const chunks: Buffer[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      function checkDeadline(): void {
        const leftMs = begunMs + limits.baseMs + (size / 1024) * limits.perKibMs - performance.now();
        if (leftMs <= 0) reject(new AppError('bodyTooSlow'));
        else timer = setTimeout(checkDeadline, leftMs);
      }
      body.on('data', (piece: Buffer) => {
        size += piece.length;
        if (size > limits.maxBytes) reject(new AppError('bodyTooLarge'));
        else if (limits.accepts?.(piece) === false) reject(new AppError('invalid', { body: 'It nests too deep' }));
        else chunks.push(piece);
      });
      body.once('end', resolve);
      body.once('error', () => reject(new AppError('invalid')));
      body.once('close', () => reject(new AppError('invalid')));
      checkDeadline();
    });
  } finally {
    clearTimeout(timer);
    body.removeAllListeners('data');
    body.pause();
  }
  if (announced !== null && announced !== size) throw new AppError('invalid');
  return Buffer.concat(chunks).toString('utf8');
}

/** The Content-Length of a request. */
export function announcedLength({
  'content-length': length,
}: {
  'content-length'?: string | undefined;
}): number | null {
  return length === undefined ? null : Number(length);
}
