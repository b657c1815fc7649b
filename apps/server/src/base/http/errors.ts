import { AppError, type ErrorCode } from '@osprey/contract';
import type { FastifyError, FastifyInstance } from 'fastify';
import { isDatabaseAway } from '../db/away.ts';
import { isOutOfRoom } from '../storage/space-rule.ts';
import { CutShort, NotStored } from '../storage/storage.ts';

/** Error codes for failures detected by Fastify itself, by HTTP status. */
const byStatus: Record<number, ErrorCode> = {
  400: 'invalid',
  404: 'notFound',
  413: 'bodyTooLarge',
  415: 'unsupportedMediaType',
  429: 'tooManyRequests',
  431: 'headersTooLarge',
};

/** Errors that are faults of the server although their HTTP status is below 500. */
const storageFaults: ReadonlySet<ErrorCode> = new Set(['fileMissing', 'fileDamaged']);

/** Messages of the form reader for a form that breaks off, or has no boundary. */
const brokenForm = /^Multipart: Boundary not found|unexpected end of multipart data$/i;

/**
 * Converts any failure to the error that the client receives. A null `cause` means that it is not worth a log entry.
 */
export function shownError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof NotStored) return new AppError('fileMissing', {}, error);
  if (error instanceof Error && error.name === 'IndexDamaged') return new AppError('indexDamaged', {}, error);
  if (error instanceof CutShort) return new AppError('fileDamaged', {}, error);
  const { code, statusCode, message } = error as Partial<FastifyError>;
  const known = statusCode === undefined ? undefined : byStatus[statusCode];
  if (known && code?.startsWith('FST_')) return new AppError(known);
  // SQLSTATE character_not_in_repertoire: a text containing NUL, which PostgreSQL cannot store.
  if (code === '22021') return new AppError('invalid');
  if (message !== undefined && brokenForm.test(message))
    return new AppError('invalid', { body: 'The form is broken off' });
  if (isOutOfRoom(error)) return new AppError('diskFull', {}, error);
  if (isDatabaseAway(error)) return new AppError('unavailable', {}, error);
  return new AppError('serverFault', {}, error);
}

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const shown = shownError(error);
    if ((shown.status >= 500 && shown.code !== 'notSetUp') || storageFaults.has(shown.code))
      request.log.error({ error: shown.cause ?? shown }, 'request failed');
    if (shown.values.seconds !== undefined) reply.header('retry-after', shown.values.seconds);
    if (shown.code === 'unavailable' || shown.code === 'liveStarting') reply.header('retry-after', '1');
    // Sent as plain data, since Fastify would serialise an Error object in its own shape.
    return reply.status(shown.status).type('application/json; charset=utf-8').send(JSON.stringify(shown.toJSON()));
  });
}
