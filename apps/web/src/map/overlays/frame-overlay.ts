import type { Point } from '@osprey/geo';
import { platformInk } from '../../base/colours.ts';
import type { ShownFrame } from '../../onscreen/frames.ts';
import { type TelemetryRecord, valueAt } from '../../onscreen/telemetry-store.ts';
import { leadingFrame } from '../follow.ts';
import type { Overlay, OverlayDeps, OverlayPaint, RunningOverlay } from '../overlay.ts';
import { projectorOf } from '../projector.ts';
import { type FrameChoice, frameLines, noFrames } from './frame-switches.ts';
import { createPlatformMarker } from './platform-marker.ts';
import { createSensorDrawing, type SensorDrawing } from './sensor-drawing.ts';
import { setAttributes, show, svgElement } from './svg.ts';
import { createTrail, type TrailPlace } from './trail.ts';

type Platform = {
  type: string;
  name: string;
  /** Colour as #rrggbb. */
  colour: string;
};

/** Returns the overlay of the frames of one platform: its position and trail, and what each of its sensors sees. */
export const frameOverlay = (platform: Platform): Overlay => ({
  id: 'frame',
  ...frameLines,
  start: (deps) => startFrames(deps, platform),
});

/**
 * Draws everything that moves with the frames, as SVG over the map: it is updated in the same animation frame as the
 * picture, and does not require the map to be rendered again.
 */
function startFrames(
  { map, svg, services }: Pick<OverlayDeps, 'map' | 'svg' | 'services'>,
  platform: Platform,
): RunningOverlay {
  const marker = createPlatformMarker(platform);
  const trail = createTrail();
  const sensors = svgElement('g');
  const mark = svgElement('path', { d: 'M-9 0h6M3 0h6M0-9v6M0 3v6', 'stroke-width': 2, 'data-part': 'pointer-mark' });
  svg.append(trail.element, sensors, marker.element, mark);
  show(mark, false);

  const drawings = new Map<string, SensorDrawing>();
  const layers = noFrames();
  /** Colours for drawing; null until the user's choices are known. */
  let paint: (OverlayPaint & { ink: string }) | null = null;
  let trailUs = 0;

  const project = projectorOf(map);

  function drawingOf(sensorId: string): SensorDrawing {
    const existing = drawings.get(sensorId);
    if (existing) return existing;
    const made = createSensorDrawing(sensorId);
    if (paint) made.paint(paint);
    drawings.set(sensorId, made);
    sensors.append(made.element);
    return made;
  }

  function draw(frame: ShownFrame) {
    if (!paint) return;
    const leading = leadingFrame(services);
    const leads = leading?.sensorId === frame.sensorId;
    drawingOf(frame.sensorId).draw({ frame, leads, layers, project });
    // Also for a sensor without telemetry, since it may have been the leading one until now: another sensor replaces
    // it, or none.
    if (leads || !frame.record) drawPlatform(leading);
  }

  function drawPlatform(frame: ShownFrame | null) {
    if (!frame?.platform || !frame.record) {
      marker.hide();
      trail.hide();
      return;
    }
    const { platform: place, headingDeg, stale, record } = frame;
    const { x, y } = project(place);
    marker.draw({ x, y, headingDeg, stale, recordTimeUs: record.timeUs });
    if (layers.trail) drawTrail(frame.sensorId, record.timeUs);
    else trail.hide();
  }

  function drawTrail(sensorId: string, untilUs: number) {
    const records = services.stores.get(sensorId)?.between(untilUs - trailUs, untilUs) ?? [];
    trail.draw(placesOf(records), { untilUs, lengthUs: trailUs, project });
  }

  function drawPointed(point: Point | null) {
    show(mark, point !== null);
    if (!point) return;
    const { x, y } = project(point);
    setAttributes(mark, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
  }

  function redraw() {
    for (const frame of services.frames.all()) draw(frame);
    drawPointed(services.pointed.get());
  }

  map.on('move', redraw);
  map.on('resize', redraw);
  const leaveFrames = services.frames.subscribe(draw);
  const leavePointed = services.pointed.subscribe(drawPointed);
  const leaveClock = services.clock.subscribe(redraw);

  return {
    show(shown, id) {
      layers[id as keyof FrameChoice] = shown;
      redraw();
    },
    set(seconds) {
      trailUs = seconds * 1e6;
      redraw();
    },
    paint(next) {
      paint = { ...next, ink: platformInk(platform.colour, next.scheme) };
      marker.paint(paint);
      trail.paint(paint.ink);
      setAttributes(mark, { stroke: paint.chosen });
      for (const drawing of drawings.values()) drawing.paint(paint);
      redraw();
    },
    stop() {
      map.off('move', redraw);
      map.off('resize', redraw);
      leaveFrames();
      leavePointed();
      leaveClock();
    },
  };
}

function* placesOf(records: Iterable<TelemetryRecord>): Generator<TrailPlace> {
  for (const record of records) {
    const [lat, lon] = [valueAt(record, '13'), valueAt(record, '14')];
    if (typeof lat === 'number' && typeof lon === 'number') yield { timeUs: record.timeUs, lat, lon };
  }
}
