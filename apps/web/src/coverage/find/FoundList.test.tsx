// @vitest-environment jsdom
import type { FoundSpan } from '@osprey/contract';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { targetPlace } from '../../onscreen/target-place.ts';
import { seriousFindings } from '../../testing/axe.ts';
import { caseOf, casePartOf } from '../../testing/cases.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { admin, show } from '../../testing/show.tsx';
import { endPlaying, playList } from '../play/play-list.ts';
import { FoundList } from './FoundList.tsx';
import type { Found } from './useFind.ts';

afterEach(() => {
  cleanup();
  endPlaying();
});

const START = Date.UTC(2026, 5, 1, 23, 59, 50) * 1000;
const span: FoundSpan = {
  ...{ missionId: '00000000-0000-4000-8000-000000000001', mission: 'PATROL-7', platform: 'Falcon' },
  ...{
    sensorId: '00000000-0000-4000-8000-000000000002',
    sensor: 'EO',
    securityClassification: 'UNCLASSIFIED' as const,
    marked: true,
  },
  ...{ from: START, to: START + 20e6, first: START, distanceM: 834, resolutionM: 0.25, lookDeg: 359.7 },
  corners: [
    [24, 38],
    [25, 38],
    [25, 37],
    [24, 37],
  ],
};
const ORDERED = '00000000-0000-4000-8000-0000000000ff';
const none = { count: 0, sensors: [] };
const searched: Found = {
  ...{ spans: [], total: null, searchedTo: null, isSearching: false, isComplete: true, error: null },
  unsure: { notIndexed: none, withoutPosition: none, uncertainClock: none },
  refetch: vi.fn(),
  readOn: vi.fn(),
};

function open(found: Partial<Found>, filter = {}, { role }: Pick<typeof admin, 'role'> = admin) {
  const given = { onChosen: vi.fn(), onDay: vi.fn(), onBookmark: vi.fn(), onOrdered: vi.fn() };
  const question = { shape: { type: 'Point' as const, coordinates: [24.5, 37.5] as [number, number] }, filter };
  const { api, inputsOf } = fakeApi({
    'GET /sensors/pictures/:mission/:sensor': () => [],
    'GET /cases': () => [caseOf()],
    'POST /coverage/clips': () => ({ id: ORDERED, clips: 1, left: 1 }),
    'POST /cases/:id/parts': ({ body }) => (body as unknown as { parts: [] }).parts.map(() => casePartOf()),
  });
  const listOf = (now: Partial<Found>) => <FoundList question={question} found={{ ...searched, ...now }} {...given} />;
  const { container, place, rerender } = show(listOf(found), {
    api,
    at: '/find?days=3',
    session: { actor: { ...admin, role } },
  });
  return { ...given, container, place, inputsOf, update: (now: Partial<Found>) => rerender(listOf(now)) };
}

