import type { TelemetryPage } from '@osprey/contract';
import { expect, it, vi } from 'vitest';
import {
  createTelemetryStore,
  joinPages,
  PAGE_US,
  recent,
  setOf,
  type TelemetryStore,
  valueAt,
  valuesOf,
} from './telemetry-store.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const START = 100 * PAGE_US;

function page(time: number[], fields: Partial<TelemetryPage> = {}): TelemetryPage {
  return { sensor: ID, from: time[0] ?? 0, to: time.at(-1) ?? 0, more: false, time, tags: {}, sets: [], ...fields };
}

/** Ten records a second. */
function tenHertz(from: number, to: number): TelemetryPage {
  const time = Array.from({ length: (to - from) / 100_000 }, (_, index) => from + index * 100_000);
  return page(time, {
    tags: { '5': time.map((_, index) => index), '3': time.map((_, i) => (i === 0 ? 'KEA' : null)) },
  });
}

function storeOf(fetchPage: (from: number, to: number) => Promise<TelemetryPage>) {
  let now = 0;
  const onChange = vi.fn();
  const store = createTelemetryStore({
    sensorId: ID,
    startUs: START,
    endUs: START + 3 * PAGE_US,
    fetchPage,
    fetchSet: async (timeUs) => ({ sensor: ID, time: timeUs, set: null, reason: 'notFound' }),
    onChange,
    now: () => now,
  });
  const wait = (ms: number) => {
    now += ms;
  };
  return { store, onChange, wait };
}

/** Responses of fakes come within a few microtasks. */
async function settled() {
  for (let count = 0; count < 10; count += 1) await Promise.resolve();
}

/** A moment on screen with the telemetry around it. */
async function ensured({ ensure }: Pick<TelemetryStore, 'ensure'>, timeUs: number) {
  for (let count = 0; count < 3; count += 1) {
    ensure(timeUs);
    await settled();
  }
}

it('finds the last record at or before a moment, forwards, backwards and across minutes', async () => {
  const { store } = storeOf(async (from, to) => tenHertz(from, to));
  await ensured(store, START + PAGE_US);

  expect(store.recordAt(START + 250_000)?.timeUs).toBe(START + 200_000);
  expect(store.recordAt(START + PAGE_US + 40_000)?.timeUs).toBe(START + PAGE_US);
  expect(store.recordAt(START + 90_000)?.timeUs).toBe(START);
  // Rounding of PTS may put the frame a tick before its own record.
  expect(store.recordAt(START + 299_990)?.timeUs).toBe(START + 300_000);
  expect(store.recordAt(START - 50_000)).toBeNull();
});

it('asks for each minute once, and for none outside of the recording', async () => {
  const fetchPage = vi.fn(async (from: number, to: number) => tenHertz(from, to));
  const { store, onChange } = storeOf(fetchPage);

  store.ensure(START);
  store.ensure(START + 1_000_000);
  await settled();
  store.ensure(START + 2_000_000);
  await settled();

  store.ensure(START + 3_000_000);
  await settled();

  expect(fetchPage.mock.calls).toEqual([
    [START, START + 5_000_000],
    [START, START + PAGE_US],
    [START + PAGE_US, START + 2 * PAGE_US],
  ]);
  expect(onChange).toHaveBeenCalledTimes(3);
});

it('begins with the seconds around the first moment, and knows which moments are outside of them', async () => {
  let minute: (page: TelemetryPage) => void = () => undefined;
  const { store } = storeOf((from, to) =>
    to - from < PAGE_US
      ? Promise.resolve(tenHertz(from, to))
      : new Promise((resolve) => {
          minute = resolve;
        }),
  );
  const shown = START + 20_000_000;
  store.ensure(shown);
  await settled();
  store.ensure(shown);

  const record = store.recordAt(shown + 50_000)!;
  expect(record.timeUs).toBe(shown);
  // Earlier values are not known yet, and must not come from the minute before.
  expect(store.lastKnown(record, '7')).toBeNull();
  expect(store.isLoading(shown)).toBe(false);
  expect(store.recordAt(shown + 10_000_000)).toBeNull();
  expect(store.isLoading(shown + 10_000_000)).toBe(true);

  minute(tenHertz(START, START + PAGE_US));
  await settled();
  expect(store.recordAt(shown + 10_000_000)?.timeUs).toBe(shown + 10_000_000);
});

