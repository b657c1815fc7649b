import type { Mission, Sensor } from '@osprey/contract';
import type { Point } from '@osprey/geo';
import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useApi } from '../api/api.ts';
import { afterPaint } from '../base/paint.ts';
import { createMissionClock } from '../onscreen/clock/mission-clock.ts';
import { createFrameBus } from '../onscreen/frames.ts';
import { firstLeader, isPlayable, recordedSpans } from '../onscreen/playable.ts';
import { createSignal } from '../onscreen/signal.ts';
import type { ChosenTarget, ViewServices } from '../onscreen/view-services.ts';
import { timelineQuery } from '../player/open-queries.ts';
import type { TimelineEntry } from '../timeline/entry.ts';
import type { Visit } from './address.ts';

/** Maximum wait for a first picture, in milliseconds. */
const FIRST_FRAME_LIMIT_MS = 5000;
/**
 * Time after which the panels are drawn even without a picture, in milliseconds: such a late picture waits for the
 * network, so the processor is idle.
 */
const PANELS_LIMIT_MS = 700;

function onNextPaint(look: () => void): () => void {
  const handle = requestAnimationFrame(look);
  return () => cancelAnimationFrame(handle);
}

/** Returns the first and last moment of the sensors, else of the mission. */
function rangeOf(mission: Mission, sensors: readonly Sensor[]) {
  const starts = sensors.map(({ startTime }) => startTime).filter((time) => time !== null);
  const ends = sensors.map(({ endTime }) => endTime).filter((time) => time !== null);
  const startUs = starts.length > 0 ? Math.min(...starts) : (mission.startTime ?? 0);
  const endUs = ends.length > 0 ? Math.max(...ends) : (mission.endTime ?? startUs);
  return { startUs, endUs: Math.max(startUs, endUs) };
}

type Options = { mission: Mission; sensors: readonly Sensor[]; visit: Visit };

/** Creates the clock, the frame bus and the signals of one mission view, which live as long as the mission is shown. */
export function useMissionServices({ mission, sensors, visit }: Options): ViewServices {
  const range = rangeOf(mission, sensors);
  const [services] = useState<ViewServices>(() => ({
    clock: createMissionClock({
      ...range,
      timeUs: visit.timeUs,
      preferred: firstLeader(sensors, visit.sensorId)?._id ?? null,
      now: () => performance.now(),
      onNextPaint,
    }),
    frames: createFrameBus(),
    stores: new Map(),
    pointed: createSignal<Point | null>(null),
    chosenTarget: createSignal<ChosenTarget | null>(null),
    firstFrame: createSignal(false),
    ...(!sensors.some(isPlayable) && { shipsOf: mission._id }),
  }));
  useEffect(() => () => services.clock.stop(), [services]);
  const plays = sensors.some(({ hlsProps }) => hlsProps !== null);
  useEffect(() => {
    const give = () => {
      if (!services.firstFrame.get()) services.firstFrame.set(true);
    };
    const timer = setTimeout(give, plays ? FIRST_FRAME_LIMIT_MS : 0);
    return () => clearTimeout(timer);
  }, [services, plays]);
  return services;
}

/**
 * Returns whether the panels around the pictures are to be drawn, which is after the first picture. Calls
 * `onFirstFrame` once they are on screen, and the picture is there or no longer waited for.
 */
export function useFirstFrame({ firstFrame }: ViewServices, onFirstFrame: (() => void) | undefined): boolean {
  const there = useSyncExternalStore(firstFrame.subscribe, firstFrame.get);
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PANELS_LIMIT_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => (there && onFirstFrame ? afterPaint(onFirstFrame) : undefined), [there, onFirstFrame]);
  return there || late;
}

/**
 * Limits the clock to the time from the first picture to the last, since telemetry may begin earlier and end later.
 * Without pictures the telemetry determines the range.
 */
export function usePlayedRange({ clock }: ViewServices, entries: readonly TimelineEntry[]): void {
  const recorded = entries.flatMap(({ sensor, timeline }) => (timeline ? recordedSpans(sensor, timeline) : []));
  const complete = entries.every(({ sensor, timeline, failed }) => timeline || failed || !isPlayable(sensor));
  const known = complete && recorded.length > 0;
  const startUs = known ? Math.min(...recorded.map(({ startTime }) => startTime)) : null;
  const endUs = known ? Math.max(...recorded.map(({ endTime }) => endTime)) : null;
  useEffect(() => {
    if (startUs !== null && endUs !== null) clock.setRange({ startUs, endUs });
  }, [clock, startUs, endUs]);
}

/** Returns the recorded spans of each sensor that has something to play, and the mapping of its media time to UTC. */
export function useTimelines(sensors: readonly Sensor[]): TimelineEntry[] {
  const api = useApi();
  const answers = useQueries({
    queries: sensors.map((sensor) => ({ ...timelineQuery(api, sensor), enabled: isPlayable(sensor) })),
  });
  return useMemo(
    () =>
      sensors.map((sensor, index) => ({
        sensor,
        // A timeline read before the sensor's last file was removed describes a recording that no longer exists, so it
        // is ignored.
        timeline: isPlayable(sensor) ? (answers[index]?.data ?? null) : null,
        failed: answers[index]?.isError ?? false,
      })),
    [sensors, answers],
  );
}
