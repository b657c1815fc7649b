// @vitest-environment jsdom
import { type AisTarget, aisEvent, stationOf } from '@osprey/contract';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { TransportError } from '../base/transport-error.ts';
import { chooseUnits } from '../base/units.ts';
import { type Answers, fakeApi, newId, refusing, WithHeaders } from '../testing/fake-api.ts';
import { shipListOf } from '../testing/ship-lists.ts';
import { admin, show } from '../testing/show.tsx';
import { AisPanel } from './AisPanel.tsx';
import { usualFilter } from './ais-filter.ts';
import { ShipsOfPage } from './ShipsOfPage.tsx';
import { useShips } from './ships.ts';

// Shows the dialog ais/DeleteAis.tsx ConfirmDialog

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const polaris: AisTarget = {
  ...{ sensorName: 'OSP-21 AIS', platformName: 'OSP-21', sources: 1, mmsi: 248113000, name: 'POLARIS BAY' },
  ...{ mmsiText: '248113000', securityClassification: 'UNCLASSIFIED' },
  ...{ callSign: '9HA1', imo: 9301234, shipType: 80, vesselType: 'Tanker', dimensions: null, draught: null },
  ...{ destination: null, eta: null, countryCode: 'MT', country: 'Malta', timestamp: 1_700_000_000_000_000 },
  ...{ lat: 37.63, lon: 24.62, cog: 300, hdg: null, sog: 13.2, turn: null, status: 0, messageType: 1 },
  ...{ fixType: null, suspect: false, suspectFor: [] },
};
const base: AisTarget = {
  ...polaris,
  mmsi: 2391234,
  mmsiText: '002391234',
  name: null,
  vesselType: null,
  messageType: 4,
  fixType: 1,
};
const receiver = { sensor: newId(), sensorName: 'OSP-21 AIS', platform: newId(), platformName: 'OSP-21' };
const heard = { receivers: [receiver], missions: [], securityClassification: 'RESTRICTED', keepDays: 30 };

function Chosen() {
  const { chosen } = useShips();
  return <output>{chosen ? `${chosen.mmsi} at ${chosen.place?.lat} ${chosen.place?.lon}` : 'none'}</output>;
}

function open(answers: Answers, session = {}) {
  const fake = fakeApi({ 'GET /shiplists': () => [], ...answers });
  const page = show(
    <ShipsOfPage mode="live">
      <AisPanel span={() => null} tabs={null} panel={{ role: 'tabpanel', id: 'p', 'aria-labelledby': 't' } as never} />
      <Chosen />
    </ShipsOfPage>,
    { api: fake.api, session },
  );
  return { ...page, ...fake };
}

const listed = (rows: AisTarget[], total = rows.length) =>
  new WithHeaders(rows, {
    'x-total-count': String(total),
    ...(total > rows.length && { 'x-next-after': String(rows.length) }),
  });
const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);

it('Ships stand in columns with flag and N/A for a heading of 511; a click chooses one with its place', async () => {
  open({ 'GET /aistargets': () => listed([polaris]), 'GET /aissources': () => heard });
  const row = await screen.findByRole('row', { name: /POLARIS BAY/ });
  expect(heads()).toEqual([
    'Sensor',
    'MMSI',
    'Name',
    'Type',
    'Flag',
    'Timestamp',
    'Lat',
    'Lon',
    'COG',
    'HDG',
    'SOG',
    'Actions',
  ]);
  expect(
    within(row)
      .getAllByRole('gridcell')
      .map(({ textContent }) => textContent),
  ).toEqual([
    ...['OSP-21 AIS', '248\u202f113\u202f000', 'POLARIS BAY', 'Tanker', 'Malta', 'Nov 14 2023, 22:13:20'],
    ...[`37°37'48.00"N`, `24°37'12.00"E`, '300.0°', 'N/A', '13.2 kn', ''],
  ]);
  fireEvent.click(row);
  expect(screen.getByText('248113000 at 37.63 24.62')).toBeDefined();
  expect(screen.getByRole('columnheader', { name: 'Timestamp' }).getAttribute('aria-sort')).toBe('descending'); // S2-249
  fireEvent.mouseOver(within(row).getByText('OSP-21 AIS'));
  expect((await screen.findByRole('tooltip')).textContent).toContain('OSP-21'); // S2-243
});

