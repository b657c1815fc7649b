// @vitest-environment jsdom
import type { TelemetryPage } from '@osprey/contract';
import { formatDms } from '@osprey/geo';
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createMissionClock } from '../onscreen/clock/mission-clock.ts';
import { ViewServicesContext } from '../onscreen/view-services.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { show } from '../testing/show.tsx';
import { missionRow, sensorRow, timelineOf, viewServices } from '../testing/view-services.ts';
import { Player } from './Player.tsx';

const SECOND = 1_000_000;

vi.stubGlobal(
  'ResizeObserver',
  class {
    observe() {}
    disconnect() {}
  },
);
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const track = sensorRow({
  name: 'Track',
  hlsProps: null,
  klv: { state: 'good', text: 'Telemetry comes from flight.gpx: 3 records.' },
});

/** Positions of a platform, by the second; east of each other. */
function pageOf(seconds: readonly number[], { from, to }: { from: number; to: number }): TelemetryPage {
  const time = seconds.map((second) => second * SECOND).filter((at) => at >= from && at <= to);
  const tags = { '13': time.map(() => 37), '14': time.map((at) => at / SECOND / 1000), '15': time.map(() => 120) };
  return { sensor: track._id, from, to, more: false, time, tags, sets: [] };
}

type Given = { seconds: readonly number[]; end: number; gap?: [number, number] };

/** A mission of one track, whose clock looks when the test says so. */
async function open({ seconds, end, gap }: Given) {
  vi.useFakeTimers({ toFake: ['performance'] });
  let look: (() => void) | null = null;
  const clock = createMissionClock({
    startUs: 0,
    endUs: end * SECOND,
    now: () => performance.now(),
    onNextPaint(next) {
      look = next;
      return () => {
        look = null;
      };
    },
  });
  const services = { ...viewServices(), clock };
  const timeline = {
    ...timelineOf(track),
    endTime: end * SECOND,
    runs: [],
    gaps: gap ? [{ start: gap[0] * SECOND, end: gap[1] * SECOND }] : [],
  };
  const { api, calls } = fakeApi({
    'GET /sensors/telemetry/:mission/:sensor': ({ query }) =>
      pageOf(seconds, { from: Number(query!.from), to: Number(query!.to) }),
    'POST /sensors/:id/view': () => ({ message: 'Counted.' }),
  });
  show(
    <ViewServicesContext value={services}>
      <Player mission={missionRow([track])} sensor={track} timeline={timeline} timelineFailed={false} several={false} />
    </ViewServicesContext>,
    { api },
  );
  const frame = () => services.frames.latest(track._id);
  await vi.waitFor(() => expect(services.stores.get(track._id)?.isLoading(0)).toBe(false));
  return {
    clock,
    frame,
    calls,
    lon: () => frame()?.platform?.lon,
    /** Looks of the clock, 20 ms apart. */
    run(looks: number) {
      act(() => {
        for (let count = 0; count < looks; count += 1) {
          vi.advanceTimersByTime(20);
          const next = look;
          look = null;
          next?.();
        }
      });
    },
  };
}

it('plays without a picture: each moment of the clock has its record, at the speed that is set', async () => {
  const { clock, lon, frame, run, calls } = await open({ seconds: [0, 1, 2, 3, 4, 5], end: 5 });
  expect(lon()).toBe(0);

  clock.setSpeed(2);
  clock.play();
  run(76);

  expect(clock.timeUs()).toBe(3 * SECOND);
  expect(frame()).toMatchObject({ timeUs: 3 * SECOND, platform: { lat: 37, lon: 0.003 } });
  run(60);
  expect(clock.get().playing).toBe(false);
  expect(clock.timeUs()).toBe(5 * SECOND);
  expect(calls.filter(({ name }) => name === 'POST /sensors/:id/view')).toHaveLength(1);
});

it('goes on where it was when the page was hidden for a while', async () => {
  const { clock, run } = await open({ seconds: [0, 1, 2], end: 60 });
  clock.play();
  run(11);
  const before = clock.timeUs();

  vi.advanceTimersByTime(30_000);
  run(1);

  expect(clock.timeUs() - before).toBeLessThan(SECOND);
});

it('steps from record to record, also over minutes without one, and stays at both ends', async () => {
  const { clock, frame } = await open({ seconds: [0, 1, 200, 201], end: 201 });
  const seen: number[] = [];
  const step = async (direction: 1 | -1) => {
    await act(() => clock.step(direction));
    seen.push(clock.timeUs() / SECOND);
  };

  for (let count = 0; count < 4; count += 1) await step(1);
  for (let count = 0; count < 4; count += 1) await step(-1);

  expect(seen).toEqual([1, 200, 201, 201, 200, 1, 0, 0]);
  expect(frame()?.record?.timeUs).toBe(0);
});

it('says that nothing was recorded in a gap, shows no record there, and plays on after it', async () => {
  const { clock, frame, lon, run } = await open({ seconds: [0, 1, 30, 31], end: 31, gap: [1, 30] });

  act(() => clock.seek(10 * SECOND));
  expect(frame()).toMatchObject({ record: null, platform: null });
  expect(screen.getByText('Nothing recorded at this moment')).toBeDefined();
  act(() => clock.seek(0));
  clock.play();
  run(80);

  expect(clock.timeUs()).toBeGreaterThan(30 * SECOND);
  expect(lon()).toBe(0.03);
});

it("is shown in the place of a picture as a card with the platform's values at this moment", async () => {
  const { clock } = await open({ seconds: [0, 1, 2], end: 2 });

  act(() => clock.seek(2 * SECOND));

  expect(screen.getByText('Telemetry only')).toBeDefined();
  expect(screen.getByText('OSP-21, Plane')).toBeDefined();
  expect(screen.getByText(formatDms({ lat: 37, lon: 0.002 }))).toBeDefined();
  expect(screen.getByText('120 m')).toBeDefined();
  expect(screen.getByText('Telemetry comes from flight.gpx: 3 records.')).toBeDefined();
  expect(document.querySelector('video')).toBeNull();
});
