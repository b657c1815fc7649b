import type { Extent } from '@osprey/geo';
import { expect, it, vi } from 'vitest';
import { openOnSite, provideSiteExtent } from './site-extent.ts';

function mapOf() {
  const listeners = new Map<string, () => void>();
  const fitBounds = vi.fn();
  const once = vi.fn((event: string, listener: () => void) => void listeners.set(event, listener));
  const map = { fitBounds, once } as unknown as Parameters<typeof openOnSite>[0];
  return { map, fitBounds, fire: (event: string) => listeners.get(event)?.() };
}

const SITE: Extent = [23, 36, 25, 38];
const settled = () => new Promise((resolve) => setTimeout(resolve));

it('opens maps on what the account may see, and reads that once', async () => {
  const load = vi.fn(async () => SITE);
  const end = provideSiteExtent(load);
  const [one, other] = [mapOf(), mapOf()];

  openOnSite(one.map);
  openOnSite(other.map, 9);
  await settled();

  expect(one.fitBounds).toHaveBeenCalledWith(SITE, { padding: 40, maxZoom: 12, animate: false });
  expect(other.fitBounds).toHaveBeenCalledWith(SITE, { padding: 40, maxZoom: 9, animate: false });
  expect(load).toHaveBeenCalledOnce();
  end();
});

it('leaves a map that was moved or removed meanwhile, and all maps where there is no place or no answer', async () => {
  let answer: (extent: Extent | null) => void = () => undefined;
  const end = provideSiteExtent(() => new Promise((resolve) => (answer = resolve)));
  const [moved, removed] = [mapOf(), mapOf()];
  openOnSite(moved.map);
  openOnSite(removed.map);
  moved.fire('movestart');
  removed.fire('remove');
  answer(SITE);
  await settled();
  end();

  const endFailing = provideSiteExtent(() => Promise.reject(new Error('offline')));
  const alone = mapOf();
  openOnSite(alone.map);
  await settled();
  endFailing();
  openOnSite(alone.map);
  await settled();

  for (const { fitBounds } of [moved, removed, alone]) expect(fitBounds).not.toHaveBeenCalled();
});
