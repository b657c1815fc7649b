import type { AnnotationFeature, ShownAnnotation } from '@osprey/contract';
import { type Homography, homography, outlineFault, type Point } from '@osprey/geo';
import { keepPreviousData, type QueryClient, QueryObserver } from '@tanstack/react-query';
import type { Api } from '../../api/api.ts';
import { firstStyle } from '../../map/draw/editor.ts';
import { type Place, pointOf } from '../../map/draw/figures.ts';
import { isArea, linesOf } from '../../map/draw/geometry.ts';
import { svgElement } from '../../map/overlays/svg.ts';
import type { ShownFrame } from '../../onscreen/frames.ts';
import type { GuestPicture, PictureGuest } from '../../player/picture/guest.ts';
import { inPicture, type PictureRect } from '../../player/picture/picture.ts';
import { hiddenAnnotations } from '../hidden.ts';
import { isShownAt } from '../shown-at.ts';
import { shownQuery } from '../useAnnotations.ts';
import { areaOf, bboxText, holds, type ViewArea } from '../view-area.ts';
import { videoDrawing } from './drawing.ts';

type Deps = { api: Api; queries: QueryClient; missionId: string };

/**
 * Margin around the footprint for which annotations are read, as a share of its size, so that a moving camera rarely
 * requires a new request.
 */
const MARGIN = 3;
/** Zoom for which annotations are requested; a picture shows more detail than any map. */
const ZOOM = 20;
/**
 * Maximum distance from the picture, in multiples of its size, at which vertices are drawn; the projection of vertices
 * further away is meaningless.
 */
const FAR = 20;
const NEAR_PX = 10;

/** Draws the annotations on the ground over each frame that shows them, and handles drawing on the picture. */
export const annotationsOnVideo = (deps: Deps): PictureGuest => ({ start: (picture) => startOnVideo(picture, deps) });

