import type { FastifyReply } from 'fastify';
import { attachment } from '../../base/http/attachment.ts';

/** Headers of a file that a browser saves, and never shows in its place. */
export function saved(reply: FastifyReply, fileName: string): FastifyReply {
  return reply
    .header('content-disposition', attachment(fileName))
    .header('cache-control', 'private, no-store')
    .header('content-security-policy', "sandbox; default-src 'none'");
}
