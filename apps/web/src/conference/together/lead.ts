import type { SharedView } from '@osprey/contract';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { openMap, openView } from './shared.ts';
import { viewOf } from './view.ts';

/** Interval of messages in milliseconds while the view changes; the first change is sent immediately. */
const MOVING_MS = 200;
/**
 * Interval of messages in milliseconds without changes; they let followers correct the drift between the clocks of the
 * machines.
 */
const BEAT_MS = 1000;

/** Sends the view of this page whenever it changes. Returns a function that stops this. */
export function startLeading(notify: (view: SharedView | null) => void): () => void {
  let reportedMs = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let leaveClock: () => void = () => undefined;
  let leaveMap: () => void = () => undefined;

  function notifyNow(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    reportedMs = performance.now();
    notify(viewOf(openView.get(), openMap.get()));
  }

  function changed(): void {
    const waitMs = reportedMs + MOVING_MS - performance.now();
    if (waitMs <= 0) notifyNow();
    else timer ??= setTimeout(notifyNow, waitMs);
  }

  function listenToClock(): void {
    leaveClock();
    const open = openView.get();
    if (open === null) return;
    const { clock } = open;
    const unsubscribes = [
      clock.subscribe(changed),
      clock.onTime((_, by) => by === 'asked' && changed()),
      'live' in open ? () => undefined : open.frames.subscribe(() => !clock.get().playing && changed()),
    ];
    leaveClock = () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  }

  function listenToMap(map: MapLibreMap | null): void {
    leaveMap();
    map?.on('move', changed);
    leaveMap = () => void map?.off('move', changed);
  }

  const unsubscribes = [
    openView.subscribe(() => {
      listenToClock();
      changed();
    }),
    openMap.subscribe((map) => {
      listenToMap(map);
      changed();
    }),
  ];
  const beat = setInterval(() => openView.get() && changed(), BEAT_MS);
  listenToClock();
  listenToMap(openMap.get());
  notifyNow();

  return () => {
    clearInterval(beat);
    if (timer !== null) clearTimeout(timer);
    leaveClock();
    leaveMap();
    for (const unsubscribe of unsubscribes) unsubscribe();
  };
}
