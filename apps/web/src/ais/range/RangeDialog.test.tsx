// @vitest-environment jsdom
import { type AisRange, stationOf } from '@osprey/contract';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { seriousFindings } from '../../testing/axe.ts';
import { type Answers, fakeApi, newId, refusing } from '../../testing/fake-api.ts';
import { admin, show } from '../../testing/show.tsx';
import { RangeDialog } from './RangeDialog.tsx';
import { ringsOf } from './sectors.ts';

// Shows the dialog ais/range/RangeDialog.tsx PlainDialog

afterEach(cleanup);

const NM = 1852;
const [first, second] = ['KEA-1', 'KEA-2'].map((platformName) => ({
  ...{ sensor: newId(), sensorName: 'AIS', platform: newId(), platformName },
})) as [never, never];
const ship = (miles: number) => ({ ...stationOf(211_000_001), metres: miles * NM, timestamp: 1_700_000_000_000_000 });
const sectors = (heard: Record<number, number>) =>
  Array.from({ length: 36 }, (_, n) => (heard[n] === undefined ? null : ship(heard[n])));
const heard: AisRange = {
  place: { lat: 37.5, lon: 24.25, origin: 'hand' },
  days: [
    { day: '2023-11-15', sectors: sectors({ 0: 12, 21: 42 }) },
    { day: '2023-11-14', sectors: sectors({ 5: 7 }) },
  ],
  securityClassification: 'RESTRICTED',
};
const unplaced: AisRange = { place: null, days: [], securityClassification: 'UNCLASSIFIED' };

function open(answers: Answers, session = {}) {
  const fake = fakeApi(answers);
  show(<RangeDialog receivers={[first, second]} onClose={vi.fn()} />, { api: fake.api, session });
  return fake;
}

it('draws how far a receiver heard by bearing, with the same in a table, day by day', async () => {
  open({ 'GET /aissources/:id/range': () => heard }, { actor: { ...admin, role: 'user' } });
  const plot = await screen.findByRole('img', { name: /^Range by bearing/ });
  expect(plot.getAttribute('aria-label')).toBe(
    'Range by bearing. Farthest ship: 42.0 nm at 210°–220°. Ships were heard in 2 of 36 sectors.',
  );
  expect([...plot.querySelectorAll('[data-sector]')].map((one) => one.getAttribute('data-sector'))).toEqual([
    '0',
    '21',
  ]);
  const rows = () => within(screen.getByRole('table')).getAllByRole('row').slice(1);
  expect(rows().map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^000°–010°12\.0 nm211.*122:13:20$/),
    expect.stringMatching(/^210°–220°42\.0 nm211/),
  ]);
  expect(screen.getByText('RESTRICTED')).toBeDefined();
  expect(screen.getByText(/as it was set\.$/)).toBeDefined();
  expect(await seriousFindings(screen.getByRole('dialog'))).toEqual([]);

  await userEvent.click(screen.getByRole('combobox', { name: 'Day, UTC' }));
  await userEvent.click(screen.getByRole('option', { name: '2023-11-14' }));
  expect(rows()).toHaveLength(1);
  // Only users who set up platforms are offered the place.
  expect(screen.queryByLabelText('Place of the receiver')).toBeNull();
});

it('says that the place of a receiver is not known, and takes it from an admin', async () => {
  const fake = open({
    'GET /aissources/:id/range': () => unplaced,
    'PUT /aissources/:id/place': () => ({ message: 'set' }),
  });
  expect(await screen.findByText('The place of this receiver is not known')).toBeDefined();
  const set = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Set place' });
  expect(set().disabled).toBe(true);
  await userEvent.type(screen.getByLabelText('Place of the receiver'), 'nowhere');
  expect(screen.getByText(/^No such place/)).toBeDefined();
  await userEvent.clear(screen.getByLabelText('Place of the receiver'));
  await userEvent.type(screen.getByLabelText('Place of the receiver'), '37.5 24.25');
  await userEvent.click(set());
  await waitFor(() => expect(fake.inputsOf('PUT /aissources/:id/place')).toHaveLength(1));
  expect(fake.inputsOf('PUT /aissources/:id/place')[0]).toMatchObject({ body: { lat: 37.5, lon: 24.25 } });
  expect(await screen.findByText('The place of the receiver is set.')).toBeDefined();
});

it('shows ships that are heard while it is open', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  try {
    let range: AisRange = { ...heard, days: [] };
    open({ 'GET /aissources/:id/range': () => range });
    await screen.findByText('No ship has been heard since the place is known');
    range = heard;
    await vi.advanceTimersByTimeAsync(6000);
    expect(await screen.findByRole('img', { name: /^Range by bearing/ })).toBeDefined();
  } finally {
    vi.useRealTimers();
  }
});

it('says what the server said', async () => {
  open({ 'GET /aissources/:id/range': refusing('notFound') });
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Error: ./);
});

it('has at most five rings, the last at or beyond the farthest ship', () => {
  expect(ringsOf(sectors({ 0: 42 }))).toEqual([10, 20, 30, 40, 50]);
  expect(ringsOf(sectors({}))).toEqual([1]);
  expect(ringsOf(sectors({ 3: 4.2 }))).toEqual([1, 2, 3, 4, 5]);
});
