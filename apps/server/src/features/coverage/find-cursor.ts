import { AppError } from '@osprey/contract';
import { z } from 'zod';

/**
 * Position at which a page ended. `span`: after the span of this sensor that ended at this time. `time`: the search
 * reached its time limit; all that ends later than this time has been returned.
 */
export type FindCursor = { kind: 'span'; endUs: number; sensorId: string } | { kind: 'time'; endUs: number };

const written = z.union([z.tuple([z.int(), z.uuid()]), z.tuple([z.int()])]);

export const cursorText = (cursor: FindCursor): string =>
  Buffer.from(JSON.stringify(cursor.kind === 'span' ? [cursor.endUs, cursor.sensorId] : [cursor.endUs])).toString(
    'base64url',
  );

/** Reads a cursor. @throws AppError invalid for a cursor that this server did not make */
export function readCursor(text: string): FindCursor {
  const found = written.safeParse(parsed(Buffer.from(text, 'base64url').toString()));
  if (!found.success) throw new AppError('invalid', { field: 'after', reason: 'Not the next of a page' });
  const [endUs, sensorId] = found.data;
  return sensorId === undefined ? { kind: 'time', endUs } : { kind: 'span', endUs, sensorId };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
