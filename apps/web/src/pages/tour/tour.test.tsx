// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { askForTour, isTourDue, makeTourDue } from '../../base/tour.ts';
import { texts as clipTexts } from '../../clips/texts.ts';
import { seriousFindings } from '../../testing/axe.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { admin, show } from '../../testing/show.tsx';
import { texts as timelineTexts } from '../../timeline/texts.ts';
import { TourHost } from './TourHost.tsx';

beforeEach(() => {
  localStorage.clear();
  makeTourDue(admin.username);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** A mission view without telemetry, bookmarks and Find: their steps are left out. */
function open({ isSample = true, session = {} }: { isSample?: boolean; session?: { authenticated?: boolean } } = {}) {
  return show(
    <>
      <button type="button">Row</button>
      <section data-sensor-id="s" />
      <section aria-label={timelineTexts.timeline} />
      <div data-map="ready" />
      <button type="button" aria-label={clipTexts.title} />
      <TourHost isSample={isSample} />
    </>,
    { api: fakeApi({}).api, session },
  );
}

const card = (title: string) => screen.findByRole('region', { name: title });
const untilFocused = async (title: string) => {
  const shown = await card(title);
  expect(document.activeElement).toBe(shown);
};
/** The code of the card has been asked for, or never will be. */
const settled = () => import('./Tour.tsx').then(() => new Promise((resolve) => setTimeout(resolve)));
const noTour = async () => {
  await settled();
  expect(screen.queryByText(/^Tour, /)).toBeNull();
};

it('goes on and back by Enter and arrow keys, over the steps whose target is there', async () => {
  open();

  await untilFocused('Video and clock');
  expect(screen.getByText('Tour, 1 of 4').closest('[aria-live="polite"]')?.textContent).toContain('Space plays');
  expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
  expect(await seriousFindings(document.body)).toEqual([]);
  await userEvent.keyboard('{Enter}');
  await card('Timeline');
  await userEvent.keyboard('{ArrowRight}');
  await card('Map');
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
  await card('Video and clock');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}');
  await untilFocused('Export a clip');
  screen.getByText('Tour, 4 of 4');
  await userEvent.keyboard('{Enter}');

  await noTour();
});

it('keeps its arrow keys from the player, and leaves those with Alt to the browser', async () => {
  open();
  await card('Video and clock');
  const reached: boolean[] = [];
  const note = ({ defaultPrevented }: Event) => void reached.push(defaultPrevented);
  document.addEventListener('keydown', note);

  await userEvent.keyboard('{ArrowRight}');
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}');

  document.removeEventListener('keydown', note);
  expect(reached).toEqual([true, false, false]);
  await card('Timeline');
});

it('goes on by its buttons, and the focus stays in the card', async () => {
  open();
  const shown = await card('Video and clock');

  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  await card('Timeline');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Next' }));
  await userEvent.click(screen.getByRole('button', { name: 'Back' }));

  expect(document.activeElement).toBe(shown);
});

it('ends by Escape wherever the focus is, gives the focus back, and does not begin again', async () => {
  open({ isSample: false });
  const before = screen.getByRole('button', { name: 'Row' });
  before.focus();
  askForTour(admin.username);
  await untilFocused('Video and clock');

  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(before));
  askForTour(admin.username);
  await card('Video and clock');
  before.focus();
  await userEvent.keyboard('{Escape}');

  await noTour();
});

it('is skipped for good, and other accounts of the browser have a memory of their own', async () => {
  makeTourDue('other');
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Skip tour' }));
  await noTour();
  cleanup();

  open();

  await noTour();
  expect([isTourDue(admin.username), isTourDue('other')]).toEqual([false, true]);
});

it('does not begin by itself for an account that no set-up made, nor over another mission', async () => {
  open({ isSample: false });
  await noTour();
  cleanup();
  localStorage.clear();

  open();

  await noTour();
});

it('never begins for a guest, nor on a phone', async () => {
  open({ session: { authenticated: false } });
  await noTour();
  cleanup();
  const nothing = () => undefined;
  const listening = {
    addListener: nothing,
    removeListener: nothing,
    addEventListener: nothing,
    removeEventListener: nothing,
  };
  vi.stubGlobal('matchMedia', (media: string) => ({ matches: media.includes('599.95'), media, ...listening }));

  open();

  await noTour();
  expect(isTourDue(admin.username)).toBe(true);
});
