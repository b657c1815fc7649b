// @vitest-environment jsdom
import type { Info, TelemetryPage } from '@osprey/contract';
import { act, cleanup } from '@testing-library/react';
import { useMemo, useRef, useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { ViewServicesContext } from '../onscreen/view-services.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { info, show } from '../testing/show.tsx';
import { sensorRow, timelineOf, viewServices } from '../testing/view-services.ts';
import { useSensorPlayback } from './useSensorPlayback.ts';

// jsdom has neither decoder nor media source, so the test itself reports the pictures on screen.
const shown = vi.hoisted(() => ({
  onFrame: (_timeUs: number) => {},
  onCovered: (_covered: boolean) => {},
  frameUs: null as number | null,
  fail: (_reason: 'network' | 'broken' = 'network') => {},
  skip: (_to: number) => {},
  taken: [] as string[],
}));
vi.mock(import('./video-driver.ts'), async () => ({
  createVideoDriver: ({ id, onFrame, onCovered }) => {
    shown.onFrame = (timeUs) => {
      shown.frameUs = timeUs;
      onFrame(timeUs);
    };
    shown.onCovered = onCovered;
    shown.frameUs = null;
    const nothing = () => undefined;
    return {
      ...{ id, covers: () => true, nextCovered: () => null, lastCovered: () => null, nowUs: () => null },
      ...{ isReady: () => true, show: nothing, play: nothing, pause: nothing, miss: nothing, step: async () => null },
      ...{ setZero: nothing, frameUs: () => shown.frameUs, stop: nothing },
    };
  },
}));
vi.mock(import('./hls/hls-source.ts'), async (original) => ({
  ...(await original()),
  takeHls: (url) => {
    shown.taken.push(url);
    return {
      asked: Promise.resolve(),
      zeros: () => [],
      pictures: { at: () => null, ticksAt: () => null, mediaTimeOf: () => null },
      begin: () => undefined,
      play: ({ onFailure, onSkip }) => {
        shown.fail = (reason = 'network') => onFailure(reason);
        shown.skip = onSkip;
      },
      end: () => undefined,
    };
  },
}));
afterEach(cleanup);

/** A record every second that says which second it is. */
function page({ from, to }: { from: number; to: number }): TelemetryPage {
  const time = Array.from({ length: (to - from) / 1_000_000 }, (_, second) => from + second * 1_000_000);
  return { sensor: sensorRow()._id, from, to, more: false, time, tags: { '5': time.map((at) => at / 1e6) }, sets: [] };
}

type Given = { live?: Partial<Info>; playbackDataDelay?: number; hasPicture?: boolean; timelineFailed?: boolean };

function play({ live = {}, playbackDataDelay = 0, hasPicture = true, timelineFailed = false }: Given = {}) {
  const services = viewServices();
  const sensor = sensorRow(hasPicture ? {} : { hlsProps: null });
  const timeline = timelineFailed ? null : timelineOf(sensor);
  const said = { covered: true, shift: (_byUs: number) => {} };
  function Playing() {
    const video = useRef<HTMLVideoElement>(null);
    const [shiftedUs, setShiftedUs] = useState(0);
    const shifted = useMemo(() => timeline && { ...timeline, startTime: timeline.startTime + shiftedUs }, [shiftedUs]);
    const { covered } = useSensorPlayback({ sensor, timeline: shifted, timelineFailed, video });
    Object.assign(said, { covered, shift: setShiftedUs });
    // biome-ignore lint/a11y/useMediaCaption: an element to hold on to, which plays nothing.
    return <video ref={video} />;
  }
  const { api } = fakeApi({
    'GET /sensors/telemetry/:mission/:sensor': ({ query }) =>
      page({ from: Number(query!.from), to: Number(query!.to) + 1 }),
  });
  show(
    <ViewServicesContext value={services}>
      <Playing />
    </ViewServicesContext>,
    { api, session: { info: { ...info, ...live, playbackDataDelay } } },
  );
  return Object.assign(() => services.frames.latest(sensor._id), {
    clock: services.clock,
    stores: services.stores,
    said,
  });
}

it.each([
  [0, 10],
  [2500, 7],
  [-2000, 12],
])('shows the telemetry of a picture %i ms late, as the server is set', async (playbackDataDelay, second) => {
  const latest = play({ playbackDataDelay });

  await vi.waitFor(() => {
    shown.onFrame(10_000_000);
    expect(latest()?.values[5]).toBe(second);
  });
});

it.each([
  ['low latency', { useLiveLowLatency: true, useWebRtcVideo: true, useLiveRtspHls: true }],
  ['WebRTC', { useLiveLowLatency: false, useWebRtcVideo: true, useLiveRtspHls: true }],
  ['nothing', { useLiveLowLatency: false, useWebRtcVideo: false, useLiveRtspHls: false }],
])(
  'plays a recording from its playlist, which can be wound, also where live video is shown by %s first',
  async (_mode, live) => {
    shown.taken = [];
    const latest = play({ live });

    await vi.waitFor(() => {
      shown.onFrame(10_000_000);
      expect(latest()?.values[5]).toBe(10);
    });
    expect(new Set(shown.taken)).toEqual(new Set([sensorRow().hlsProps!.url]));
  },
);

it('shows no telemetry with the picture of a gap, and that of the picture again after it', async () => {
  const latest = play();
  await vi.waitFor(() => {
    shown.onFrame(10_000_000);
    expect(latest()?.values[5]).toBe(10);
  });

  act(() => shown.onCovered(false));
  expect(latest()).toMatchObject({ record: null, values: {}, platform: null, footprint: null });
  act(() => shown.onCovered(true));

  expect(latest()?.values[5]).toBe(10);
});

it('leaves the state of a gap once its recording was shifted under the moment', async () => {
  const { said } = play();
  act(() => shown.onCovered(false));
  expect(said.covered).toBe(false);

  await act(async () => said.shift(1_000_000));

  expect(said.covered).toBe(true);
});

it('takes the mission along over what cannot be shown, but not from a moment that it did not record', async () => {
  const { clock } = play();
  await vi.waitFor(() => expect(clock.get().leader).not.toBeNull());

  clock.seek(1_200_000_000);
  shown.skip(2);
  expect(clock.timeUs()).toBe(1_200_000_000);
  clock.seek(0);
  shown.skip(2);

  expect(clock.timeUs()).toBe(2_000_000);
});

it('is not waited for once its recording cannot be loaded', async () => {
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue();
  const { clock } = play();
  await vi.waitFor(() => expect(clock.get().leader).not.toBeNull());
  clock.play();
  expect(clock.get().playing).toBe(true);

  act(() => shown.fail());

  expect(clock.get().playing).toBe(false);
});

it('is tried again at another moment that is asked for, where only one place of it is damaged', async () => {
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue();
  shown.taken = [];
  const { clock, said } = play();
  await vi.waitFor(() => expect(shown.taken).toHaveLength(1));
  // The moment was not recorded, so the damage does not concern it.
  act(() => clock.seek(1_200_000_000));

  act(() => shown.fail('broken'));
  expect(said.covered).toBe(false);
  act(() => clock.seek(2_000_000));
  expect(shown.taken).toHaveLength(2);
  act(() => shown.fail('broken'));
  expect(said.covered).toBe(true);
  act(() => clock.seek(3_000_000));
  expect(shown.taken).toHaveLength(3);

  // A way to the server that is broken is the same for all.
  act(() => shown.fail('network'));
  act(() => clock.seek(4_000_000));
  expect(shown.taken).toHaveLength(3);
});

it.each([
  ['has no picture', { hasPicture: false }],
  ['has a timeline that cannot be read', { timelineFailed: true }],
])('tells of a recording that %s that no telemetry comes with it', async (_why, given) => {
  const latest = play(given);

  await vi.waitFor(() => expect(latest()).toMatchObject({ record: null, platform: null, targets: [] }));
});

it('reports that no telemetry comes where the first picture cannot be loaded', async () => {
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue();
  const latest = play();
  await vi.waitFor(() => expect(latest.stores.size).toBe(1));
  expect(latest()).toBeNull();

  act(() => shown.fail());

  expect(latest()).toMatchObject({ record: null });
  expect(latest.stores.size).toBe(0);
});

it('shows no more of the moment at which its recording could not be loaded further', async () => {
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue();
  const latest = play();
  await vi.waitFor(() => {
    shown.onFrame(10_000_000);
    expect(latest()?.values[5]).toBe(10);
  });

  act(() => shown.fail());

  expect(latest()).toMatchObject({ record: null, values: {}, platform: null });
});
