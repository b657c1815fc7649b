import { expect, it } from 'vitest';
import { contractCalls } from '../../src/http/calls.ts';
import { openApi } from '../../src/http/openapi.ts';
import { type TestServer, testServer } from '../server.ts';
import { exampleOf, type Schema } from './examples.ts';

type Operation = {
  operationId: string;
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};
type Asked = { method: string; url: string; payload?: string; headers?: Record<string, string> };

/** Each claims that whoever asks is this machine, or asks for something else than they do. */
const forged = {
  referer: 'http://127.0.0.1/admin',
  host: '127.0.0.1',
  forwarded: 'for=127.0.0.1;host=localhost;proto=https',
  'x-forwarded-for': '127.0.0.1',
  'x-forwarded-host': 'localhost',
  'x-forwarded-proto': 'https',
  'x-real-ip': '127.0.0.1',
  'x-original-url': '/api/health',
  'x-rewrite-url': '/api/health',
  'x-http-method-override': 'GET',
};

/** They end what the next question needs: the session of whoever asks. */
const ending = ['logout'];

/** Beside the calls of the contract: pages, the description, the manual, the counters and the tus door. */
const others: Asked[] = [
  { method: 'GET', url: '/' },
  { method: 'GET', url: '/admin' },
  { method: 'GET', url: '/assets/nothing.js' },
  { method: 'GET', url: '/help' },
  { method: 'GET', url: '/metrics' },
  { method: 'GET', url: '/api/docs' },
  { method: 'GET', url: '/api/openapi.json' },
  { method: 'GET', url: '/api/nothing' },
  ...['PATCH', 'HEAD', 'DELETE'].map((method) => ({
    method,
    url: `/api/uploads/${crypto.randomUUID()}`,
    headers: { 'tus-resumable': '1.0.0' },
  })),
];

function askedOf(path: string, method: string, { parameters, requestBody }: Operation): Asked {
  const id = crypto.randomUUID();
  const url = path.replace(/\{(\w+)\}/g, () => id);
  const needed = parameters.filter((one) => one.in === 'query' && one.required);
  const query = needed.map(({ name, schema }) => `${name}=${encodeURIComponent(String(exampleOf(schema, id)))}`);
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return {
    method: method.toUpperCase(),
    url: query.length > 0 ? `${url}?${query.join('&')}` : url,
    ...(type === undefined ? {} : { headers: { 'content-type': type } }),
    ...(body === undefined ? {} : { payload: JSON.stringify(exampleOf(body.schema, id)) }),
  };
}

it('T-114 that claim a place or a method change no status of any route, with a session and without', async () => {
  const { paths } = openApi() as unknown as { paths: Record<string, Record<string, Operation>> };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: operation.operationId,
      asked: askedOf(path, method, operation),
    })),
  );
  expect(described).toHaveLength(contractCalls().length);
  const all = [...described, ...others.map((asked) => ({ name: `${asked.method} ${asked.url}`, asked }))];
  // Two of a kind, asked the same in the same order: what a call changes or counts is the same on both.
  const [plain, claimed] = await Promise.all([testServer(), testServer()]);

  const differing: unknown[] = [];
  const statuses = new Set<number>();
  for (const { name, asked } of all.filter((one) => !ending.includes(one.name))) {
    for (const by of [null, 'U0'] as const) {
      const send = async (server: TestServer, added: Record<string, string>) => {
        const sender = by === null ? server : server.asUser(by);
        const headers = { ...asked.headers, ...added };
        return (await sender.inject({ ...asked, headers } as Parameters<TestServer['inject']>[0])).statusCode;
      };
      const [without, withThem] = await Promise.all([send(plain, {}), send(claimed, forged)]);
      statuses.add(without);
      if (without !== withThem) differing.push({ name, by, without, withThem });
    }
  }

  expect(differing).toEqual([]);
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404]));
}, 120_000);
