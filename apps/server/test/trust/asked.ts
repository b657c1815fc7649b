import { openApi } from '../../src/base/http/openapi.ts';
import { exampleOf, type Schema } from './examples.ts';

type Operation = {
  operationId: string;
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};
/** A request as a stranger puts it together. */
export type Asked = { method: string; url: string; payload?: string; headers?: Record<string, string> };

/** One request of each call of the contract, with the least that it takes, made from its description. */
export function describedCalls(): { name: string; asked: Asked }[] {
  const { paths } = openApi() as unknown as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: operation.operationId,
      asked: askedOf(path, method, operation),
    })),
  );
}

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

const one = crypto.randomUUID();
const tus = { 'tus-resumable': '1.0.0' };
const offsets = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };

/** Requests besides the calls of the contract: the page, the description, the manual, the counters, tus uploads. */
export const otherRequests: { name: string; asked: Asked }[] = [
  { method: 'GET', url: '/' },
  { method: 'GET', url: '/admin' },
  { method: 'GET', url: '/assets/nothing.js' },
  { method: 'GET', url: '/help' },
  { method: 'GET', url: '/help/contents.json' },
  { method: 'GET', url: '/help/find.json?q=mission' },
  { method: 'GET', url: '/help/text/start' },
  { method: 'GET', url: '/help/plain' },
  { method: 'GET', url: '/help/plain/search?q=mission' },
  { method: 'GET', url: '/help/plain/start' },
  { method: 'GET', url: '/help/pictures/nothing.png' },
  { method: 'GET', url: '/metrics' },
  { method: 'GET', url: '/api/docs' },
  { method: 'GET', url: '/api/openapi.json' },
  { method: 'GET', url: '/api/nothing' },
  { method: 'OPTIONS', url: '/api/uploads' },
  { method: 'POST', url: '/api/uploads', headers: { ...tus, 'upload-length': '10' } },
  { method: 'HEAD', url: `/api/uploads/${one}`, headers: tus },
  { method: 'PATCH', url: `/api/uploads/${one}`, headers: offsets, payload: 'x' },
  { method: 'DELETE', url: `/api/uploads/${one}`, headers: tus },
  { method: 'POST', url: '/api/imports', headers: { ...tus, 'upload-length': '10' } },
  { method: 'HEAD', url: `/api/imports/${one}`, headers: tus },
  { method: 'PATCH', url: `/api/imports/${one}`, headers: offsets, payload: 'x' },
].map((asked) => ({ name: `${asked.method} ${asked.url.replace(one, ':id')}`, asked }));