it('saves the chosen times alone as a file, as they are listed', async () => {
  const saved: Blob[] = [];
  const keep = (blob: Blob) => `blob:${saved.push(blob)}`;
  Object.assign(URL, { createObjectURL: keep, revokeObjectURL: vi.fn() });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  open({ spans: [span, { ...span, mission: 'PATROL-8', sensorId: crypto.randomUUID() }] });
  await userEvent.click(screen.getByRole('checkbox', { name: /^Choose PATROL-8/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Export' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: '1 chosen, CSV' }));
  await screen.findByText('1 time was exported');
  const reader = new FileReader();
  reader.readAsText(saved[0]!);
  await vi.waitFor(() => expect(reader.result).not.toBeNull());
  const rows = String(reader.result).trim().split('\r\n');
  expect(rows.map((row) => row.split(',')[3])).toEqual(['mission', 'PATROL-8']);
  click.mockRestore();
});

it('orders what has pictures as clips, one job for all of them, but no guest does', async () => {
  const still = { ...span, to: span.to + 60e6, resolutionM: null };
  const { onOrdered, inputsOf } = open({ spans: [span, still] });
  await userEvent.click(screen.getByRole('button', { name: 'Export' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: '1 clip, MP4' }));
  await screen.findByText(/Exporting 1 clip.* 1 time without pictures/);
  const { missionId, sensorId, from, to } = span;
  expect(inputsOf('POST /coverage/clips')).toEqual([
    { body: { spans: [{ missionId, sensorId, from, to }], format: 'mp4' } },
  ]);
  expect(onOrdered).toHaveBeenCalledWith(ORDERED);
  cleanup();

  open({ spans: [span] }, {}, { role: 'guest' });
  await userEvent.click(screen.getByRole('button', { name: 'Export' }));
  await screen.findByRole('menuitem', { name: 'CSV' });
  expect(screen.queryByRole('menuitem', { name: /clip/ })).toBeNull();
});

it('says of how many times these are once they are counted, and that there may be more', async () => {
  const total = { count: 1000, isMore: true };
  open({ spans: [span], isComplete: false, total });
  await screen.findByText(/^1 of 1.000\+ times, the newest first$/);
  cleanup();
  open({ spans: [span], isComplete: false, total: { count: 12, isMore: false } });
  await screen.findByText('1 of 12 times, the newest first');
  cleanup();
  open({ spans: [span], isComplete: false });
  await screen.findByText('Seen more often; the newest time');
});

it('lists the times with the direction of the look, and shows the ground of the one that is pointed at', async () => {
  const { container, onChosen } = open({ spans: [span] });
  const row = await screen.findByRole('button', { name: /^Play PATROL-7, EO/ });
  expect(row.textContent).toContain('view N (000°)');
  expect(screen.getByRole('status').textContent).toBe('Seen once');
  fireEvent.mouseEnter(row);
  expect(onChosen).toHaveBeenLastCalledWith(span);
  fireEvent.mouseLeave(row);
  expect(onChosen).toHaveBeenLastCalledWith(null);
  expect(await seriousFindings(container)).toEqual([]);
});

it('says in its row that a time is approximate, and nothing of the size of a pixel that is not known', async () => {
  open({ spans: [{ ...span, resolutionM: 0, approximate: true }] });
  const row = await screen.findByRole('button', { name: /^Play PATROL-7, EO/ });
  expect(row.textContent).toContain('view N (000°) · approximate');
  expect(row.textContent).not.toContain('a pixel');
});

it('says never only where everything was searched and nothing is filtered', () => {
  open({});
  expect(screen.getByText('No recording shows this place.')).toBeTruthy();
  cleanup();
  open({}, { days: 3 });
  expect(screen.getByText('Nothing matches.')).toBeTruthy();
  cleanup();
  open({ unsure: { ...searched.unsure!, withoutPosition: { count: 2, sensors: [] } } });
  expect(screen.getByText('Nothing was found so far. Not every recording could be searched.')).toBeTruthy();
  expect(screen.getByText('2 recordings without a view of the ground')).toBeTruthy();
});

it('says how far back it was searched, and goes on when asked to', async () => {
  const readOn = vi.fn();
  open({ isComplete: false, searchedTo: START, readOn });
  expect(screen.queryByText('No recording shows this place.')).toBeNull();
  expect(screen.getByText('Searched back to Jun 01 2026, 23:59 Z.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Show older ones' }));
  expect(readOn).toHaveBeenCalledOnce();
});

it('shows the days, each with the part of a time that is in it', async () => {
  const { onDay } = open({ spans: [span] });
  await userEvent.click(screen.getByRole('button', { name: 'Days' }));
  expect(screen.getByRole('button', { name: 'Jun 01 2026: 1 time, 0:10' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Jun 02 2026: 1 time, 0:10' }));
  const day = Date.UTC(2026, 5, 2) * 1000;
  expect(onDay).toHaveBeenCalledWith(day, day + 86_400e6);
});

const earlier = { ...span, from: START - 60e6, to: START - 50e6, first: START - 60e6 };
const secret = { ...earlier, sensor: 'IR', sensorId: crypto.randomUUID(), securityClassification: 'SECRET' as const };
const partOf = ({ sensorId, from, to }: FoundSpan) => ({ kind: 'track', sensorId, startTime: from, endTime: to });

async function addToCase() {
  const dialog = await screen.findByRole('dialog', { name: 'Add to case' });
  await userEvent.click(await screen.findByRole('option', { name: /Slick off Kea/ }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add' }));
}

it('puts the track of one time into a case', async () => {
  const { inputsOf } = open({ spans: [span, earlier] });
  const name = 'Add PATROL-7, EO, Jun 01 2026, 23:59:50 to a case';
  await userEvent.click(screen.getByRole('button', { name }));
  await addToCase();
  await screen.findByText('Added to case 7.');
  expect(inputsOf('POST /cases/:id/parts')).toMatchObject([
    { body: { parts: [{ ...partOf(span), title: 'EO, Jun 01 2026, 23:59:50 to 00:00:10 Z' }] } },
  ]);
});

it('puts several chosen times into a case, with the highest of their labels', async () => {
  const { inputsOf } = open({ spans: [span, earlier, secret] });
  await userEvent.click(screen.getByRole('checkbox', { name: 'Choose all that are listed' }));
  expect(screen.getByRole('status').textContent).toBe('3 chosen');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Choose PATROL-7, EO, Jun 01 2026, 23:59:50' }));
  await userEvent.click(screen.getByRole('button', { name: 'Add to case' }));
  expect(within(await screen.findByRole('dialog')).getByText('SECRET')).toBeTruthy();
  await addToCase();
  await screen.findByText('2 parts added to case 7.');
  expect(inputsOf('POST /cases/:id/parts')).toMatchObject([{ body: { parts: [partOf(earlier), partOf(secret)] } }]);
  expect(screen.getByRole('status').textContent).toBe('Seen 3 times');
});

it('offers neither cases nor bookmarks to guests', () => {
  open({ spans: [span] }, {}, { role: 'guest' });
  expect(screen.getByRole('button', { name: /^Play PATROL-7/ })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /case|Bookmark/ })).toBeNull();
});

it('keeps what is chosen and where the focus is while a time goes on', async () => {
  const { update } = open({ spans: [span] });
  await userEvent.click(screen.getByRole('checkbox', { name: /^Choose PATROL-7/ }));
  const row = screen.getByRole('button', { name: /^Play PATROL-7/ });
  row.focus();
  update({ spans: [{ ...span, to: span.to + 3e6 }] });
  await screen.findByText('Jun 01 2026, 23:59:50 to 00:00:13 Z');
  expect(document.activeElement).toBe(row);
  expect(screen.getByRole('status').textContent).toBe('1 chosen');
});

it('plays all that have pictures one after another, or those that are chosen', async () => {
  const { place } = open({ spans: [{ ...secret, resolutionM: null }, span, earlier] });
  await userEvent.click(screen.getByRole('button', { name: 'Play all' }));
  expect(playList.get()).toEqual({ spans: [span, earlier], at: 0, back: '/find?days=3', actorId: admin.id });
  expect(targetPlace.get()).toEqual({ lon: 24.5, lat: 37.5 });
  expect(place.current).toBe(
    `/missions?mission=${span.missionId}&sensor=${span.sensorId}&t=2026-06-01T23%3A59%3A50.000Z`,
  );
  await userEvent.click(screen.getByRole('checkbox', { name: /^Choose PATROL-7, EO, Jun 01 2026, 23:58:50/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Play the chosen' }));
  expect(playList.get()?.spans).toEqual([earlier]);
});

it('says where nothing has pictures to play', () => {
  open({ spans: [{ ...span, resolutionM: null }] });
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Play all' }).disabled).toBe(true);
});

it('bookmarks a time that has pictures', async () => {
  const { onBookmark } = open({ spans: [span, { ...secret, resolutionM: null }] });
  await userEvent.click(screen.getByRole('button', { name: /^Bookmark PATROL-7/ }));
  expect(onBookmark).toHaveBeenCalledWith(span);
});
