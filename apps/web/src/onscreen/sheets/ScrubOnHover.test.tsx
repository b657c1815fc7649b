// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeApi, newId } from '../../testing/fake-api.ts';
import { sheetAt, withSheets } from '../../testing/sheets.ts';
import { show } from '../../testing/show.tsx';
import { SCRUB_MS, ScrubOnHover } from './ScrubOnHover.tsx';

const { requested, refuseLater } = withSheets();
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  Element.prototype.getBoundingClientRect = () => new DOMRect(10, 200, 100, 50);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const LIST = 'GET /sensors/sheets/:mission/:sensor';
const seconds = (from: number, count: number) => Array.from({ length: count }, (_none, n) => from + n * 10);
const sheets = [sheetAt(seconds(0, 60), 'one'), sheetAt(seconds(600, 60), 'two'), sheetAt(seconds(1200, 60), 'three')];
const [one, two, three] = sheets.map(({ url }) => url);

function open(props: Partial<Parameters<typeof ScrubOnHover>[0]> = {}) {
  const fake = fakeApi({ [LIST]: () => sheets });
  const sensor = { _id: newId(), missionId: newId() };
  show(
    <ScrubOnHover sensor={sensor} width={100} height={50} {...props}>
      <img src="/poster.jpg" alt="Poster" />
    </ScrubOnHover>,
    { api: fake.api },
  );
  return fake;
}

const picture = () => screen.getByRole('img', { name: 'Poster' }).parentElement!;
const enter = (clientX: number, pointerType = 'mouse') => fireEvent.pointerEnter(picture(), { clientX, pointerType });
const move = (clientX: number) => fireEvent.pointerMove(picture(), { clientX, pointerType: 'mouse' });
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
const shown = () => document.querySelector('[data-part="scrub-preview"]')?.textContent ?? null;

it('scrubs after 150 ms under the mouse, by the sheet at the pointer alone', async () => {
  const { inputsOf } = open();

  enter(20);
  pass(SCRUB_MS - 1);
  expect(inputsOf(LIST)).toEqual([]);
  pass(1);
  await waitFor(() => expect(shown()).toBe('00:03:00 Z'));
  move(60);
  await waitFor(() => expect(shown()).toBe('00:15:00 Z'));
  move(24);
  await waitFor(() => expect(shown()).toBe('00:04:10 Z'));

  expect(requested).toEqual([one, two]);
  fireEvent.pointerLeave(picture());
  await waitFor(() => expect(shown()).toBeNull());
});

it('asks for nothing when the pointer only passes, nor for a finger', () => {
  const { calls } = open();

  enter(20);
  pass(SCRUB_MS - 10);
  fireEvent.pointerLeave(picture());
  pass(1000);
  enter(20, 'touch');
  pass(1000);

  expect([calls, requested]).toEqual([[], []]);
});

it('reads one sheet at a time while the pointer runs over many, and goes on after one that is refused', async () => {
  const answer = refuseLater(one!);
  open();
  enter(20);
  pass(SCRUB_MS);
  await waitFor(() => expect(requested).toEqual([one]));
  for (const x of [40, 50, 60, 80, 100]) move(x);

  expect(requested).toEqual([one]);
  answer();

  await waitFor(() => expect(shown()).toBe('00:27:00 Z'));
  expect(requested).toEqual([one, three]);
});

it('stays within its span, and as it is where the span has no pictures', async () => {
  open({ span: { fromUs: 595e6, toUs: 625e6 } });
  enter(10);
  pass(SCRUB_MS);
  await waitFor(() => expect(shown()).toBe('00:10:00 Z'));
  move(110);
  await waitFor(() => expect(shown()).toBe('00:10:20 Z'));
  cleanup();

  open({ span: { fromUs: 9e9, toUs: 9.1e9 } });
  enter(10);
  pass(1000);
  expect([shown(), requested]).toEqual([null, [two]]);
});
