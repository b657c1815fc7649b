import type { FastifyReply } from 'fastify';
import { attachment } from '../../base/http/attachment.ts';

/** Sets the headers of a file that browsers save instead of displaying. */
export function saved(reply: FastifyReply, fileName: string): FastifyReply {
  return reply
    .header('content-disposition', attachment(fileName))
    .header('cache-control', 'private, no-store')
    .header('content-security-policy', "sandbox; default-src 'none'");
}
