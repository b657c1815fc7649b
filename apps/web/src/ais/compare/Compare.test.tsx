// @vitest-environment jsdom
import { type AisTarget, aisEvent } from '@osprey/contract';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { emptyFrame } from '../../onscreen/frames.ts';
import { fakeApi, newId, refusing } from '../../testing/fake-api.ts';
import { show } from '../../testing/show.tsx';
import { viewServices } from '../../testing/view-services.ts';
import { usualFilter } from '../ais-filter.ts';
import { Compare } from './Compare.tsx';
import { shipsMap } from './ships-map.ts';

const NOW = 1_700_000_000_000_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW / 1000 });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  shipsMap.set(null);
});

/** 4 nm south of the crossing of both courses, bound for it at 12 knots; the other is 3 nm east of it and does the same. */
const own: AisTarget = {
  ...{ sensorName: 'OSP-21 AIS', platformName: 'OSP-21', sources: 1, mmsi: 248113000, name: 'POLARIS BAY' },
  ...{ mmsiText: '248113000', securityClassification: 'UNCLASSIFIED' },
  ...{ callSign: '9HA1', imo: 9301234, shipType: 80, vesselType: 'Tanker', dimensions: null, draught: null },
  ...{ destination: null, eta: null, countryCode: 'MT', country: 'Malta', timestamp: NOW },
  ...{ lat: -0.066996, lon: 0, cog: 0, hdg: null, sog: 12, turn: null, status: 0, messageType: 1 },
  ...{ fixType: null, suspect: false, suspectFor: [] },
};
const lark: AisTarget = {
  ...own,
  mmsi: 239000001,
  mmsiText: '239000001',
  name: 'SEA LARK',
  lat: 0,
  lon: 0.04991,
  cog: 270,
};

function open(ships: () => AisTarget[], filter = usualFilter) {
  const fake = fakeApi({
    'GET /aistargets': ({ query }) => {
      const word = query?.search?.toLowerCase() ?? '';
      return ships().filter(({ name, mmsi }) => `${name} ${mmsi}`.toLowerCase().includes(word));
    },
  });
  return { ...show(<Compare mmsi={own.mmsi} filter={filter} />, { api: fake.api }), ...fake };
}

async function choose(name: string) {
  fireEvent.mouseDown(screen.getByRole('combobox', { name: 'Compare with' }));
  fireEvent.click(await screen.findByRole('option', { name }));
}

async function chooseShip(typed: string, name: RegExp) {
  await choose('Another ship');
  const field = screen.getByRole('combobox', { name: 'Name, MMSI, IMO or call sign' });
  fireEvent.mouseDown(field);
  fireEvent.change(field, { target: { value: typed } });
  fireEvent.click(await screen.findByRole('option', { name }));
}

const shown = (name: string) =>
  within(screen.getByRole('group', { name: `Compared with ${name}` }))
    .getAllByRole('definition')
    .map(({ textContent }) => textContent);

it('Another ship is found by its name; distance, bearing, CPA and TCPA follow the feed', async () => {
  let rows = [own, lark];
  const { bus, inputsOf } = open(() => rows);
  await chooseShip('lark', /^SEA LARK/);
  await screen.findByRole('group', { name: 'Compared with SEA LARK' });
  expect(shown('SEA LARK')).toEqual(['5.00 nm', '036.9°', '0.71 nm', 'in 17:30', 'Nov 14 2023, 22:13:20']);
  expect(inputsOf('GET /aistargets').at(0)).toMatchObject({ query: { mode: 'last', start: String(NOW - 360e6) } });

  // Both ships have now passed the crossing and sail on.
  rows = [
    { ...own, lat: 0.066996 },
    { ...lark, lon: -0.04991 },
  ];
  const payload = { platform: newId(), sensor: newId(), mission: null, targets: 2 };
  act(() => bus.emit(aisEvent.name, payload));
  await vi.waitFor(() => expect(shown('SEA LARK').slice(2, 4)).toEqual(['0.71 nm', 'passed 17:30 ago']));
});

it('The ship of the card is not offered for comparison, and its own report may be all that there is', async () => {
  open(() => [own]);
  await choose('Another ship');
  fireEvent.mouseDown(screen.getByRole('combobox', { name: 'Name, MMSI, IMO or call sign' }));
  await screen.findByText('No other ship is in sight');
  expect(screen.queryByRole('option')).toBeNull();
});