it('Coordinates follow the units of the account at once; MGRS has one column for both', async () => {
  open({ 'GET /aistargets': () => listed([polaris]), 'GET /aissources': () => heard });
  const row = await screen.findByRole('row', { name: /POLARIS BAY/ });
  const cellUnder = (head: string) => within(row).getAllByRole('gridcell')[heads().indexOf(head)]?.textContent;
  onTestFinished(() => act(() => chooseUnits({ coordinates: 'dms' })));

  act(() => chooseUnits({ coordinates: 'decimal' }));
  expect([cellUnder('Lat'), cellUnder('Lon')]).toEqual(['37.630000°', '24.620000°']);

  act(() => chooseUnits({ coordinates: 'mgrs' }));
  await waitFor(() => expect(cellUnder('MGRS')).toMatch(/^35S [A-Z]{2} \d{5} \d{5}$/));
  expect(heads()).not.toContain('Lat');
  expect(heads()).not.toContain('Lon');
});

it('Base stations have columns of their own, with the kind of position fix', async () => {
  const { inputsOf } = open({ 'GET /aistargets': () => listed([base]), 'GET /aissources': () => heard });
  fireEvent.mouseDown(await screen.findByRole('combobox', { name: 'Type' }));
  fireEvent.click(screen.getByRole('option', { name: 'Base stations' }));
  await screen.findByText('GPS');
  expect(heads()).toEqual(['Sensor', 'MMSI', 'Name', 'Flag', 'Timestamp', 'Lat', 'Lon', 'FixType', 'Actions']);
  expect(inputsOf('GET /aistargets').at(-1)).toMatchObject({ query: { aisType: 'baseStations', mode: 'last' } });
  expect(JSON.parse(localStorage.getItem('aisQueryFilter')!)).toMatchObject({ aisType: 'baseStations', retention: 6 });
});

it('The range of receivers is opened from the filter bar, which has no such button without one', async () => {
  const range = { place: null, days: [], securityClassification: 'RESTRICTED' };
  const answers = { 'GET /aistargets': () => listed([polaris]), 'GET /aissources/:id/range': () => range };
  open({ ...answers, 'GET /aissources': () => heard });
  fireEvent.click(await screen.findByRole('button', { name: 'Range of receivers' }));
  expect(await screen.findByRole('dialog', { name: 'Range of receivers' })).toBeDefined();
  cleanup();
  open({ ...answers, 'GET /aissources': () => ({ ...heard, receivers: [] }) });
  await screen.findByRole('row', { name: /POLARIS BAY/ });
  expect(screen.queryByRole('button', { name: 'Range of receivers' })).toBeNull();
});

it('An event has the ships read again', async () => {
  let rows = [polaris];
  const { bus } = open({ 'GET /aistargets': () => listed(rows), 'GET /aissources': () => heard });
  await screen.findByText('POLARIS BAY');
  rows = [{ ...polaris, name: 'SEA LARK' }];
  const payload = { platform: receiver.platform, sensor: receiver.sensor, mission: null, targets: 1 };
  act(() => bus.emit(aisEvent.name, payload));
  await screen.findByText('SEA LARK');
});

it('Where no event comes the ships are read again every 10 s, but for a time range that has ended', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const { inputsOf } = open({ 'GET /aistargets': () => listed([polaris]), 'GET /aissources': () => heard });
  await screen.findByText('POLARIS BAY');
  const before = inputsOf('GET /aistargets').length;
  await act(() => vi.advanceTimersByTimeAsync(9000));
  expect(inputsOf('GET /aistargets')).toHaveLength(before);
  await act(() => vi.advanceTimersByTimeAsync(1500));
  expect(inputsOf('GET /aistargets')).toHaveLength(before + 1);
  cleanup();

  localStorage.setItem('aisQueryFilter', JSON.stringify({ ...usualFilter, start: 1, end: 2 }));
  const ranged = open({ 'GET /aistargets': () => listed([polaris]), 'GET /aissources': () => heard });
  await screen.findByText('POLARIS BAY');
  const asked = ranged.inputsOf('GET /aistargets').length;
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(ranged.inputsOf('GET /aistargets')).toHaveLength(asked);
});

