import { type Action, listTags } from '@osprey/contract';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.doUnmock('../../src/features/lookups/routes.ts');
  vi.doUnmock('../../src/base/http/docs-routes.ts');
  vi.doUnmock('../../src/base/http/app.ts');
  vi.resetModules();
});

const start = async () => (await import('../server.ts')).testServer();

describe('T-021 a server', () => {
  it('does not start while a call of the contract has no handler, and names it', async () => {
    vi.doMock('../../src/features/lookups/routes.ts', () => ({ lookupRoutes: () => undefined }));

    await expect(start()).rejects.toThrow(/without a handler: GET \/countryCodes, GET \/platformTypes, GET \/tags$/);
  });

  it('does not start with a route that states no policy, and names it', async () => {
    vi.doMock('../../src/base/http/docs-routes.ts', () => ({
      docsRoutes: (app: FastifyInstance) => app.get('/api/back-door', async () => 'open'),
    }));

    await expect(start()).rejects.toThrow('Route without a policy: GET /api/back-door');
  });

  it('does not start with a route whose action the table of items does not know, and names both', async () => {
    vi.doMock('../../src/features/lookups/routes.ts', async (original) => {
      const { callRoute } = await import('../../src/base/http/call-route.ts');
      const { lookupRoutes } = await original<typeof import('../../src/features/lookups/routes.ts')>();
      return {
        lookupRoutes: (deps: Parameters<typeof lookupRoutes>[0]) => {
          const flown = { ...listTags, path: '/missions/flown', action: 'mission.fly' as Action };
          callRoute(deps, flown, async () => []);
        },
      };
    });

    await expect(start()).rejects.toThrow('Route with an unknown policy: GET /api/missions/flown by mission.fly');
  });

  it('serves the calls of the contract, the page, the manual, the description, the counters and the tus doors, each by its policy', async () => {
    const served: Record<string, string | undefined> = {};
    vi.doMock('../../src/base/http/app.ts', async (original) => {
      const { createApp, ...rest } = await original<typeof import('../../src/base/http/app.ts')>();
      const watched = async (options: Parameters<typeof createApp>[0]) => {
        const app = await createApp(options);
        app.addHook('onRoute', ({ method, url, config }) => {
          for (const one of [method].flat()) served[`${one} ${url}`] = config?.policy;
        });
        return app;
      };
      return { ...rest, createApp: watched };
    });
    await start();
    const { contractCalls } = await import('../../src/base/http/calls.ts');

    const calls = contractCalls().map(({ call }) => call);
    const upload = ['POST /api/uploads', 'HEAD /api/uploads/:id', 'PATCH /api/uploads/:id', 'DELETE /api/uploads/:id'];
    const imports = ['POST /api/imports', 'HEAD /api/imports/:id', 'PATCH /api/imports/:id'];
    const open = [
      '/*',
      ...['/help/contents.json', '/help/find.json', '/help/text/:page', '/help/check', '/help/pictures/:name'],
      ...['/help/plain', '/help/plain/', '/help/plain/search', '/help/plain/:page'],
      ...['/base-map/fine.json', '/base-map/fine/:z/:x/:y'],
      '/api/docs',
      '/api/openapi.json',
    ];
    const requested = {
      ...Object.fromEntries(calls.map(({ method, path, action }) => [`${method} /api${path}`, action])),
      ...Object.fromEntries([...upload, ...imports].map((route) => [route, 'mission.upload'])),
      ...Object.fromEntries(open.map((path) => [`GET ${path}`, 'public.use'])),
      'OPTIONS /api/uploads': 'public.use',
      'GET /metrics': 'metrics.read',
      'GET /videos/:mission/:thumbnail': 'mission.read',
    };
    // Heads of what is read go by the policy of reading it.
    const heads = Object.keys(served).filter((route) => route.startsWith('HEAD ') && !(route in requested));
    for (const head of heads) expect([head, served[head]]).toEqual([head, served[head.replace('HEAD', 'GET')]]);
    const others = Object.entries(served).filter(([route]) => !heads.includes(route));
    expect(Object.fromEntries(others)).toEqual(requested);
  });
});
