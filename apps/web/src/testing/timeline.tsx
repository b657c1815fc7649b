import type { Sensor, SensorTimeline } from '@osprey/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { type Api, ApiContext } from '../api/api.ts';
import type { ClockMember } from '../onscreen/clock/members.ts';
import { type ViewServices, ViewServicesContext } from '../onscreen/view-services.ts';
import type { TimelineExtras } from '../timeline/marks.ts';
import { Timeline } from '../timeline/Timeline.tsx';
import { SnackbarProvider } from '../ui/notice/Snackbar.tsx';
import { missionRow, sensorRow, timelineOf, viewServices } from './view-services.ts';

export const SECOND = 1_000_000;

/** Test support: a member of the clock that has pictures at all times and does not play. */
export const still: ClockMember = {
  id: 'eo',
  covers: () => true,
  nextCovered: (timeUs) => timeUs,
  lastCovered: (timeUs) => timeUs,
  nowUs: () => null,
  isReady: () => true,
  show: () => undefined,
  play: () => undefined,
  pause: () => undefined,
  miss: () => undefined,
  step: async () => null,
};

/** Test support: a timeline that is 1000 px wide, with its left edge at 0. */
export function withLayout(): void {
  beforeEach(() => {
    vi.stubGlobal(
      'ResizeObserver',
      class {
        readonly notify: (entries: { contentRect: { width: number } }[]) => void;
        constructor(notify: (entries: { contentRect: { width: number } }[]) => void) {
          this.notify = notify;
        }
        observe() {
          this.notify([{ contentRect: { width: 1000 } }]);
        }
        disconnect() {}
      },
    );
    Element.prototype.setPointerCapture = () => undefined;
    Element.prototype.getBoundingClientRect = () => new DOMRect(0, 0, 1000, 50);
  });

  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });
}

type Options = TimelineExtras & {
  joined?: boolean;
  sensor?: Sensor;
  /** Sensors of the mission; only the first one is shown. */
  sensors?: Sensor[];
  timeline?: SensorTimeline | null;
  services?: ViewServices;
  compact?: boolean;
  /** Answers of the server; by default every list is empty. */
  api?: Api;
};

/**
 * Test support: renders an hour of one sensor; returns its clock, and a function to render it again with other marks.
 */
export function show({
  joined = true,
  sensors = [sensorRow({ name: 'EO' })],
  sensor = sensors[0]!,
  timeline = timelineOf(sensor),
  services = viewServices(),
  compact = false,
  api = { call: async (call) => call.answer.parse([]) },
  ...extras
}: Options = {}) {
  if (joined) services.clock.join(still);
  const queries = new QueryClient();
  const mission = missionRow(sensors);
  const entries = [{ sensor, timeline, failed: false }];
  const drawn = (extras: TimelineExtras) => (
    <QueryClientProvider client={queries}>
      <ApiContext value={api}>
        <SnackbarProvider>
          <ViewServicesContext value={services}>
            <Timeline mission={mission} entries={entries} compact={compact} rows {...extras} />
          </ViewServicesContext>
        </SnackbarProvider>
      </ApiContext>
    </QueryClientProvider>
  );
  const { rerender } = render(drawn(extras));
  return { clock: services.clock, again: (extras: TimelineExtras) => rerender(drawn(extras)) };
}

export const track = () => screen.getByRole('slider', { name: 'Mission timeline' });
