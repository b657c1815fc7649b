// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { createMissionClock } from '../onscreen/clock/mission-clock.ts';
import { SECOND, show, still, track, withLayout } from '../testing/timeline.tsx';
import { sensorRow, timelineOf, viewServices } from '../testing/view-services.ts';

withLayout();

it('seeks where it is clicked, and says the moment to screen readers', () => {
  const { clock } = show();

  fireEvent.pointerDown(track(), { clientX: 500, clientY: 40, button: 0 });
  fireEvent.pointerUp(track(), { clientX: 500, clientY: 40 });

  expect(clock.timeUs()).toBe(1800 * SECOND);
  expect(track().getAttribute('aria-valuetext')).toBe('Jan 01 1970 00:30:00 Z');
});

it('pans when it is dragged, without seeking', () => {
  const { clock } = show();
  fireEvent.wheel(track(), { deltaY: -2000, clientX: 500 });

  fireEvent.pointerDown(track(), { clientX: 500, clientY: 40, button: 0 });
  fireEvent.pointerMove(track(), { clientX: 100, clientY: 40 });
  fireEvent.pointerUp(track(), { clientX: 100, clientY: 40 });

  expect(clock.timeUs()).toBe(0);
  expect(screen.getByText(/ of 60 min/)).toBeDefined();
});

/** Position of the window in the overview, px. */
const windowX = () => document.querySelector('[data-part="overview"] rect:last-child')?.getAttribute('x');

it('moves what is shown by the window of the overview, from a press of the main button to its end', () => {
  show();
  fireEvent.wheel(track(), { deltaY: -1000, clientX: 0 });
  const overview = screen.getByTitle('Overview');
  const first = windowX();

  fireEvent.pointerDown(overview, { clientX: 700, button: 2, pointerId: 1 });
  fireEvent.pointerMove(overview, { clientX: 800, pointerId: 1 });
  expect(windowX()).toBe(first);

  fireEvent.pointerDown(overview, { clientX: 500, button: 0, pointerId: 1 });
  fireEvent.pointerMove(overview, { clientX: 600, pointerId: 1 });
  const moved = windowX();
  expect(Number(moved)).toBeGreaterThan(Number(first));
  // The browser took the pointer away: there is no release.
  fireEvent.pointerCancel(overview, { pointerId: 1 });
  fireEvent.lostPointerCapture(overview, { pointerId: 1 });
  fireEvent.pointerMove(overview, { clientX: 800, pointerId: 1 });

  expect(windowX()).toBe(moved);
});

it('lets go of the track where the browser takes the pointer away', () => {
  const { clock } = show();

  fireEvent.pointerDown(track(), { clientX: 100, clientY: 5, button: 0, pointerId: 1 });
  fireEvent.lostPointerCapture(track(), { pointerId: 1 });
  fireEvent.pointerMove(track(), { clientX: 500, clientY: 5, pointerId: 1 });

  expect(clock.timeUs()).toBe(360 * SECOND);
});

it('scrubs along the ruler', () => {
  const { clock } = show();

  fireEvent.pointerDown(track(), { clientX: 100, clientY: 5, button: 0 });
  expect(clock.timeUs()).toBe(360 * SECOND);
  fireEvent.pointerMove(track(), { clientX: 200, clientY: 5 });

  expect(clock.timeUs()).toBe(720 * SECOND);
});

it('shows the playhead again when it is sent out of a zoomed view, and keeps the view while the ruler is scrubbed', async () => {
  const { clock } = show();
  fireEvent.wheel(track(), { deltaY: -2000, clientX: 0 });
  const length = () => screen.getByText(/ of 60 min/).textContent;
  const zoomed = length();

  await userEvent.click(screen.getByRole('button', { name: 'To the end' }));
  expect(document.querySelector('[data-part="playhead"]')).toHaveProperty('hidden', false);
  expect(length()).toBe(zoomed);
  fireEvent.pointerDown(track(), { clientX: 500, clientY: 5, button: 0 });
  fireEvent.pointerMove(track(), { clientX: 3000, clientY: 5 });

  expect(clock.timeUs()).toBe(3600 * SECOND);
});

