// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { HelpPanel } from './HelpPanel.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const pages: Record<string, unknown> = {
  '/help/contents.json': [{ slug: 'start', title: 'Start' }],
  '/help/text/start': { title: 'Start', text: '# Start\n\nSee [Admin](07-admin.md#disk-and-load). <b>No HTML</b>' },
};

/** Serves the manual; `missing` fails until it is taken out. */
function serve(missing: Set<string>) {
  vi.stubGlobal('fetch', async (address: string) =>
    missing.has(address) ? new Response('', { status: 503 }) : Response.json(pages[address]),
  );
}

it('draws a chapter without HTML, with links to others, also at an address with a broken escape', async () => {
  serve(new Set());
  show(<HelpPanel slug="" />, { ...fakeApi({}), at: '/help#%E0' });

  expect(await screen.findByRole('heading', { name: 'Start' })).toHaveProperty('id', 'start');
  expect(screen.getByRole('link', { name: 'Admin' }).getAttribute('href')).toBe('/help/admin#disk-and-load');
  expect(screen.getByText(/<b>No HTML<\/b>/)).toBeDefined();
});

it('says that the contents could not be loaded, and tries again', async () => {
  const missing = new Set(['/help/contents.json']);
  serve(missing);
  show(<HelpPanel slug="" />, fakeApi({}));

  await screen.findByText('The manual could not be loaded', undefined, { timeout: 10_000 });
  missing.clear();
  fireEvent.click(screen.getByRole('button', { name: /again/i }));

  await screen.findByRole('heading', { name: 'Start' });
});
