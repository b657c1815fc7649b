// @vitest-environment jsdom
import type { Sensor, TelemetryPage, TelemetrySet } from '@osprey/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFrameMaker } from '../onscreen/frames.ts';
import { createTelemetryStore, PAGE_US } from '../onscreen/telemetry-store.ts';
import { type ViewServices, ViewServicesContext } from '../onscreen/view-services.ts';
import { sensorRow, viewServices } from '../testing/view-services.ts';
import { SnackbarProvider } from '../ui/notice/Snackbar.tsx';
import { TelemetryPanel } from './TelemetryPanel.tsx';
import { texts } from './texts.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const START = 100 * PAGE_US;

beforeEach(() => {
  localStorage.clear();
  // jsdom lays nothing out.
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(cleanup);

/** Ten records a second of a flight that climbs by a metre each; the tail number comes once. */
function flight(from: number, to: number): TelemetryPage {
  const time = Array.from({ length: (to - from) / 100_000 }, (_, index) => from + index * 100_000);
  const tags = {
    '4': time.map((_, index) => (index === 0 ? 'SX-OSP' : null)),
    '5': time.map(() => 28.41),
    '13': time.map(() => 37.5665),
    '14': time.map(() => 24.2573),
    '15': time.map((_, index) => 400 + index),
  };
  return { sensor: ID, from, to, more: false, time, tags, sets: [] };
}

/** A set of this time with an altitude, its checksum wrong. */
function setAt(time: number): TelemetrySet {
  const items = [
    { tag: 2, start: 17, valueStart: 19, end: 27 },
    { tag: 15, start: 27, valueStart: 29, end: 31 },
  ];
  const hex = `${'060e2b34020b01010e01030101000000'}0e0208${time.toString(16).padStart(16, '0')}0f02c221`;
  const place = { fileId: ID, fileName: 'flight.ts', pid: 257, offset: 1880, standard: 'st0601' };
  const set = { ...place, checksum: 'bad' as const, stated: 0x1234, computed: 0xabcd, hex, items };
  return { sensor: ID, time, set, reason: null };
}

type Fakes = {
  fetchPage?: (from: number, to: number) => Promise<TelemetryPage>;
  fetchSet?: (timeUs: number) => Promise<TelemetrySet>;
  live?: boolean;
};

async function show({
  fetchPage = async (a, b) => flight(a, b),
  fetchSet = async (time) => setAt(time),
  live = false,
}: Fakes = {}) {
  const services: ViewServices = viewServices();
  const sensor: Sensor = sensorRow({ name: 'EO' });
  const store = createTelemetryStore({
    sensorId: sensor._id,
    startUs: START,
    endUs: START + PAGE_US,
    fetchPage,
    fetchSet,
    onChange: () => undefined,
    now: () => 0,
  });
  const { recorded, ...basic } = store;
  services.stores.set(sensor._id, live ? basic : { ...basic, recorded });
  // As the player does with each picture: the first seconds, then their minute.
  for (let picture = 0; picture < 2; picture += 1) {
    store.ensure(START);
    await act(async () => undefined);
  }
  render(
    <ViewServicesContext value={services}>
      <QueryClientProvider client={new QueryClient()}>
        <SnackbarProvider>
          <TelemetryPanel sensor={sensor} head={null} docked dock={null} onClose={null} />
        </SnackbarProvider>
      </QueryClientProvider>
    </ViewServicesContext>,
  );
  const makeFrame = createFrameMaker(sensor._id);
  const shown = (timeUs: number) =>
    act(async () =>
      services.frames.publish(makeFrame({ timeUs, record: store.recordAt(timeUs), width: 640, height: 480 })),
    );
  /** In a gap, or before it was read. */
  const shownWithout = (timeUs: number) =>
    act(async () => services.frames.publish(makeFrame({ timeUs, record: null, width: 640, height: 480 })));
  return { shown, shownWithout };
}

const panel = () => screen.getByRole('region', { name: 'Telemetry of EO' });
const shownValue = (name: string) =>
  screen.getByText(name).parentElement!.querySelector('[data-part="value"]')!.textContent;

it('does not go on reading where nothing was recorded', () => {
  const sensor = { _id: ID, name: 'EO' };
  const panelOf = (unrecorded: boolean) => (
    <ViewServicesContext value={viewServices()}>
      <QueryClientProvider client={new QueryClient()}>
        <SnackbarProvider>
          <TelemetryPanel sensor={{ ...sensor, unrecorded }} head={null} docked dock={null} onClose={null} />
        </SnackbarProvider>
      </QueryClientProvider>
    </ViewServicesContext>
  );

  const { rerender } = render(panelOf(false));
  expect(screen.getByText('Reading telemetry')).toBeDefined();
  rerender(panelOf(true));

  expect(screen.getByText('No telemetry at this moment')).toBeDefined();
});

it('shows the last record at or before the frame, and says which', async () => {
  const { shown } = await show();

  await shown(START + 250_000);
  expect(panel().dataset.recordTimeUs).toBe(String(START + 200_000));
  expect(shownValue('Altitude')).toBe('402');
  expect(shownValue('Latitude')).toBe('37°33\'59.40"N');
  await shown(START + 5_000_000);

  expect(shownValue('Altitude')).toBe('450');
});

it('shows the buttons of a value by a tap on it, which presses none of them', async () => {
  const { shown } = await show();
  await shown(START);
  const row = screen.getByText('Altitude').parentElement!;

  await userEvent.click(row.querySelector('[data-part="value"]')!);

  expect(document.activeElement).toBe(row);
  expect(screen.getByRole('button', { name: 'Unpin Sensor True Altitude' })).toBeDefined();
});

it('says how many sets come in a second, from the first picture on', async () => {
  const { shown } = await show();

  await shown(START);
  expect(panel().textContent).toContain('10 packets/s, current');
  await shown(START + 9_950_000);
  expect(panel().textContent).toContain('10 packets/s, current');
  cleanup();

  const seldom = await show({
    fetchPage: async (from, to) => {
      const page = flight(from, to);
      const retained = <Value,>(column: Value[]) => column.filter((_, index) => index % 10 === 0);
      const tags = Object.fromEntries(Object.entries(page.tags).map(([tag, column]) => [tag, retained(column)]));
      return { ...page, time: retained(page.time), tags };
    },
  });
  await seldom.shown(START);
  expect(panel().textContent).toContain('1.0 packets/s, current');
  cleanup();

  const once = await show({
    fetchPage: async (from, to) => ({ ...flight(from, from + 100_000), to }),
  });
  await once.shown(START + 500_000);
  expect(panel().textContent).toContain('0.50 s old');
  expect(panel().textContent).not.toContain('packets/s');
});

it('shows no values of another moment where there is no telemetry, and says so', async () => {
  const { shown, shownWithout } = await show();
  await shown(START + 5_000_000);

  await shownWithout(START + 30_000_000);
  expect([shownValue('Altitude'), shownValue('Latitude')]).toEqual(['–', '–']);
  expect(screen.queryByText(/packets\/s/)).toBeNull();
  expect(screen.getByText('No telemetry at this moment')).toBeDefined();
  await shown(START + 5_000_000);

  expect(shownValue('Altitude')).toBe('450');
  expect(screen.getByText(/packets\/s/)).toBeDefined();
});

it('keeps a value that is sent seldom and says how old it is', async () => {
  const { shown } = await show();

  await shown(START + 5_000_000);

  expect(shownValue('Platform Tail Number')).toBe('SX-OSP');
  expect(screen.getByText('5 s old')).toBeDefined();
});

it('says the age of every value against the picture on demand', async () => {
  const { shown } = await show();
  const age = (name: string) => screen.getByText(name).parentElement!.querySelector('[data-part="age"]')!.textContent;
  await shown(START + 5_040_000);
  expect(age('Altitude')).toBe('');

  await userEvent.click(screen.getByRole('button', { name: 'Tag numbers and ages' }));
  expect([age('Altitude'), age('Platform Tail Number')]).toEqual(['0.0 s', '5.0 s']);
  await shown(START + 5_390_000);

  expect([age('Altitude'), age('Platform Tail Number')]).toEqual(['0.1 s', '5.4 s']);
});

it('flags sets that failed their checksum, and says when the newest one did', async () => {
  const damaged = [START + 2_000_000, START + 2_100_000];
  const { shown } = await show({
    fetchPage: async (from, to) => {
      const { time, ...page } = flight(from, to);
      const good = time.flatMap((one, at) => (damaged.includes(one) ? [] : at));
      const tags = Object.fromEntries(
        Object.entries(page.tags).map(([tag, column]) => [tag, good.map((at) => column[at] ?? null)]),
      );
      return { ...page, time: good.map((at) => time[at]!), tags, failed: damaged };
    },
  });
  const flag = () => panel().querySelector<HTMLElement>('[data-part="failed-sets"]')!;

  await shown(START + 1_950_000);
  expect(flag().hidden).toBe(true);
  await shown(START + 2_150_000);
  expect([flag().hidden, flag().textContent]).toEqual([false, 'Checksum failed']);
  expect(shownValue('Altitude')).toBe('419');
  await shown(START + 2_250_000);
  expect(flag().textContent).toBe('2 failed');
  await shown(START + 8_000_000);

  expect(flag().hidden).toBe(true);
});

it('shows the bytes of an item in its set, walked and copied by keys, and goes back to the values', async () => {
  const user = userEvent.setup();
  const write = vi.spyOn(navigator.clipboard, 'writeText');
  const { shown } = await show();
  await shown(START + 250_000);

  await user.click(screen.getByRole('button', { name: 'Bytes of Sensor True Altitude' }));
  const list = await screen.findByRole('listbox', { name: 'Items of the set, with their bytes' });
  const chosen = () => within(list).getByRole('option', { selected: true });
  expect(document.activeElement).toBe(list);
  expect(chosen().querySelector('[data-part="hex"]')!.textContent).toBe('c2 21');
  expect(screen.getByText('ST 0601, 31 bytes, PID 257, byte 1 880 of flight.ts')).toBeDefined();
  expect(screen.getByText('Checksum 0x1234, but the bytes give 0xabcd')).toBeDefined();
  await user.keyboard('{Enter}');
  expect(write).toHaveBeenLastCalledWith('c2 21');
  await user.keyboard('{ArrowUp}{Control>}c{/Control}');
  const time = (START + 200_000).toString(16).padStart(16, '0');
  expect(write).toHaveBeenLastCalledWith(time.match(/../g)!.join(' '));
  await user.click(screen.getByRole('button', { name: 'Copy the set as hex' }));
  expect(write).toHaveBeenLastCalledWith(setAt(START + 200_000).set!.hex);

  list.focus();
  await user.keyboard('{Escape}');
  expect(shownValue('Altitude')).toBe('402');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Bytes of the set' }));
});

it('reads the set of each picture that is stepped to, and stays with one item', async () => {
  const { shown } = await show();
  await shown(START);
  await userEvent.click(screen.getByRole('button', { name: 'Bytes of Sensor True Altitude' }));
  await screen.findByRole('listbox');

  await shown(START + 100_000);

  await vi.waitFor(() =>
    expect(panel().querySelector('[data-part="set-bytes"]')!.getAttribute('data-set-time-us')).toBe(
      String(START + 100_000),
    ),
  );
  expect(screen.getByRole('option', { selected: true }).dataset.tag).toBe('15');
});

it('says why there are no bytes', async () => {
  const sidecar = await show({ fetchSet: async (time) => ({ sensor: ID, time, set: null, reason: 'sidecar' }) });
  await sidecar.shown(START);
  await userEvent.click(screen.getByRole('button', { name: 'Bytes of the set' }));
  expect(await screen.findByText(/This telemetry came from a text file/)).toBeDefined();
  cleanup();

  const live = await show({ live: true });
  await live.shown(START);
  await userEvent.click(screen.getByRole('button', { name: 'Bytes of the set' }));
  expect(await screen.findByText(/Raw bytes are not available live/)).toBeDefined();
});

it('finds items, pins them and shows their tag numbers', async () => {
  const { shown } = await show();
  await shown(START);

  await userEvent.type(screen.getByRole('searchbox', { name: 'Search items' }), 'tail');
  expect(screen.queryByText('Altitude')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Pin Platform Tail Number' }));
  await userEvent.click(screen.getByRole('button', { name: 'Tag numbers and ages' }));

  const row = screen.getByRole('button', { name: 'Unpin Platform Tail Number' }).closest('[data-tag]')!;
  expect(row.textContent).toMatch(/4.*SX-OSP.*/); // S2-205
  const acts = within(row as HTMLElement)
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label'));
  expect(acts).toEqual(expect.arrayContaining([expect.stringMatching(/^Copy/), expect.stringMatching(/^Bytes of/)]));
  expect(JSON.parse(localStorage.getItem('telemetryPinned') ?? '[]')).toContain('4');
});

it('gives the focus to the search field when it is opened, and to none that was there', async () => {
  const { shown } = await show();
  await shown(START);
  const search = () => screen.getByRole('searchbox', { name: 'Search items' });
  const toggle = screen.getByRole('button', { name: texts.showSearch });
  expect(document.activeElement).toBe(document.body);

  await userEvent.click(toggle);
  await userEvent.click(toggle);
  expect(document.activeElement).toBe(search());

  // The way back from the bytes is to their button.
  await userEvent.click(screen.getByRole('button', { name: texts.bytes }));
  await userEvent.click(screen.getByRole('button', { name: texts.bytes }));
  expect(document.activeElement).not.toBe(search());
});

it('is one stop of Tab, and arrow keys go through its items', async () => {
  const user = userEvent.setup();
  const { shown } = await show();
  await shown(START);
  const list = screen.getByRole('group', { name: texts.title });
  const focused = () => document.activeElement?.getAttribute('aria-label');

  list.focus();
  await user.keyboard('{ArrowDown}');
  const first = focused();
  expect(first).toMatch(/^(?:Unp|P)in /);
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
  expect(focused()).toMatch(/^Bytes of /);
  await user.keyboard('{ArrowDown}{ArrowLeft}{ArrowLeft}');
  expect(focused()).toMatch(/^(?:Unp|P)in /);
  expect(focused()).not.toBe(first);
  await user.keyboard('{ArrowUp}{ArrowUp}');
  expect(document.activeElement).toBe(list);
  await user.tab();
  expect(list.contains(document.activeElement)).toBe(false);
});

it('copies one value as it is read', async () => {
  const user = userEvent.setup();
  const write = vi.spyOn(navigator.clipboard, 'writeText');
  const { shown } = await show();
  await shown(START);

  await user.click(screen.getByRole('button', { name: 'Copy Sensor Latitude' }));

  expect(write).toHaveBeenCalledWith('37°33\'59.40"N');
  expect(await screen.findByText('Values copied')).toBeDefined();
});

it('says so when there is no telemetry and when it cannot be read', async () => {
  const empty = await show({ fetchPage: async (from, to) => ({ ...flight(from, from), to }) });
  await empty.shown(START);
  expect(screen.getByRole('status').textContent).toBe('No telemetry at this moment');
  cleanup();

  const broken = await show({ fetchPage: async () => Promise.reject(new Error('gone')) });
  await broken.shown(START);

  expect(screen.getByRole('alert').textContent).toContain('Telemetry could not be read');
});
