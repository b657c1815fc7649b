// @vitest-environment jsdom
import { AppError } from '@osprey/contract';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useSearchParams } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { createMissionClock } from '../../onscreen/clock/mission-clock.ts';
import { createSignal } from '../../onscreen/signal.ts';
import { targetPlace } from '../../onscreen/target-place.ts';
import { ViewServicesContext } from '../../onscreen/view-services.ts';
import { type Answers, fakeApi, missionOf, newId } from '../../testing/fake-api.ts';
import { admin, show } from '../../testing/show.tsx';
import { viewServices } from '../../testing/view-services.ts';
import { FoundPlaying } from './FoundPlaying.tsx';
import { type PlayedSpan, playList } from './play-list.ts';

afterEach(() => {
  cleanup();
  playList.set(null);
  targetPlace.set(null);
});

const SECOND = 1_000_000;
const [here, there, hidden] = [missionOf(), missionOf(), missionOf()];
const [eo, ir] = [newId(), newId()];
const BACK = '/find?shape=x';

const spanOf = (missionId: string, sensorId: string, [from, to]: [number, number]): PlayedSpan => ({
  ...{ missionId, sensorId, from: from * SECOND, to: to * SECOND, first: from * SECOND },
});

/** A sensor that has a picture of every moment, and plays as the test says. */
function sensorAt(id: string) {
  const state = { us: 0, playing: false };
  const member = {
    ...{ id, covers: () => true, nextCovered: (us: number) => us, lastCovered: (us: number) => us },
    ...{ nowUs: () => state.us, isReady: () => true, miss: () => undefined, step: async () => null },
    show(us: number) {
      state.us = us;
    },
    play() {
      state.playing = true;
    },
    pause() {
      state.playing = false;
    },
  };
  return { state, member };
}

/** Each mission has a view of its own. */
function Page() {
  const missionId = useSearchParams()[0].get('mission') ?? here._id;
  return (
    <FoundPlaying key={missionId} missionId={missionId}>
      the view
    </FoundPlaying>
  );
}