function startOnVideo({ svg, sensorId, rect }: GuestPicture, { api, queries, missionId }: Deps) {
  const shapes = svgElement('g', { 'data-part': 'annotations' });
  const draft = svgElement('g', { 'data-part': 'annotation-draft' });
  svg.append(shapes, draft);
  let shown: readonly ShownAnnotation[] = [];
  let read: ViewArea | null = null;
  let last: ShownFrame | null = null;
  let path: Place[] = [];
  let pointer: Place | null = null;

  const observer = new QueryObserver<ShownAnnotation[]>(queries, {
    queryKey: ['annotations', 'shown', null],
    enabled: false,
  });
  const leaveObserver = observer.subscribe(({ data }) => {
    shown = data ?? [];
    drawAll();
  });

  function readAround({ footprint }: ShownFrame) {
    if (footprint === null) return;
    const lons = footprint.corners.map(({ lon }) => lon);
    const lats = footprint.corners.map(({ lat }) => lat);
    const bounds = {
      getWest: () => Math.min(...lons),
      getEast: () => Math.max(...lons),
      getSouth: () => Math.min(...lats),
      getNorth: () => Math.max(...lats),
    };
    // Skip footprints that cross the antimeridian, since their bounding box would span the earth.
    if (bounds.getEast() - bounds.getWest() > 180) return;
    if (read !== null && holds(read, areaOf(bounds, ZOOM))) return;
    read = areaOf(bounds, ZOOM, MARGIN);
    observer.setOptions({ ...shownQuery(api, bboxText(read), ZOOM), placeholderData: keepPreviousData });
  }

  const groundOf = (frame: ShownFrame | null): Homography | null =>
    frame?.footprint ? homography(frame.footprint.corners) : null;

  function drawAll() {
    const ground = groundOf(last);
    if (last === null || ground === null) {
      shapes.replaceChildren();
      draft.replaceChildren();
      return;
    }
    const hidden = hiddenAnnotations.get();
    const { timeUs } = last;
    const view = { kind: 'mission', id: missionId } as const;
    const place = rect();
    const made = shown
      .filter((one) => !hidden.has(one._id) && isShownAt(one, view, timeUs))
      .flatMap(({ features }) => features.flatMap((feature) => drawFeature(feature, ground, place)));
    shapes.replaceChildren(...made);
    const places = pointer === null || path.length === 0 ? path : [...path, pointer];
    const line = pathText(places, ground, place, false);
    draft.replaceChildren(
      ...(line === null || line === ''
        ? []
        : [
            svgElement('path', {
              d: line,
              fill: 'none',
              stroke: '#FFFFFF',
              'stroke-width': 2,
              'stroke-dasharray': '6 4',
            }),
          ]),
    );
  }

  function pressedPlace(event: PointerEvent): Place | null {
    const bounds = svg.getBoundingClientRect();
    const share = inPicture(rect(), event.clientX - bounds.left, event.clientY - bounds.top);
    const point = share && groundOf(last)?.toGround(share.x, share.y);
    return point ? [point.lon, point.lat] : null;
  }

  function onDown(event: PointerEvent) {
    const { tool } = videoDrawing.get();
    if (tool === null || event.button !== 0) return;
    event.stopPropagation();
    const place = pressedPlace(event);
    if (place === null) return videoDrawing.refuse();
    if (tool === 'point') return finish({ type: 'Point', coordinates: place });
    if (isNear(place, path.at(-1)) || (tool === 'polygon' && path.length > 2 && isNear(place, path[0])))
      return finishPath();
    path = [...path, place];
    drawAll();
  }

  function isNear(place: Place, other: Place | undefined): boolean {
    const ground = groundOf(last);
    if (other === undefined || ground === null) return false;
    const [a, b] = [toPixel(place, ground, rect()), toPixel(other, ground, rect())];
    return a !== null && b !== null && Math.hypot(a.x - b.x, a.y - b.y) <= NEAR_PX;
  }

  function finishPath() {
    const { tool } = videoDrawing.get();
    if (tool === 'line' && path.length >= 2) return finish({ type: 'LineString', coordinates: path });
    if (tool !== 'polygon' || path.length < 3) return;
    const geometry = { type: 'Polygon' as const, coordinates: [[...path, path[0]!]] };
    if (outlineFault(geometry) === null) finish(geometry);
  }

  function finish(geometry: AnnotationFeature['geometry']) {
    const timeUs = last?.timeUs ?? 0;
    path = [];
    videoDrawing.finish({ feature: { type: 'Feature', properties: {}, geometry }, sensorId, timeUs });
  }

  function onMove(event: PointerEvent) {
    if (videoDrawing.get().tool === null || path.length === 0) return;
    pointer = pressedPlace(event);
    drawAll();
  }

  function onKey(event: KeyboardEvent) {
    if (videoDrawing.get().tool === null) return;
    if (event.key === 'Enter' && path.length > 0) finishPath();
    else if (event.key === 'Escape') videoDrawing.end();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onState() {
    const isDrawing = videoDrawing.get().tool !== null;
    svg.style.pointerEvents = isDrawing ? 'auto' : 'none';
    svg.style.cursor = isDrawing ? 'crosshair' : '';
    if (!isDrawing) [path, pointer] = [[], null];
    drawAll();
  }

  svg.addEventListener('pointerdown', onDown);
  svg.addEventListener('pointermove', onMove);
  window.addEventListener('keydown', onKey, { capture: true });
  const unsubscribes = [leaveObserver, hiddenAnnotations.subscribe(drawAll), videoDrawing.subscribe(onState)];
  svg.dataset.sensorId = sensorId;
  onState();

  return {
    draw(frame: ShownFrame | null) {
      last = frame;
      if (frame !== null) readAround(frame);
      drawAll();
    },
    stop() {
      for (const unsubscribe of unsubscribes) unsubscribe();
      svg.removeEventListener('pointerdown', onDown);
      svg.removeEventListener('pointermove', onMove);
      window.removeEventListener('keydown', onKey, { capture: true });
      shapes.remove();
      draft.remove();
    },
  };
}

function toPixel(
  place: Place,
  ground: Homography,
  { left, top, width, height }: PictureRect,
): { x: number; y: number } | null {
  const point: Point = pointOf(place);
  const at = ground.toImage(point);
  if (at === null || Math.abs(at.x) > FAR || Math.abs(at.y) > FAR) return null;
  return { x: left + at.x * width, y: top + at.y * height };
}

/**
 * Returns the path of these positions; empty if none is in view of the camera. Vertices behind the camera are left out.
 */
function pathText(places: readonly Place[], ground: Homography, rect: PictureRect, close: boolean): string {
  let text = '';
  let isOpen = false;
  for (const place of places) {
    const at = toPixel(place, ground, rect);
    if (at === null) {
      isOpen = false;
      continue;
    }
    text += `${isOpen ? 'L' : 'M'}${at.x.toFixed(1)} ${at.y.toFixed(1)}`;
    isOpen = true;
  }
  return close && text !== '' && !places.some((place) => toPixel(place, ground, rect) === null) ? `${text}Z` : text;
}

function drawFeature({ geometry, properties }: AnnotationFeature, ground: Homography, rect: PictureRect): SVGElement[] {
  const style = { ...firstStyle, ...properties };
  const stroke = {
    stroke: style.stroke!,
    'stroke-opacity': style['stroke-opacity']!,
    'stroke-width': style['stroke-width']!,
  };
  const isPoint = geometry.type === 'Point' || geometry.type === 'MultiPoint';
  if (isPoint) {
    return linesOf(geometry).flatMap(({ places }) =>
      places.flatMap((place) => {
        const at = toPixel(place, ground, rect);
        if (at === null) return [];
        return [svgElement('circle', { cx: at.x, cy: at.y, r: 7, fill: 'none', ...stroke }), ...label(properties, at)];
      }),
    );
  }
  const d = linesOf(geometry)
    .map(({ places }) => pathText(places, ground, rect, isArea(geometry)))
    .join('');
  if (d === '') return [];
  const fill = isArea(geometry)
    ? { fill: style['fill-color']!, 'fill-opacity': style['fill-opacity']!, 'fill-rule': 'evenodd' }
    : { fill: 'none' };
  const first = linesOf(geometry)[0]?.places[0];
  const at = first ? toPixel(first, ground, rect) : null;
  return [
    svgElement('path', { d, ...fill, ...stroke, 'stroke-linejoin': 'round' }),
    ...(at ? label(properties, at) : []),
  ];
}

function label({ featureTitle, title }: AnnotationFeature['properties'], at: { x: number; y: number }): SVGElement[] {
  const words = featureTitle || title;
  if (!words) return [];
  const text = svgElement('text', {
    x: at.x + 10,
    y: at.y - 6,
    fill: '#F2F5F9',
    stroke: '#000000',
    'stroke-width': 3,
    'paint-order': 'stroke',
    'font-size': 12,
    'font-weight': 600,
  });
  text.textContent = words;
  return [text];
}
