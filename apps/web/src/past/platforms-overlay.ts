import { listFrames, missionsEvent, NO_PLATFORM_NAME, type PastFrame, revokedEvent } from '@osprey/contract';
import { homography, type Point } from '@osprey/geo';
import type { Api } from '../api/api.ts';
import { platformInk } from '../base/colours.ts';
import { fill, plainText } from '../base/format.ts';
import type { EventBus } from '../events/events.ts';
import { boundsOf } from '../map/follow.ts';
import type { Overlay, OverlayDeps, OverlayPaint, RunningOverlay } from '../map/overlay.ts';
import { type FrameChoice, frameLines, noFrames } from '../map/overlays/frame-switches.ts';
import { createPlatformMarker } from '../map/overlays/platform-marker.ts';
import { createSensorDrawing } from '../map/overlays/sensor-drawing.ts';
import { svgElement } from '../map/overlays/svg.ts';
import { projectorOf } from '../map/projector.ts';
import type { ShownFrame } from '../onscreen/frames.ts';
import { texts } from './texts.ts';

type Deps = { api: Api; bus: EventBus; onOpen: (frame: PastFrame, timeUs: number) => void };

/** Padding in px and maximum zoom when the map is first fitted to its content. */
const FIT_OPTIONS = { padding: 60, maxZoom: 13, animate: false } as const;

/** Interval of the clock at which footprints are updated, in microseconds. */
const STEP_US = 1e6;

type Drawing = {
  element: SVGGElement;
  sensor: ReturnType<typeof createSensorDrawing>;
  marker: ReturnType<typeof createPlatformMarker>;
  color: string;
};

/**
 * Overlay with platforms and footprints of all missions at the time of the clock. Clicking a platform opens its mission
 * at that time.
 */
export const platformsOverlay = (deps: Deps): Overlay => ({
  id: 'past-platforms',
  // Only these switches are offered, since the coverage index has neither trails nor moving targets.
  switches: frameLines.switches.filter(({ id }) => id === 'footprint' || id === 'sight'),
  start: (overlay) => start(overlay, deps),
});

function start({ map, svg, services: { clock } }: OverlayDeps, { api, bus, onOpen }: Deps): RunningOverlay {
  const project = projectorOf(map);
  const drawings = new Map<string, Drawing>();
  const layers: FrameChoice = noFrames();
  const ended = new AbortController();
  let paint: OverlayPaint | null = null;
  let frames: readonly PastFrame[] = [];
  let asking = false;
  let shownUs = Number.NaN;
  let found = false;

  /** Moves the map once to the first platforms if none of them is in its current view. */
  function findFirst(): void {
    if (found || frames.length === 0) return;
    found = true;
    const view = map.getBounds();
    const places = frames.map((frame) => {
      const [lon, lat] = frame.platform ?? frame.corners[0];
      return { lon, lat };
    });
    if (places.some(({ lon, lat }) => view.contains([lon, lat]))) return;
    const corners: Point[] = frames.flatMap((frame) => frame.corners.map(([lon, lat]) => ({ lon, lat })));
    const bounds = boundsOf([...places, ...corners]);
    if (bounds !== null) map.fitBounds(bounds, FIT_OPTIONS);
  }

  async function ask(): Promise<void> {
    const requestedUs = Math.floor(clock.timeUs() / STEP_US) * STEP_US;
    if (asking || requestedUs === shownUs || document.visibilityState === 'hidden') return;
    asking = true;
    shownUs = requestedUs;
    try {
      const answer = await api.call(listFrames, { query: { time: String(requestedUs) } }, { signal: ended.signal });
      frames = answer.frames;
      findFirst();
      draw();
    } catch {
      // The shown platforms remain; that the server is unreachable is reported elsewhere on the page.
    } finally {
      asking = false;
    }
    // The clock may have moved on during the request.
    if (!ended.signal.aborted && Math.floor(clock.timeUs() / STEP_US) * STEP_US !== shownUs) void ask();
  }

  function drawingOf(frame: PastFrame): Drawing {
    const existing = drawings.get(frame.sensorId);
    if (existing) return existing;
    const sensor = createSensorDrawing(frame.sensorId);
    const marker = createPlatformMarker({
      type: frame.platformType,
      name: plainText(frame.platformName === NO_PLATFORM_NAME ? frame.mission : frame.platformName),
      button: {
        label: fill(texts.platform, { mission: frame.mission }),
        onPress: () => onOpen(frame, clock.timeUs()),
      },
    });
    const element = svgElement('g', { 'data-mission-id': frame.missionId }, [sensor.element, marker.element]);
    svg.append(element);
    const made = { element, sensor, marker, color: frame.color };
    drawings.set(frame.sensorId, made);
    paintOne(made);
    return made;
  }

  function paintOne({ sensor, marker, color }: Drawing): void {
    if (paint === null) return;
    const own = { ...paint, ink: platformInk(color, paint.scheme) };
    sensor.paint(own);
    marker.paint(own);
  }

  function draw(): void {
    const shown = new Set(frames.map(({ sensorId }) => sensorId));
    for (const [sensorId, { element }] of drawings) {
      if (shown.has(sensorId)) continue;
      element.remove();
      drawings.delete(sensorId);
    }
    // Sensors of the same platform share one marker.
    const marked = new Set<string>();
    for (const frame of frames) {
      const { sensor, marker } = drawingOf(frame);
      const shownFrame = frameOf(frame);
      sensor.draw({ frame: shownFrame, leads: true, layers, project });
      if (shownFrame.platform === null || marked.has(frame.missionId)) {
        marker.hide();
        continue;
      }
      marked.add(frame.missionId);
      const place = project(shownFrame.platform);
      marker.draw({ ...place, headingDeg: null, stale: false, recordTimeUs: frame.time });
    }
  }

  /**
   * Removes the shown platforms after a change of rights, since they may no longer be readable, and loads them again.
   */
  function forget(): void {
    frames = [];
    shownUs = Number.NaN;
    draw();
    void ask();
  }

  map.on('move', draw);
  map.on('resize', draw);
  const unsubscribes = [
    clock.onTime(() => void ask()),
    bus.subscribe(revokedEvent.name, forget),
    bus.subscribe(missionsEvent.name, () => {
      shownUs = Number.NaN;
      void ask();
    }),
  ];
  void ask();
  return {
    show(shown, id) {
      layers[id as keyof FrameChoice] = shown;
      draw();
    },
    paint(next) {
      paint = next;
      for (const drawing of drawings.values()) paintOne(drawing);
      draw();
    },
    stop() {
      ended.abort();
      map.off('move', draw);
      map.off('resize', draw);
      for (const unsubscribe of unsubscribes) unsubscribe();
    },
  };
}

function frameOf({ sensorId, time, corners, platform }: PastFrame): ShownFrame {
  const [a, b, c, d] = corners.map(([lon, lat]) => ({ lon, lat }));
  const complete = [a!, b!, c!, d!] as [typeof a & object, typeof a & object, typeof a & object, typeof a & object];
  return {
    ...{ sensorId, timeUs: time, record: null, values: {}, headingDeg: null, stale: false, targets: [] },
    ...{ cut: null, width: 0, height: 0 },
    platform: platform && { lon: platform[0], lat: platform[1] },
    footprint: {
      corners: complete,
      centre: homography(complete)?.toGround(0.5, 0.5) ?? complete[0],
      source: 'corners',
    },
  };
}