it('asks for the whole minute where the picture goes before its first seconds have come', () => {
  const fetchPage = vi.fn(() => new Promise<TelemetryPage>(() => undefined));
  const { store } = storeOf(fetchPage);

  store.ensure(START);
  store.ensure(START + 30_000_000);

  expect(fetchPage).toHaveBeenLastCalledWith(START, START + PAGE_US);
});

it('asks for the minutes next to that of the picture only when its own is there', async () => {
  let answer: (page: TelemetryPage) => void = () => undefined;
  const fetchPage = vi.fn((from: number, to: number) =>
    from === START + PAGE_US && to === from + PAGE_US
      ? new Promise<TelemetryPage>((resolve) => {
          answer = resolve;
        })
      : Promise.resolve(tenHertz(from, to)),
  );
  const { store } = storeOf(fetchPage);
  const asked = () => fetchPage.mock.calls.map(([from]) => (from - START) / PAGE_US);

  await ensured(store, START + PAGE_US);
  expect(asked()).toEqual([1, 1]);
  answer(tenHertz(START + PAGE_US, START + 2 * PAGE_US));
  await settled();
  store.ensure(START + PAGE_US);

  expect(asked()).toEqual([1, 1, 0, 2]);
});

it('says that reading failed and tries again after a while', async () => {
  let down = true;
  const { store, wait } = storeOf(async (from, to) => (down ? Promise.reject(new Error('gone')) : tenHertz(from, to)));
  store.ensure(START);
  await settled();
  expect(store.hasFailed(START)).toBe(true);

  down = false;
  wait(6000);
  store.ensure(START);
  await settled();

  expect(store.hasFailed(START)).toBe(false);
  expect(store.recordAt(START)?.timeUs).toBe(START);
});

it('keeps the last value of an item that is sent seldom, with its time', async () => {
  const { store } = storeOf(async (from, to) => tenHertz(from, to));
  await ensured(store, START + PAGE_US);

  const record = store.recordAt(START + 5_000_000)!;

  expect(valueAt(record, '3')).toBeNull();
  expect(store.lastKnown(record, '3')).toEqual({ value: 'KEA', timeUs: START });
  expect(valuesOf(record)).toEqual({ '5': 50, '3': null });
});

it('hands out the loaded records of a span in their order', async () => {
  const { store } = storeOf(async (from, to) => tenHertz(from, to));
  await ensured(store, START + PAGE_US);

  const times = [...store.between(START + PAGE_US - 200_000, START + PAGE_US + 100_000)].map(({ timeUs }) => timeUs);

  expect(times).toEqual([-200_000, -100_000, 0, 100_000].map((offset) => START + PAGE_US + offset));
});

it('reads nested sets only from the record that has them', () => {
  const complete = page([0, 100, 200], { sets: [{ i: 1, '74': { '5': 2 } }] });

  expect(setOf({ page: complete, index: 1, timeUs: 100 }, '74')).toEqual({ '5': 2 });
  expect(setOf({ page: complete, index: 2, timeUs: 200 }, '74')).toBeNull();
  expect([...recent({ page: complete, index: 2, timeUs: 200 }, 100)].map(({ timeUs }) => timeUs)).toEqual([200, 100]);
});

it('joins pages that the server cut', () => {
  const joined = joinPages([
    page([1, 2], { more: true, tags: { '5': [10, 20] }, sets: [{ i: 0, '74': 'a' }], failed: [2] }),
    page([3], { tags: { '6': [7] }, sets: [{ i: 0, '74': 'b' }] }),
  ]);

  expect(joined.time).toEqual([1, 2, 3]);
  expect(joined.failed).toEqual([2]);
  expect(joined.tags).toEqual({ '5': [10, 20, null], '6': [null, null, 7] });
  expect(joined.sets).toEqual([
    { i: 0, '74': 'a' },
    { i: 2, '74': 'b' },
  ]);
});
