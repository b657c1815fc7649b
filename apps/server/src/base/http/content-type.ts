import { AppError } from '@osprey/contract';
import type { FastifyRequest } from 'fastify';

const accepted: Record<'json' | 'sdp', ReadonlySet<string>> = {
  json: new Set(['application/json', 'application/json; charset=utf-8']),
  sdp: new Set(['application/sdp']),
};
const formPrefix = 'multipart/form-data; boundary=';

/**
 * Checks the content type exactly, before anything is parsed, so that no unusual spelling lets a body bypass its
 * checks.
 *
 * @throws AppError unsupportedMediaType
 */
export function checkContentType(request: FastifyRequest, kind: 'json' | 'form' | 'sdp'): void {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const type = headers['content-type'];
  if (!hasBody && type === undefined) return;
  const known = kind === 'form' ? type?.startsWith(formPrefix) : accepted[kind].has(type ?? '');
  // Compressed bodies are refused, since they could expand to any size.
  if (!known || headers['content-encoding'] !== undefined) throw new AppError('unsupportedMediaType');
}
