import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { docsPage } from './docs-page.ts';
import { openApi } from './openapi.ts';

/** Serves the API contract for programs and people. It discloses nothing about the server's data. */
export function docsRoutes(app: FastifyInstance): void {
  let description: string | null = null;

  app.route({
    method: 'GET',
    url: '/api/openapi.json',
    config: { policy: 'public.use' },
    handler: async (_request, reply) => {
      description ??= JSON.stringify(openApi());
      return reply.type('application/json; charset=utf-8').send(description);
    },
  });

  app.route({
    method: 'GET',
    url: '/api/docs',
    config: { policy: 'public.use' },
    handler: async (_request, reply) => {
      const nonce = randomBytes(16).toString('base64');
      return reply
        .header('content-security-policy', `default-src 'none'; style-src 'nonce-${nonce}'; frame-ancestors 'none'`)
        .type('text/html; charset=utf-8')
        .send(docsPage(nonce));
    },
  });
}