it('A ship without speed or course has a distance and no CPA', async () => {
  open(() => [own, { ...lark, sog: null }]);
  await chooseShip('lark', /^SEA LARK/);
  await screen.findByText('Speed or course of one of the two is not known.');
  expect(shown('SEA LARK').slice(0, 4)).toEqual(['5.00 nm', '036.9°', 'Not available', 'Not available']);
});

it('A report that is too old is not carried forward, and the card says so', async () => {
  open(() => [own, { ...lark, timestamp: NOW - 361e6 }]);
  await chooseShip('lark', /^SEA LARK/);
  await screen.findByText('A report is more than 6 min old: its place is the last one known.');
  expect(shown('SEA LARK').slice(0, 4)).toEqual(['5.00 nm', '036.9°', 'Not available', 'Not available']);
});

it('Ships that lie still have no CPA; one that is gone is said to be', async () => {
  let rows: AisTarget[] = [
    { ...own, sog: 0 },
    { ...lark, sog: 0 },
  ];
  const { bus } = open(() => rows);
  await chooseShip('lark', /^SEA LARK/);
  await screen.findByText('They hardly move relative to each other.');
  expect(shown('SEA LARK').slice(2, 4)).toEqual(['None', 'None']);
  rows = [own];
  const payload = { platform: newId(), sensor: newId(), mission: null, targets: 1 };
  act(() => bus.emit(aisEvent.name, payload));
  await screen.findByText('SEA LARK was not heard in the last 6 min.');
});

it('A place is typed as coordinates; what is none is marked', async () => {
  open(() => [own]);
  await choose('A place');
  const field = screen.getByRole('textbox', { name: 'Coordinates' });
  fireEvent.change(field, { target: { value: 'north of Kea' } });
  screen.getByText(/^No such place\./);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  // On the course of the ship, 4 nm ahead: 20 minutes at 12 knots.
  fireEvent.change(field, { target: { value: '0 0' } });
  await screen.findByRole('group', { name: 'Compared with 0 0' });
  expect(shown('0 0').slice(0, 4)).toEqual(['4.00 nm', '000.0°', '0.00 nm', 'in 20:00']);
});

it('A platform on screen is compared at the moment of the mission clock', async () => {
  const services = viewServices({ startUs: NOW - 3590e6, endUs: NOW });
  const clockUs = services.clock.timeUs();
  const page = { time: [clockUs], tags: {}, sets: [] } as never;
  const values = { '10': 'OSP-21', '56': (12 * 1852) / 3600, '112': 270 };
  const record = { page, index: 0, timeUs: clockUs };
  act(() =>
    services.frames.publish({ ...emptyFrame('s', clockUs), record, values, platform: { lat: 0, lon: 0.04991 } }),
  );
  shipsMap.set({ services, mode: 'clock' });
  const { inputsOf } = open(() => [{ ...own, timestamp: clockUs }], { ...usualFilter, retention: 600 });
  await choose('OSP-21');
  await screen.findByRole('group', { name: 'Compared with OSP-21' });
  expect(shown('OSP-21')).toEqual(['5.00 nm', '036.9°', '0.71 nm', 'in 17:30', 'Nov 14 2023, 21:13:30']);
  // The search goes back only as far as reports are extrapolated.
  const asked = { mode: 'all', start: String(clockUs - 360e6), end: String(clockUs + 15e6) };
  expect(inputsOf('GET /aistargets').at(-1)).toMatchObject({ query: asked });

  act(() => services.frames.forget('s'));
  await screen.findByText('The platform is no longer on screen, or sends no position.', {}, { timeout: 3000 });
});

it('Positions that cannot be read are an error with what the server said', async () => {
  const { api } = fakeApi({ 'GET /aistargets': refusing('unavailable') });
  show(<Compare mmsi={own.mmsi} filter={usualFilter} />, { api });
  await choose('A place');
  fireEvent.change(screen.getByRole('textbox', { name: 'Coordinates' }), { target: { value: '0 0' } });
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Error: The server cannot do this right now\./);
});
