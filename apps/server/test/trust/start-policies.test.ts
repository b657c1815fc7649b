import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.doUnmock('../../src/lookups/routes.ts');
  vi.doUnmock('../../src/http/docs-routes.ts');
  vi.resetModules();
});

const start = async () => (await import('../server.ts')).testServer();

describe('T-021 a server', () => {
  it('does not start while a call of the contract has no handler, and names it', async () => {
    vi.doMock('../../src/lookups/routes.ts', () => ({ lookupRoutes: () => undefined }));

    await expect(start()).rejects.toThrow(/without a handler: GET \/countryCodes, GET \/platformTypes, GET \/tags$/);
  });

  it('does not start with a route that states no policy, and names it', async () => {
    vi.doMock('../../src/http/docs-routes.ts', () => ({
      docsRoutes: (app: FastifyInstance) => app.get('/api/back-door', async () => 'open'),
    }));

    await expect(start()).rejects.toThrow('Route without a policy: GET /api/back-door');
  });

  it('starts with all of them, and every call has its route', async () => {
    const { app } = await start();
    const { contractCalls } = await import('../../src/http/calls.ts');

    for (const { call } of contractCalls()) {
      const { method, path } = call;
      expect(app.hasRoute({ method, url: `/api${path}` }), `${method} ${path}`).toBe(true);
    }
  });
});
