import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { headingAnchor } from '@osprey/contract';
import { fastify } from 'fastify';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { testServer } from '../../../test/server.ts';
import { readManual } from './manual.ts';
import { manualRoutes } from './routes.ts';

const folder = resolve(import.meta.dirname, '../../../../../docs/manual');

describe('the manual', () => {
  it('has every picture that it names and no other, and every page and heading that it links to', async () => {
    const manual = await readManual(folder);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.md'));
    const shown = new Set<string>();
    for (const name of names) {
      const text = await readFile(join(folder, name), 'utf8');
      const own = [...text.matchAll(/!\[[^\]]+\]\(pictures\/([^)]+)\)/g)].map(([, picture = '']) => picture);
      for (const picture of own) shown.add(picture);
      expect(own, name).not.toEqual([]);
      for (const [, linked = '', anchor] of text.matchAll(/\]\((\d+-[a-z-]+\.md)(?:#([a-z0-9-]+))?/g)) {
        expect(names, name).toContain(linked);
        const headings = (await readFile(join(folder, linked), 'utf8')).matchAll(/^#+ (.+)$/gm);
        if (anchor)
          expect(
            [...headings].map(([, heading = '']) => headingAnchor(heading)),
            name,
          ).toContain(anchor);
      }
    }
    expect([...manual.pictures.keys()].sort()).toEqual([...shown].sort());
    expect(manual.pages.length).toBeGreaterThan(8);
  });

  it('has pictures that are whole, at most 1,280 wide, and small', async () => {
    const { pictures } = await readManual(folder);
    for (const [name, path] of pictures) {
      const { format, width } = await sharp(path, { failOn: 'warning' }).metadata();
      await sharp(path, { failOn: 'warning' }).stats();
      expect([name, format, width! <= 1280, (await stat(path)).size < 200_000]).toEqual([name, 'png', true, true]);
    }
  });

  it('shows HTML in its sources as text', async () => {
    const own = await mkdtemp(join(tmpdir(), 'osprey-manual-'));
    await writeFile(join(own, '01-start.md'), '# Start\n\n<script>alert(1)</script>\n');

    const [page] = (await readManual(own)).pages;

    expect(page?.html).toContain('&lt;script&gt;');
    expect(page?.html).not.toContain('<script>');
  });

  it('is found by the beginnings of words, in headings first', async () => {
    const manual = await readManual(folder);

    expect(manual.search('restart')[0]).toMatchObject({ slug: 'admin' });
    expect(manual.search('remove sample')[0]).toMatchObject({ slug: 'missions', title: 'Remove sample missions' });
    expect(manual.search('clearan').length).toBeGreaterThan(0);
    expect(manual.search('zebra xylophone')).toEqual([]);
  });

  it('is served to anybody, without a script, and nothing else below /help is', async () => {
    const { inject } = await testServer();
    const get = (url: string) => inject({ method: 'GET', url });

    const start = await get('/help/plain');
    const found = await get('/help/plain/search?q=%3Cb%3Erestart');
    const missing = await get('/help/pictures/..%2f01-start.md');

    expect(start.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(start.headers['content-security-policy']).toContain("default-src 'none'");
    expect(start.body).not.toContain('<script');
    expect((await get('/help/plain/keys')).body).toContain('<h1 id="keyboard-shortcuts">Keyboard shortcuts</h1>');
    expect(found.body).toContain('value="&#60;b&#62;restart"');
    expect([missing.statusCode, (await get('/help/plain/nothing')).statusCode]).toEqual([404, 404]);
  });

  it('gives the client its contents, pages and hits as data', async () => {
    const { inject } = await testServer();
    const get = (url: string) => inject({ method: 'GET', url });

    const contents = (await get('/help/contents.json')).json();
    const page = (await get('/help/text/keys')).json();
    const hits = (await get('/help/find.json?q=restart')).json();

    expect(contents[0]).toEqual({ slug: 'start', title: 'Start' });
    expect(page).toMatchObject({ title: 'Keyboard shortcuts', text: expect.stringContaining('| E |') });
    expect(hits[0]).toMatchObject({ slug: 'admin' });
    expect((await get('/help/text/..%2f..%2fREADME')).statusCode).toBe(404);
  });

  it('answers addresses typed by hand with pages for people', async () => {
    const { inject } = await testServer();
    const get = (url: string) => inject({ method: 'GET', url });

    const place = (await get('/help/plain/')).headers.location;
    const unknown = await get('/help/plain/nothing');

    expect(place).toBe('/help/plain');
    expect(unknown.body).toContain('The manual has no such page.');
    expect(unknown.body).toContain('href="/help/plain/keys"');
  });

  it('has the page that checks packages, under its own policy, at /help/check', async () => {
    const checkPage = join(await mkdtemp(join(tmpdir(), 'osprey-check-')), 'check.html');
    const app = fastify();
    await manualRoutes(app, { folder, checkPage });
    const get = () => app.inject({ method: 'GET', url: '/help/check' });
    const missing = await get();
    await writeFile(checkPage, `<meta http-equiv="Content-Security-Policy" content="default-src 'none'"><p>Check`);

    const page = await get();

    expect(missing.statusCode).not.toBe(200);
    expect(page.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(page.body).toContain('<p>Check');
  });
});
