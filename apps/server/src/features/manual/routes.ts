import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AppError } from '@osprey/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { manualPage, missingPage, searchPage } from './frame.ts';
import { readManual } from './manual.ts';

const WORDS_MAX = 100;

export type ManualPlaces = {
  folder: string;
  /** Path of the self-contained page that checks the exported package of a case. */
  checkPage: string;
};

/**
 * Routes of the manual, served by this machine alone. The manual contains no data of the server, so it is public. The
 * client renders /help in its own layout from the JSON here; /help/plain is the same manual without any script.
 */
export async function manualRoutes(app: FastifyInstance, { folder, checkPage }: ManualPlaces): Promise<void> {
  const manual = await readManual(folder);
  const [start] = manual.pages;
  if (start === undefined) throw new Error(`There is no manual in ${folder}`);
  const route = (url: string, handler: (asked: Asked, reply: FastifyReply) => Promise<unknown>) =>
    app.route({
      method: 'GET',
      url,
      config: { policy: 'public.use' },
      handler: (request, reply) => handler(request as Asked, reply),
    });

  const contents = manual.pages.map(({ slug, title }) => ({ slug, title }));
  route('/help/contents.json', async (_asked, reply) => sendData(reply, contents));
  route('/help/find.json', async ({ query }, reply) => sendData(reply, manual.search(searchText(query))));
  route('/help/text/:page', async ({ params }, reply) => {
    const page = manual.page(params.page ?? '');
    if (page === undefined) throw new AppError('notFound');
    return sendData(reply, { title: page.title, text: page.text });
  });

  route('/help/plain', async (_asked, reply) => sendPage(reply, (nonce) => manualPage(manual, start, nonce)));
  // Typed addresses often end with a slash.
  route('/help/plain/', async (_asked, reply) => reply.redirect('/help/plain'));
  route('/help/plain/search', async ({ query }, reply) => {
    const words = searchText(query);
    return sendPage(reply, (nonce) => searchPage(manual, words, manual.search(words), nonce));
  });
  route('/help/plain/:page', async ({ params }, reply) => {
    const page = manual.page(params.page ?? '');
    if (page === undefined) return sendPage(reply.status(404), (nonce) => missingPage(manual, nonce));
    return sendPage(reply, (nonce) => manualPage(manual, page, nonce));
  });

  route('/help/check', async (_asked, reply) => {
    const page = await readFile(checkPage, 'utf8').catch(() => null);
    const policy = page === null ? undefined : /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1];
    if (page === null || policy === undefined) throw new AppError('notFound');
    return reply
      .header('content-security-policy', `${policy}; frame-ancestors 'none'`)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page);
  });

  route('/help/pictures/:name', async ({ params }, reply) => {
    const path = manual.pictures.get(params.name ?? '');
    if (path === undefined) throw new AppError('notFound');
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('image/png')
      .send(await readFile(path));
  });
}

const searchText = (query: Asked['query']): string => (typeof query.q === 'string' ? query.q.slice(0, WORDS_MAX) : '');

const sendData = (reply: FastifyReply, data: unknown) =>
  reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(data);

type Asked = { query: Record<string, unknown>; params: Record<string, string | undefined> };

function sendPage(reply: FastifyReply, draw: (nonce: string) => string) {
  const nonce = randomBytes(16).toString('base64');
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
  return reply
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(draw(nonce));
}
