import type { LivePlatform } from '@osprey/contract';
import { platformInk } from '../base/colours.ts';
import { fill } from '../base/format.ts';
import { boundsOf } from '../map/follow.ts';
import type { Overlay, OverlayDeps, OverlayPaint, RunningOverlay } from '../map/overlay.ts';
import { type FrameChoice, frameLines, noFrames } from '../map/overlays/frame-switches.ts';
import { createPlatformMarker } from '../map/overlays/platform-marker.ts';
import { createSensorDrawing, type SensorDrawing } from '../map/overlays/sensor-drawing.ts';
import { svgElement } from '../map/overlays/svg.ts';
import { createTrail, type TrailPlace } from '../map/overlays/trail.ts';
import { projectorOf } from '../map/projector.ts';
import type { Fleet, FleetItem } from './fleet.ts';
import { texts } from './texts.ts';

type Options = { fleet: Fleet; onSelect: (platformId: string) => void };

/** Options for fitting the map to the platforms at first: padding in pixels and maximum zoom. */
const FIT_OPTIONS = { padding: 60, maxZoom: 13 } as const;

type Drawing = {
  element: SVGGElement;
  marker: ReturnType<typeof createPlatformMarker>;
  trail: ReturnType<typeof createTrail>;
  sensors: Map<string, SensorDrawing>;
  /** Type, name and colour for which the marker was created; if these change, it is created again. */
  made: string;
};

const madeFor = ({ type, name, presentation }: LivePlatform) => `${type} ${name} ${presentation.color}`;

/**
 * Overlay that draws all live platforms on the map: marker, heading, trail, footprints and targets. A click on a marker
 * selects its platform.
 */
export const fleetOverlay = (options: Options): Overlay => ({
  id: 'fleet',
  ...frameLines,
  start: (deps) => startFleet(deps, options),
});

function startFleet({ map, svg, services }: OverlayDeps, { fleet, onSelect }: Options): RunningOverlay {
  const drawings = new Map<string, Drawing>();
  const project = projectorOf(map);
  const layers = noFrames();
  /** Colours for drawing; null until the user's choices have been read. */
  let paint: OverlayPaint | null = null;
  let trailUs = 0;
  let fitted = false;

  function make(platform: LivePlatform): Drawing {
    const button = {
      label: fill(texts.select, { name: platform.name }),
      onPress: () => onSelect(platform._id),
    };
    const marker = createPlatformMarker({ type: platform.type, name: platform.name, button });
    const trail = createTrail();
    const element = svgElement('g', { 'data-platform-id': platform._id }, [trail.element, marker.element]);
    svg.append(element);
    const drawing = { element, marker, trail, sensors: new Map(), made: madeFor(platform) };
    paintOne(drawing, platform);
    return drawing;
  }

  function drawingOf(platform: LivePlatform): Drawing {
    const existing = drawings.get(platform._id);
    if (existing?.made === madeFor(platform)) return existing;
    existing?.element.remove();
    const made = make(platform);
    drawings.set(platform._id, made);
    return made;
  }

  function paintOne({ marker, trail, sensors }: Drawing, { presentation }: LivePlatform) {
    if (!paint) return;
    const own = { ...paint, ink: platformInk(presentation.color, paint.scheme) };
    marker.paint(own);
    trail.paint(own.ink);
    for (const drawing of sensors.values()) drawing.paint(own);
  }

  function draw(id: string) {
    const item = fleet.item(id);
    if (!item) {
      drawings.get(id)?.element.remove();
      drawings.delete(id);
      return;
    }
    if (!paint) return;
    const drawing = drawingOf(item.platform);
    drawSensors(drawing, item);
    drawMarker(drawing, item);
    fitFirst();
  }

  function drawSensors(drawing: Drawing, { platform, frames }: FleetItem) {
    for (const [sensorId, one] of drawing.sensors) {
      if (frames.some((frame) => frame.sensorId === sensorId)) continue;
      one.element.remove();
      drawing.sensors.delete(sensorId);
    }
    const { leader } = services.clock.get();
    for (const frame of frames) {
      let one = drawing.sensors.get(frame.sensorId);
      if (!one) {
        one = createSensorDrawing(frame.sensorId);
        drawing.sensors.set(frame.sensorId, one);
        drawing.element.insertBefore(one.element, drawing.marker.element);
        paintOne(drawing, platform);
      }
      one.draw({ frame, leads: frame.sensorId === leader || frames.length === 1, layers, project });
    }
  }

  function drawMarker({ marker, trail }: Drawing, { frames, trail: places }: FleetItem) {
    const { leader } = services.clock.get();
    const frame =
      frames.find(({ sensorId }) => sensorId === leader) ?? frames.find(({ platform }) => platform !== null);
    if (!frame?.platform) {
      marker.hide();
      trail.hide();
      return;
    }
    const recordTimeUs = frame.record?.timeUs ?? frame.timeUs;
    marker.draw({ ...project(frame.platform), headingDeg: frame.headingDeg, stale: frame.stale, recordTimeUs });
    if (!layers.trail) return trail.hide();
    trail.draw(until(places, recordTimeUs, trailUs), { untilUs: recordTimeUs, lengthUs: trailUs, project });
  }

  /** If nothing is watched, the map starts with all platforms in view. */
  function fitFirst() {
    if (fitted) return;
    const places = fleet.ids().flatMap((id) => fleet.item(id)?.frames.flatMap(({ platform }) => platform ?? []) ?? []);
    const bounds = boundsOf(places);
    if (!bounds) return;
    fitted = true;
    if (services.frames.all().length === 0) map.fitBounds(bounds, { ...FIT_OPTIONS, animate: false });
  }

  function redraw() {
    for (const id of new Set([...fleet.ids(), ...drawings.keys()])) draw(id);
  }

  map.on('move', redraw);
  map.on('resize', redraw);
  const unsubscribes = [
    fleet.subscribe(draw),
    services.frames.subscribe((frame) => fleet.show(frame)),
    services.clock.subscribe(redraw),
  ];

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
      paint = next;
      for (const [id, drawing] of drawings) {
        const item = fleet.item(id);
        if (item) paintOne(drawing, item.platform);
      }
      redraw();
    },
    stop() {
      map.off('move', redraw);
      map.off('resize', redraw);
      for (const unsubscribe of unsubscribes) unsubscribe();
    },
  };
}

function* until(places: readonly TrailPlace[], untilUs: number, lengthUs: number): Generator<TrailPlace> {
  for (const place of places) if (place.timeUs > untilUs - lengthUs && place.timeUs <= untilUs) yield place;
}
