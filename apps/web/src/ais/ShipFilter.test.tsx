// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { OpenView } from '../missionview/feature.ts';
import { fakeApi, newId, WithHeaders } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { ShipFilter } from './ShipFilter.tsx';
import { ShipsOfPage } from './ShipsOfPage.tsx';

const mission = { _id: newId(), name: 'Kea' };

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});
beforeAll(() => void import('./ship-feed.ts'));

/** The bar of a view on a page with ships. */
function open(kind: 'mission' | 'live', total = 12, info = {}) {
  const fake = fakeApi({
    'GET /aistargets': () => new WithHeaders([], { 'x-total-count': String(total) }),
    'GET /aissources': () => ({
      receivers: [],
      missions: [mission],
      securityClassification: 'UNCLASSIFIED',
      keepDays: 30,
    }),
  });
  show(
    <ShipsOfPage mode={kind === 'live' ? 'live' : 'clock'}>
      <ShipFilter view={{ view: kind, calm: true } as OpenView} />
    </ShipsOfPage>,
    { api: fake.api, session: { info: { useAis: true, ...info } } as never },
  );
  return fake;
}

const openPanel = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Filter of ships: 12 ships' }));
  return within(await screen.findByRole('dialog', { name: 'Filter of ships' }));
};

const lastAsked = ({ inputsOf }: ReturnType<typeof fakeApi>) => inputsOf('GET /aistargets').at(-1)!;

it.each(['mission', 'live'] as const)(
  'is over the %s view: mission, type, retention, trail and the total',
  async (kind) => {
    const fake = open(kind);
    const panel = await openPanel();
    expect(panel.getByRole('status').textContent).toBe('12 ships'); // S2-171

    await userEvent.click(panel.getByRole('combobox', { name: 'Type' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Base stations' }));
    await waitFor(() => expect(lastAsked(fake)).toMatchObject({ query: { aisType: 'baseStations' } })); // S2-168
    await userEvent.clear(panel.getByRole('textbox', { name: 'Retention' }));
    await userEvent.type(panel.getByRole('textbox', { name: 'Retention' }), '90');
    const since = () => Date.now() * 1000 - Number((lastAsked(fake) as { query: { start: string } }).query.start);
    await waitFor(() => expect(Math.round(since() / 60e6)).toBe(90)); // S2-169
    await userEvent.clear(panel.getByRole('textbox', { name: 'Trail' }));
    await userEvent.type(panel.getByRole('textbox', { name: 'Trail' }), '45');
    await userEvent.click(panel.getByRole('combobox', { name: 'Mission' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Kea' }));
    await waitFor(() => expect(lastAsked(fake)).toMatchObject({ query: { mission: mission._id } })); // S2-167

    const retained = JSON.parse(localStorage.getItem('aisQueryFilter') ?? '{}');
    expect(retained).toMatchObject({ trail: 45, retention: 90, aisType: 'baseStations', mission: { id: mission._id } }); // S2-170
  },
);

it('is a sheet at the bottom of a phone', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    ...{ matches: query.includes('599.95'), media: query, onchange: null },
    ...{ addEventListener: () => undefined, removeEventListener: () => undefined },
    ...{ addListener: () => undefined, removeListener: () => undefined },
  }));
  open('live');
  const panel = await openPanel();

  expect(document.querySelector('.MuiDrawer-anchorBottom')).not.toBeNull();
  await userEvent.click(panel.getByRole('button', { name: 'Close the filter of ships' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('is not there where the server has no ships', () => {
  open('mission', 0, { useAis: false });
  expect(screen.queryByRole('button')).toBeNull();
});
