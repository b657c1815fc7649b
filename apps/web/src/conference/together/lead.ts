import type { SharedView } from '@osprey/contract';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { openMap, openView } from './shared.ts';
import { viewOf } from './view.ts';

/** Interval of messages during changes; the first change is sent at once. */
const MOVING_MS = 200;
/** Interval without changes, by which followers correct the drift of two machines' clocks. */
const BEAT_MS = 1000;

/** Sends the view of this page, whenever it changes. Returns the function that ends it. */
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
    const leaves = [
      clock.subscribe(changed),
      clock.onTime((_, by) => by === 'asked' && changed()),
      'live' in open ? () => undefined : open.frames.subscribe(() => !clock.get().playing && changed()),
    ];
    leaveClock = () => {
      for (const leave of leaves) leave();
    };
  }

  function listenToMap(map: MapLibreMap | null): void {
    leaveMap();
    map?.on('move', changed);
    leaveMap = () => void map?.off('move', changed);
  }

  const leaves = [
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
    for (const leave of leaves) leave();
  };
}