it('leaves who looks at another part there while the mission plays on, until they ask for a moment', () => {
  let look = () => {};
  let statedUs = 0;
  const clock = createMissionClock({
    startUs: 0,
    endUs: 3600 * SECOND,
    now: () => 0,
    onNextPaint: (next) => {
      look = next;
      return () => undefined;
    },
  });
  clock.join({ ...still, nowUs: () => statedUs });
  show({ joined: false, services: { ...viewServices(), clock } });
  const playTo = (timeUs: number) =>
    act(() => {
      statedUs = timeUs;
      look();
    });
  act(() => clock.play());
  playTo(0);
  fireEvent.wheel(track(), { deltaY: -2000, clientX: 0 });
  const first = windowX();

  playTo(99 * SECOND);
  const turned = windowX();
  fireEvent.wheel(track(), { deltaX: 9000 });
  const elsewhere = windowX();
  playTo(100 * SECOND);
  playTo(101 * SECOND);

  // A clock in view is followed out of it; one outside is left alone.
  expect(Number(turned)).toBeGreaterThan(Number(first));
  expect(Number(elsewhere)).toBeGreaterThan(Number(turned));
  expect(windowX()).toBe(elsewhere);

  act(() => clock.skip(10 * SECOND));

  expect(Number(windowX())).toBeLessThan(Number(elsewhere));
});

it('shows what is left of the mission where the part in view was taken away meanwhile', () => {
  const { clock } = show();
  fireEvent.wheel(track(), { deltaY: -1000, clientX: 1000 });

  act(() => clock.setRange({ startUs: 0, endUs: 600 * SECOND }));
  fireEvent.pointerDown(track(), { clientX: 500, clientY: 40, button: 0 });
  fireEvent.pointerUp(track(), { clientX: 500, clientY: 40 });

  expect(clock.timeUs() / SECOND).toBeCloseTo(302, 0);
});

it('shows a gap with its length', () => {
  show();

  expect(screen.getByText('27 min')).toBeDefined();
});

it('goes to a typed time and refuses one outside of the mission', async () => {
  const { clock } = show();
  await userEvent.click(screen.getByRole('button', { name: /^Go to a time/ }));
  const field = screen.getByRole('textbox', { name: 'Time, UTC' });

  await userEvent.clear(field);
  await userEvent.type(field, '07:00:00{Enter}');
  expect(screen.getByText(/The mission lasts from Jan 01 1970 00:00:00 Z/)).toBeDefined();
  await userEvent.clear(field);
  await userEvent.type(field, '00:10:30{Enter}');

  expect(clock.timeUs()).toBe(630 * SECOND);
});

it('plays, steps by ten seconds and changes the speed', async () => {
  const { clock } = show();

  await userEvent.click(screen.getByRole('button', { name: 'Forward 10 s' }));
  expect(clock.timeUs()).toBe(10 * SECOND);
  await userEvent.click(screen.getByRole('button', { name: 'Speed 1×' }));
  await userEvent.click(screen.getByRole('menuitemradio', { name: '4×' }));
  await userEvent.click(screen.getByRole('button', { name: 'Play' }));

  expect(clock.get()).toMatchObject({ speed: 4, playing: true });
  expect(screen.getByRole('button', { name: 'Pause' })).toBeDefined();
});

it('says that nothing leads while there is no picture to play', async () => {
  const { clock } = show({ joined: false });

  await userEvent.click(screen.getByRole('button', { name: 'Play' }));

  expect(await screen.findByText('Master sensor is not selected')).toBeDefined();
  expect(clock.get().playing).toBe(false);
});

it('says "No relevant video found." where nothing is covered, and only there', () => {
  show();
  expect(screen.queryByText('No relevant video found.')).toBeNull();
  cleanup();

  const sensor = sensorRow({ name: 'EO' });
  show({ sensor, timeline: { ...timelineOf(sensor), runs: [] } });

  expect(screen.getByText('No relevant video found.')).toBeDefined();
  // A sensor without times gets no invented ones.
  expect(document.querySelector('[data-part="playhead"]')).toBeNull();
  expect(screen.queryByText(/ of \d+ (?:s|min)$/)).toBeNull();
});

it('draws telemetry without a picture as a track, and waits for it without a word', () => {
  const klv = { state: 'good', text: 'Telemetry comes from flight.gpx: 3 records.' } as const;
  const sensor = sensorRow({ name: 'Track', hlsProps: null, klv });

  show({ sensor, timeline: { ...timelineOf(sensor), runs: [] } });
  expect(document.querySelectorAll('[data-part="telemetry-stretch"]')).toHaveLength(2);
  expect(screen.getByText('27 min')).toBeDefined();
  expect(screen.getByLabelText('Track, telemetry only, Time by KLV')).toBeDefined();
  expect(screen.queryByText('No relevant video found.')).toBeNull();
  cleanup();

  show({ sensor, timeline: null });
  expect(screen.queryByText('No relevant video found.')).toBeNull();
});

it('says so too where no sensor has anything to play', () => {
  show({ sensor: sensorRow({ name: 'EO', hlsProps: null }), timeline: null });

  expect(screen.getByText('No relevant video found.')).toBeDefined();
});
