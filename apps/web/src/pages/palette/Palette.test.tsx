// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { formatPlace } from '../../base/units.ts';
import { askedPlace } from '../../onscreen/target-place.ts';
import { caseOf } from '../../testing/cases.ts';
import { fakeApi, missionOf } from '../../testing/fake-api.ts';
import { admin, show } from '../../testing/show.tsx';
import { PaletteHost } from './PaletteHost.tsx';

// Shows the dialog pages/palette/Palette.tsx Dialog

// jsdom scrolls nothing.
beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(() => {
  cleanup();
  askedPlace.set(null);
});

const START_US = Date.parse('2026-06-01T09:00:00Z') * 1000;
const ferry = missionOf({ name: 'Ferry-at-Kea', startTime: START_US, endTime: START_US + 600e6 });
const slick = caseOf({ name: 'Slick off Kea', number: 7 });
const other = missionOf({ name: 'Harbour' });
const pier = { name: 'North pier', kind: 'harbour', lat: 37.444, lon: 24.941 };

async function open({ at = '/live', role = admin.role }: { at?: string; role?: typeof admin.role } = {}) {
  const fake = fakeApi({
    'GET /missions/brief': ({ query }) =>
      [ferry, other].filter(({ name }) => name.toLowerCase().includes(query?.search ?? '')),
    'GET /missions/:idOrName': () => ferry,
    'GET /users': () => [],
    'GET /places': ({ query }) => (query?.search === 'north' ? [pier] : []),
    'GET /cases': ({ query }) => (query?.search === 'slick' ? [slick] : []),
  });
  const shown = show(<PaletteHost />, { api: fake.api, at, session: { actor: { ...admin, role } } });
  await userEvent.keyboard('{Control>}k{/Control}');
  return { ...fake, ...shown, field: await screen.findByRole('combobox', { name: 'Go to anything' }) };
}

const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);

it('takes what is typed before its field is there, which is no key of the page', async () => {
  const pressed = vi.fn();
  document.addEventListener('keydown', pressed);
  onTestFinished(() => document.removeEventListener('keydown', pressed));
  show(<PaletteHost />, { api: fakeApi({ 'GET /missions/brief': () => [], 'GET /users': () => [] }).api });

  await userEvent.keyboard('{Control>}k{/Control}keb{Backspace}a');

  const field = await screen.findByRole('combobox', { name: 'Go to anything' });
  expect(field).toHaveProperty('value', 'kea');
  expect(pressed.mock.calls.map(([event]) => (event as KeyboardEvent).key)).toEqual(['Control', 'k']);
});

it('goes to a mission that the server finds by a part of its name', async () => {
  const { place } = await open();

  await userEvent.keyboard('ferry');
  await waitFor(() => expect(options()).toEqual([expect.stringContaining('Ferry-at-Kea')]));
  await userEvent.keyboard('{Enter}');

  await waitFor(() => expect(place.current).toBe(`/missions?mission=${ferry._id}`));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('goes to a case', async () => {
  const { place } = await open();

  await userEvent.keyboard('slick');
  await waitFor(() => expect(options()).toEqual(['Slick off KeaCase 7']));
  await userEvent.keyboard('{Enter}');

  await waitFor(() => expect(place.current).toBe(`/cases/${slick._id}`));
});

it('lists the pages that the account has, and chooses by arrow keys', async () => {
  const { place } = await open({ role: 'user' });

  await userEvent.keyboard('doc');
  await waitFor(() => expect(options()).toEqual(['Docs']));
  await userEvent.clear(screen.getByRole('combobox'));
  await userEvent.keyboard('users');
  await screen.findByText(/^Nothing found/);
  await userEvent.clear(screen.getByRole('combobox'));
  await userEvent.keyboard('o');
  await waitFor(() => expect(options().length).toBeGreaterThan(2));
  const second = options()[1];
  await userEvent.keyboard('{ArrowDown}');
  expect(screen.getByRole('option', { selected: true }).textContent).toBe(second);
  expect(place.current).toBe('/live');
});

it('goes to a time of the open mission, and says when it is outside', async () => {
  const { place } = await open({ at: `/missions?mission=${ferry._id}` });

  await userEvent.keyboard('12:00');
  await screen.findByRole('option', { name: /is outside of Ferry-at-Kea/ });
  await userEvent.clear(screen.getByRole('combobox'));
  await userEvent.keyboard('+2m{Enter}');

  await waitFor(() => expect(place.current).toBe(`/missions?mission=${ferry._id}&t=2026-06-01T09%3A02%3A00.000Z`));
});

it('finds a place of the site or of the base map by its name, and asks when it was seen', async () => {
  const list = { names: ['North Cape'], countries: ['NO'], lons: [25.78], lats: [71.17] };
  vi.stubGlobal('fetch', async () => Response.json(list));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { place } = await open();

  await userEvent.keyboard('north');
  const cape = `Norway, ${formatPlace({ lat: 71.17, lon: 25.78 })}`;
  await waitFor(() => expect(options()).toContain(`Find recordings of North Cape${cape}`));
  expect(options()).toContain(`Find recordings of North pierharbour, ${formatPlace(pier)}`);
  await userEvent.keyboard('{Enter}');

  const shape = { type: 'Circle', centre: [24.941, 37.444], radiusM: 5000 };
  await waitFor(() => expect(place.current).toBe(`/find?${new URLSearchParams({ shape: JSON.stringify(shape) })}`));
});

it('asks when a typed coordinate was seen', async () => {
  await open();

  await userEvent.keyboard('37.5 24.25{Enter}');

  await waitFor(() => expect(askedPlace.get()?.place).toEqual({ lat: 37.5, lon: 24.25 }));
});

it('stays away while a dialog is open', async () => {
  await open();
  await userEvent.keyboard('{Control>}k{/Control}');

  expect(screen.getAllByRole('combobox')).toHaveLength(1);
});
