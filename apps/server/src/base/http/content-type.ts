import { AppError } from '@osprey/contract';
import type { FastifyRequest } from 'fastify';

const accepted: Record<'json' | 'sdp', ReadonlySet<string>> = {
  json: new Set(['application/json', 'application/json; charset=utf-8']),
  sdp: new Set(['application/sdp']),
};
const formPrefix = 'multipart/form-data; boundary=';

/**
 * Checks the content type exactly, before anything is parsed, so that no odd spelling leads a body past its checks.
 * @throws AppError unsupportedMediaType
 */
export function checkContentType(request: FastifyRequest, kind: 'json' | 'form' | 'sdp'): void {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const type = headers['content-type'];
  if (!hasBody && type === undefined) return;
  const known = kind === 'form' ? type?.startsWith(formPrefix) : accepted[kind].has(type ?? '');
  // A packed body could unpack to any size.
  if (!known || headers['content-encoding'] !== undefined) throw new AppError('unsupportedMediaType');
}
