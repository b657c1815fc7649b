// @vitest-environment jsdom
import type { PictureSheet } from '@osprey/contract';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { storageKeys } from '../base/keys.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { sheetAt, withSheets } from '../testing/sheets.ts';
import { SECOND, show, track, withLayout } from '../testing/timeline.tsx';

withLayout();
const { requested, refuse } = withSheets();
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

/** An hour with a gap from 1000 s to 2600 s, of which a part has pictures. */
const first = sheetAt(
  Array.from({ length: 60 }, (_none, n) => n * 10),
  'first',
);
const second = sheetAt(
  Array.from({ length: 40 }, (_none, n) => 600 + n * 10),
  'second',
);

type Given = {
  sheets?: readonly PictureSheet[];
  pictures?: readonly { time: number; url: string }[];
  compact?: boolean;
};

function open({ sheets = [first, second], pictures = [], compact = false }: Given = {}) {
  const fake = fakeApi({
    'GET /sensors/sheets/:mission/:sensor': () => sheets,
    'GET /sensors/pictures/:mission/:sensor': () => pictures,
  });
  return { ...fake, ...show({ api: fake.api, compact }) };
}

const inRow = () => [...document.querySelectorAll('[data-part="filmstrip"] [data-part="cell"]')];
const timesIn = (cells: readonly Element[]) => cells.map((cell) => Number(cell.getAttribute('data-time')) / SECOND);
const hovered = () => document.querySelector('[data-part="hover-picture"]');
const hover = (clientX: number) => fireEvent.pointerMove(track(), { clientX, clientY: 40, pointerType: 'mouse' });
/** The first bar has a number of targets, which only bars show. */
const histogram = () => document.querySelectorAll('svg path[transform]').length;

it('shows pictures in place of bars, each at its own time, by one request for each sheet', async () => {
  open();

  await waitFor(() => expect(inRow().length).toBeGreaterThan(8));
  for (const cell of inRow()) {
    const atSecond = Number(cell.getAttribute('data-time')) / SECOND;
    expect(Number(cell.getAttribute('x'))).toBeCloseTo((atSecond / 3600) * 1000);
  }
  // Nothing in the gap, and nothing where there are no pictures.
  expect(Math.max(...timesIn(inRow()))).toBeLessThan(1000);
  expect(requested.toSorted()).toEqual([first.url, second.url]);
  expect(histogram()).toBe(0);
});

it('shows bars by choice, which is remembered', async () => {
  open();
  await waitFor(() => expect(inRow().length).toBeGreaterThan(0));

  await userEvent.click(screen.getByRole('button', { name: 'Show bars' }));
  expect(inRow()).toEqual([]);
  expect(histogram()).toBeGreaterThan(0);
  expect(localStorage.getItem(storageKeys.timelineRows)).toBe('bars');

  await userEvent.click(screen.getByRole('button', { name: 'Show pictures' }));
  expect(inRow().length).toBeGreaterThan(0);
  expect(localStorage.getItem(storageKeys.timelineRows)).toBe('pictures');
});

it('leaves the row as it is where a sheet may not be read any more', async () => {
  refuse(first.url);
  open();

  await waitFor(() => expect(inRow().length).toBeGreaterThan(0));
  expect(requested.toSorted()).toEqual([first.url, second.url]);
  expect(Math.min(...timesIn(inRow()))).toBeGreaterThanOrEqual(600);
});

it('shows the picture at the pointer with the time of the picture, and the time alone where none is near', async () => {
  open();

  hover(102);
  // The pointer is at 367.2 s.
  await waitFor(() => expect(timesIn([...hovered()!.querySelectorAll('[data-part="cell"]')])).toEqual([360]));
  expect(hovered()!.textContent).toBe('00:06:00 Z');
  hover(500);
  await waitFor(() => expect(hovered()!.textContent).toBe('00:30:00 Z'));
  expect(hovered()!.querySelector('[data-part="cell"]')).toBeNull();
});

it('reads the larger picture only where the pointer rests, and only that of the same moment', async () => {
  const { inputsOf } = open({ pictures: [{ time: 360 * SECOND, url: '/videos/large.jpg' }] });
  await waitFor(() => expect(inRow().length).toBeGreaterThan(0));
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });

  for (const x of [60, 70, 80, 90, 102]) {
    hover(x);
    act(() => void vi.advanceTimersByTime(100));
  }
  expect(inputsOf('GET /sensors/pictures/:mission/:sensor')).toHaveLength(0);
  act(() => void vi.advanceTimersByTime(400));
  await waitFor(() => expect(hovered()!.querySelector('img')?.getAttribute('src')).toBe('/videos/large.jpg'));
  hover(110);

  await waitFor(() => expect(hovered()!.querySelector('img')).toBeNull());
});

it('shows single pictures where they are not joined yet, with their own time', async () => {
  open({ sheets: [], pictures: [{ time: 360 * SECOND, url: '/videos/large.jpg' }] });

  hover(102);

  await waitFor(() => expect(hovered()!.querySelector('img')?.getAttribute('src')).toBe('/videos/large.jpg'));
  expect(hovered()!.textContent).toBe('00:06:00 Z');
  expect(requested).toEqual([]);
  expect(histogram()).toBeGreaterThan(0);
});

it('shows the picture while a finger slides along a phone, and not after it', async () => {
  open({ compact: true });
  const finger = { clientY: 40, pointerType: 'touch', pointerId: 1 };
  fireEvent.pointerDown(track(), { ...finger, clientX: 20, button: 0 });
  expect(hovered()).toBeNull();

  fireEvent.pointerMove(track(), { ...finger, clientX: 60 });
  fireEvent.pointerMove(track(), { ...finger, clientX: 102 });
  await waitFor(() => expect(hovered()?.textContent).toBe('00:06:00 Z'));
  fireEvent.pointerUp(track(), { ...finger, clientX: 102 });

  expect(hovered()).toBeNull();
});