function view(spans: PlayedSpan[], { actorId = admin.id, at = 0, answers = {} as Answers } = {}) {
  let look: (() => void) | null = null;
  let now = 0;
  const clock = createMissionClock({
    ...{ startUs: 0, endUs: 100 * SECOND, timeUs: spans[at]!.first, now: () => now },
    onNextPaint(next) {
      look = next;
      return () => {
        look = null;
      };
    },
  });
  const players = [eo, ir].map(sensorAt);
  for (const { member } of players) clock.join(member);
  const fake = fakeApi({
    'GET /missions/:mission': ({ params }) => {
      if (params?.mission === hidden._id) throw new AppError('notFound');
      return there;
    },
    ...answers,
  });
  playList.set({ spans, at, back: BACK, actorId });
  targetPlace.set({ lon: 24, lat: 37 });
  const services = { ...viewServices(), clock, firstFrame: createSignal(true) };
  const shown = show(
    <ViewServicesContext value={services}>
      <Page />
    </ViewServicesContext>,
    { api: fake.api },
  );
  /** Plays to this second. */
  const playTo = async (second: number) => {
    for (const us of [clock.timeUs(), second * SECOND]) {
      now += Math.max(20, (us - clock.timeUs()) / 1000);
      for (const { state } of players) state.us = us;
      look?.();
    }
    // Waits one task, so that React has run the effects of the new time.
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { ...fake, ...shown, clock, playTo };
}

const status = async () => (await screen.findByRole('region', { name: 'Found times' })).querySelector('[role=status]');

it('keeps the mark of the place from mission to mission', async () => {
  view([spanOf(here._id, eo, [10, 20]), spanOf(there._id, eo, [40, 50])]);
  await status();
  await userEvent.click(screen.getByRole('button', { name: /^Next/ }));
  await screen.findByText('2 of 2 found');
  expect(targetPlace.get()).toEqual({ lon: 24, lat: 37 });
});

it('plays the first, goes on when its end has passed, and stops after the last', async () => {
  const { clock, playTo, place } = view([spanOf(here._id, eo, [10, 20]), spanOf(here._id, ir, [40, 50])]);
  expect((await status())!.textContent).toBe('1 of 2 found');
  await waitFor(() => expect(clock.get().playing).toBe(true));
  await playTo(19);
  expect(playList.get()?.at).toBe(0);
  await playTo(20.1);
  await screen.findByText('2 of 2 found');
  expect(clock.timeUs()).toBe(40 * SECOND);
  expect(clock.get()).toMatchObject({ leader: ir, playing: true });
  expect(place.current).toBe(`/missions?mission=${here._id}&sensor=${ir}&t=1970-01-01T00%3A00%3A40.000Z`);
  await playTo(50.1);
  await screen.findByText('All times that were found have been played.');
  expect(clock.get().playing).toBe(false);
});

it('goes on where the recording ends within the last second of a span', async () => {
  const { clock, playTo } = view([spanOf(here._id, eo, [90, 101]), spanOf(here._id, eo, [40, 50])]);
  await status();
  await waitFor(() => expect(clock.get().playing).toBe(true));
  await playTo(100);
  await screen.findByText('2 of 2 found');
  expect(clock.timeUs()).toBe(40 * SECOND);
});

it('leaves alone who goes to another moment', async () => {
  const { clock, playTo } = view([spanOf(here._id, eo, [10, 20]), spanOf(here._id, eo, [40, 50])]);
  await status();
  await waitFor(() => expect(clock.get().playing).toBe(true));
  clock.seek(60 * SECOND);
  await playTo(61);
  expect(playList.get()?.at).toBe(0);
});

it('goes on and back by N and P, also to another mission, without those that are gone', async () => {
  const spans = [spanOf(here._id, eo, [10, 20]), spanOf(hidden._id, eo, [1, 2]), spanOf(there._id, ir, [5, 9])];
  const { place, clock } = view([spanOf(here._id, ir, [60, 70]), ...spans]);
  await status();
  await userEvent.keyboard('p');
  expect(playList.get()?.at).toBe(0);
  await userEvent.keyboard('n');
  await screen.findByText('2 of 4 found');
  expect(clock.timeUs()).toBe(10 * SECOND);
  await userEvent.keyboard('p');
  await screen.findByText('1 of 4 found');
  await userEvent.click(screen.getByRole('button', { name: 'Next (N)' }));
  await screen.findByText('2 of 4 found');
  await userEvent.keyboard('n');
  await screen.findByText('A mission was left out: it was deleted, or you may not see it.');
  expect(playList.get()).toMatchObject({ at: 2, spans: [{}, {}, { missionId: there._id }] });
  expect(place.current).toBe(`/missions?mission=${there._id}&sensor=${ir}&t=1970-01-01T00%3A00%3A05.000Z`);
  expect((await status())!.textContent).toBe('3 of 3 found');
});

it('leads back to the page, and ends', async () => {
  view([spanOf(here._id, eo, [10, 20])]);
  await status();
  expect(screen.getByRole('link', { name: 'Back to Find' }).getAttribute('href')).toBe(BACK);
  await userEvent.click(screen.getByRole('button', { name: 'End playing what was found' }));
  expect(screen.queryByRole('region', { name: 'Found times' })).toBeNull();
  expect(targetPlace.get()).toBeNull();
});

it('ends where the user opens another mission, or is another account', async () => {
  view([spanOf(there._id, eo, [10, 20])]);
  expect(playList.get()).toBeNull();
  cleanup();
  view([spanOf(here._id, eo, [10, 20])], { actorId: newId() });
  expect(playList.get()).toBeNull();
  expect(screen.queryByRole('region', { name: 'Found times' })).toBeNull();
});