it('More than 100,000 ships are shown as 100,000+', async () => {
  open({
    'GET /aistargets': ({ query }) =>
      query?.after === undefined ? listed([polaris], 100_001) : new Promise(() => undefined),
    'GET /aissources': () => heard,
  });
  expect(await screen.findByText(/^100\s000\+ ships$/)).toBeDefined();
});

it('Without a receiver the tab says how to add one', async () => {
  open({ 'GET /aistargets': () => listed([]), 'GET /aissources': () => ({ ...heard, receivers: [] }) });
  await screen.findByText('No ships are received yet');
  expect(screen.getByText(/Add a sensor of type AIS to a platform/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Platforms' }).getAttribute('href')).toBe('/platforms');
});

it('Deleting names how many positions go and over which time, and is for superAdmin and admin alone', async () => {
  const span = { stations: 1, positions: 12, first: 1_700_000_000_000_000, last: 1_700_000_060_000_000 };
  const { inputsOf } = open({
    'GET /aistargets': () => listed([polaris]),
    'GET /aissources': () => heard,
    'GET /aistargets/span': () => span,
    'DELETE /aistargets': () => ({ message: 'Ais targets deleted' }),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  fireEvent.click(screen.getByRole('menuitem', { name: 'AIS targets…' }));
  const dialog = await screen.findByRole('alertdialog', { name: /Delete AIS targets\?/ });
  const question =
    '12 positions of 1 station, from Nov 14 2023, 22:13:20 to Nov 14 2023, 22:14:20, are deleted for good.';
  await within(dialog).findByText(question);
  expect(within(dialog).getByRole('button', { name: 'Cancel' })).toBeDefined();
  fireEvent.click(within(dialog).getByRole('button', { name: 'Yes' }));
  await screen.findByText('Ais targets deleted');
  expect(inputsOf('DELETE /aistargets')).toHaveLength(1);
  cleanup();

  open(
    { 'GET /aistargets': () => listed([polaris]), 'GET /aissources': () => heard },
    { actor: { ...admin, role: 'user' } },
  );
  await screen.findByText('POLARIS BAY');
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Export' })).toBeDefined();
});

it('The MMSI opens a card with particulars, size, voyage and former names', async () => {
  const dimensions = { toBow: 150, toStern: 30, toPort: 14, toStarboard: 16 };
  const { mmsi, mmsiText, name, callSign, imo, shipType, vesselType } = polaris;
  const vessel = {
    mmsi,
    mmsiText,
    name,
    callSign,
    imo,
    shipType,
    vesselType,
    dimensions,
    draught: 9.5,
    eta: '12-01 06:00',
  };
  open({
    'GET /aistargets': () => listed([polaris]),
    'GET /aissources': () => heard,
    'GET /aistargets/vessels': () => [{ ...vessel, destination: 'PIRAEUS', formerNames: ['OLD NAME'] }],
  });
  fireEvent.click(await screen.findByRole('button', { name: /^248.113.000$/ }));
  const card = await screen.findByRole('complementary', { name: 'Ship POLARIS BAY' });
  await within(card).findByText('PIRAEUS');
  for (const text of ['9301234', '9HA1', 'Malta', '9.5 m', '12-01 06:00 UTC', 'OLD NAME']) within(card).getByText(text);
  within(card).getByRole('img', { name: /^180 m long, 30 m wide/ });
  fireEvent.keyDown(card, { key: 'Escape' });
  expect(screen.queryByRole('complementary')).toBeNull();
});

it('The filter bar has mission, type, retention and trail, and how many ships there are', async () => {
  const mission = { _id: newId(), name: 'COAST' };
  const { inputsOf } = open({
    'GET /aistargets': () => listed([polaris]),
    'GET /aissources': () => ({ ...heard, missions: [mission] }),
  });
  const bar = await screen.findByRole('group', { name: 'Filter of ships' });
  await within(bar).findByText('1 ship');
  expect(within(bar).getByRole('combobox', { name: 'Type' }).textContent).toBe('Vessels');
  const minutes = (name: string) => within(bar).getByRole<HTMLInputElement>('textbox', { name });
  expect([minutes('Retention').value, minutes('Trail').value]).toEqual(['6', '10']);

  fireEvent.change(minutes('Retention'), { target: { value: '0' } });
  expect(minutes('Retention').getAttribute('aria-invalid')).toBe('true');
  fireEvent.change(minutes('Retention'), { target: { value: '12' } });
  expect(JSON.parse(localStorage.getItem('aisQueryFilter')!)).toMatchObject({ retention: 12, mission: null });
  fireEvent.mouseDown(within(bar).getByRole('combobox', { name: 'Mission' }));
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Live', 'COAST']);
  fireEvent.click(screen.getByRole('option', { name: 'COAST' }));
  const asked = { query: { mission: mission._id } };
  await vi.waitFor(() => expect(inputsOf('GET /aistargets').at(-1)).toMatchObject(asked)); // S2-261
  await within(bar).findByText('1 ship');
});

it('The filter bar asks for all that was heard in place of the last of each ship, and for a span of time', async () => {
  const { inputsOf } = open({ 'GET /aistargets': () => listed([polaris]), 'GET /aissources': () => heard });
  fireEvent.mouseDown(await screen.findByRole('combobox', { name: 'Mode' }));
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Last', 'All']);
  fireEvent.click(screen.getByRole('option', { name: 'All' }));
  await vi.waitFor(() => expect(inputsOf('GET /aistargets').at(-1)).toMatchObject({ query: { mode: 'all' } })); // S2-256
});

it('The filter bar has a toggle that ends the span of time, and asks for one again', async () => {
  localStorage.setItem('aisQueryFilter', JSON.stringify({ ...usualFilter, start: 1e15, end: 2e15 }));
  const { inputsOf } = open({ 'GET /aistargets': () => listed([polaris]), 'GET /aissources': () => heard });
  const toggle = await screen.findByRole('button', { name: /^Time range/, pressed: true });
  await vi.waitFor(() => expect(inputsOf('GET /aistargets').at(-1)).toMatchObject({ query: { end: String(2e15) } }));

  fireEvent.click(toggle);
  await vi.waitFor(() => expect(inputsOf('GET /aistargets').at(-1)).not.toHaveProperty('query.end')); // S2-258
  fireEvent.click(screen.getByRole('button', { name: 'Time range', pressed: false }));
  await screen.findByRole('dialog', { name: 'Time range' });
});

it('Ships are exported as CSV, or as GeoJSON, KML and NMEA, with the filter of the table', async () => {
  open({ 'GET /aistargets': () => listed([polaris]), 'GET /aissources': () => heard });
  await screen.findByText('POLARIS BAY');
  fireEvent.click(screen.getByRole('button', { name: 'Export' }));
  const links = screen.getAllByRole<HTMLAnchorElement>('menuitem');
  expect(links.map(({ textContent }) => textContent)).toEqual(['CSV', 'GeoJSON', 'KML', 'NMEA 0183']);
  const asked = links.map(({ href }) => new URL(href).searchParams);
  expect(asked.map((query) => query.get('format'))).toEqual(['csv', 'geojson', 'kml', 'nmea']);
  for (const query of asked) expect([query.get('mode'), query.get('aisType')]).toEqual(['last', 'vessels']);
});

it('Ships that cannot be read are an error with what the server said', async () => {
  open({ 'GET /aistargets': refusing('unavailable'), 'GET /aissources': () => heard });
  await screen.findByText(/^Error: The server cannot do this right now\./);
});

const removals = [
  {
    item: 'AIS targets…',
    call: 'DELETE /aistargets',
    done: 'Ais targets deleted',
    failed: 'Failed to delete Ais targets',
  },
  {
    item: 'Vessel info…',
    call: 'DELETE /vesselinfo',
    done: 'Vessel Info deleted',
    failed: 'Failed to delete Vessel Info',
  },
];
const noAnswer = () => {
  throw new TransportError('noResponse');
};

it.each(removals)(
  '$call says that it is done, what the server said, or that it failed',
  async ({ item, call, ...texts }) => {
    const said: [Answers[string], string][] = [
      [() => ({ message: texts.done }), texts.done],
      [refusing('forbidden'), 'You do not have the rights for this.'],
      [noAnswer, texts.failed],
    ];
    const span = { stations: 1, positions: 12, first: 1_700_000_000_000_000, last: 1_700_000_060_000_000 };
    for (const [answer, text] of said) {
      open({
        'GET /aistargets': () => listed([polaris]),
        'GET /aissources': () => heard,
        'GET /aistargets/span': () => span,
        [call]: answer,
      });
      fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
      fireEvent.click(screen.getByRole('menuitem', { name: item }));
      const dialog = await screen.findByRole('alertdialog');
      await within(dialog).findByText(/1 station/);
      fireEvent.click(within(dialog).getByRole('button', { name: 'Yes' }));
      await screen.findByText(text);
      cleanup();
    }
  },
);

it('Ships of a list with a colour have it in the table, and the filter shows those of one list alone', async () => {
  const row = { ...shipListOf(), listed: [{ ...stationOf(polaris.mmsi), note: '' }] };
  const { inputsOf } = open({
    'GET /aistargets': () => listed([polaris]),
    'GET /aissources': () => heard,
    'GET /shiplists': () => [row],
    'GET /shiplists/:id': () => row,
  });
  await screen.findByRole('img', { name: 'On the ship list Tankers' });
  screen.getByRole('button', { name: 'Add POLARIS BAY to a list' });
  fireEvent.mouseDown(screen.getByRole('combobox', { name: 'List' }));
  fireEvent.click(screen.getByRole('option', { name: 'Tankers' }));
  await vi.waitFor(() => expect(inputsOf('GET /aistargets').at(-1)).toMatchObject({ query: { list: row._id } }));
  expect(JSON.parse(localStorage.getItem('aisQueryFilter')!)).toMatchObject({ list: { id: row._id, name: 'Tankers' } });
});

it('A list of the filter that is there no more gives way to all ships', async () => {
  const list = { id: newId(), name: 'Gone' };
  localStorage.setItem('aisQueryFilter', JSON.stringify({ ...usualFilter, list }));
  const { inputsOf } = open({ 'GET /aistargets': () => listed([polaris]), 'GET /aissources': () => heard });
  await vi.waitFor(() => expect(inputsOf('GET /aistargets').at(-1)).not.toMatchObject({ query: { list: list.id } }));
  await screen.findByText('POLARIS BAY');
});

it('A symbol leads outside without a trace, on rows marked UNCLASSIFIED alone; a click on the MMSI stays the card', async () => {
  const secret = { ...polaris, mmsi: 239000001, mmsiText: '239000001', securityClassification: 'SECRET' as const };
  const answers = { 'GET /aistargets': () => listed([base, secret]), 'GET /aissources': () => heard };
  const { unmount } = open(answers, { info: { useAis: true, shipLink: 'https://ships.test/{mmsi}?from=0' } });
  const link = await screen.findByRole('link', { name: /About the ship 002.391.234/ });
  expect(link.getAttribute('href')).toBe('https://ships.test/002391234?from=0'); // S2-244
  expect([link.getAttribute('rel'), link.getAttribute('referrerpolicy')]).toEqual([
    'noopener noreferrer',
    'no-referrer',
  ]);
  expect(screen.getAllByRole('link', { name: /About the ship/ })).toHaveLength(1);
  unmount();
  open(answers);
  await screen.findAllByRole('row', { name: /POLARIS BAY/ });
  expect(screen.queryByRole('link', { name: /About the ship/ })).toBeNull(); // S2-245
});
