import type { MapMouseEvent } from 'maplibre-gl';
import type { OverlayDeps, OverlayPaint, RunningOverlay } from '../../map/overlay.ts';
import { show } from '../../map/overlays/svg.ts';
import { projectorOf } from '../../map/projector.ts';
import { targetAt } from './hit.ts';
import { createLabels, labelOf, type Requested } from './labels.ts';
import { createLegend } from './legend.ts';
import { createSelection } from './selection.ts';
import { targetInk } from './ship-colours.ts';
import { createShipLayer } from './ship-layer.ts';
import { createShipTrail } from './ship-trail.ts';
import { LEGEND, NAMES, type ShipsOptions } from './ships-options.ts';
import type { MapTarget } from './targets.ts';
import { createUnheardSquares } from './unheard-squares.ts';

/** Minimum interval between two selections of names, so that names do not flicker while the map is moved. */
const NAMES_MS = 250;
/** Maximum number of targets in view that are considered for names. */
const REQUESTED_MAX = 600;
/** Below this zoom, names are drawn only if there are at most FEW ships. */
const NAMES_ZOOM = 8;
const FEW = 40;

/** Draws the ships of a map. This module is loaded only when a map starts. */
export function startShips(
  { map, below, svg, services }: OverlayDeps,
  { targets, onSelect, nowUs = nowOfClock }: ShipsOptions,
): RunningOverlay {
  const layer = createShipLayer(map, 'ships');
  const labels = createLabels();
  const selection = createSelection();
  const trail = createShipTrail();
  const unheard = createUnheardSquares();
  const legend = createLegend();
  const project = projectorOf(map);
  const pixelOf = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
    project({ lat: latitude, lon: longitude });
  let isShown = false;
  let withNames = true;
  let withLegend = true;
  let paint: OverlayPaint | null = null;
  let namesTimer: ReturnType<typeof setTimeout> | null = null;
  svg.append(trail.element, unheard.element, labels.element, selection.element);
  map.getContainer().append(legend.element);
  legend.fit(map.getContainer());

  function inView(): Requested[] {
    const { clientWidth: width, clientHeight: height } = map.getCanvas();
    const bounds = map.getBounds();
    const [south, north] = [bounds.getSouth(), bounds.getNorth()];
    const requested: Requested[] = [];
    const { targets: all, selected } = targets.get();
    for (const target of all) {
      if (target.latitude < south || target.latitude > north || target === selected) continue;
      const { x, y } = pixelOf(target);
      if (x < 0 || y < 0 || x > width || y > height) continue;
      requested.push({ target, x, y, text: labelOf(target, nowUs()) });
      if (requested.length >= REQUESTED_MAX) break;
    }
    return requested;
  }

  function chooseNames() {
    namesTimer = null;
    const requested = isShown && withNames ? inView() : [];
    const enough = map.getZoom() >= NAMES_ZOOM || requested.length <= FEW;
    if (!enough || requested.length === 0) return labels.clear();
    const { clientWidth: width, clientHeight: height } = map.getCanvas();
    // Ships that already had a name come first, so that names remain stable while ships move; then the longest ships
    // get names.
    const before = new Set(labels.shown());
    const rank = ({ target }: Requested) => (before.has(target.id) ? 1e6 : 0) + lengthOf(target);
    requested.sort((a, b) => rank(b) - rank(a));
    labels.choose(requested, { width, height }, boxOfSelection());
    labels.move(pixelOf);
  }

  function boxOfSelection() {
    const { selected } = targets.get();
    if (selected === null) return [];
    const { x, y } = pixelOf(selected);
    const width = Math.max(labels.widthOf(selected.name ?? ''), 170);
    return [{ left: x - 14, top: y - 14, right: x + 18 + width, bottom: y + 18 }];
  }

  function namesSoon() {
    namesTimer ??= setTimeout(chooseNames, NAMES_MS);
  }

  /** Moves everything that is drawn over the map when the map moves. */
  function move() {
    const { selected, trail: points } = targets.get();
    if (!isShown) {
      selection.draw(null, 0, 0);
      trail.hide();
      show(unheard.element, false);
      return;
    }
    labels.move(pixelOf);
    unheard.move(pixelOf);
    selection.draw(selected, map.getBearing(), nowUs());
    if (selected === null || paint === null) return trail.hide();
    selection.move(pixelOf(selected), map.getCanvas().clientWidth);
    trail.draw(points, targetInk(selected, paint.scheme), pixelOf);
  }

  function read() {
    const all = isShown ? targets.get().targets : [];
    layer.set(all);
    legend.count(withLegend ? all : [], targets.get().lists);
    move();
    namesSoon();
  }

  const isFinger = ({ originalEvent }: MapMouseEvent) =>
    'pointerType' in originalEvent && originalEvent.pointerType === 'touch';
  const click = (event: MapMouseEvent) => {
    if (!isShown || event.defaultPrevented) return;
    const { targets: all, selected } = targets.get();
    const hit = targetAt(map, all, event.point, isFinger(event));
    if (hit !== null) onSelect(hit.id);
    else if (selected !== null) onSelect(null);
  };
  let isOver = false;
  const hover = (event: MapMouseEvent) => {
    const over = isShown && targetAt(map, targets.get().targets, event.point, false) !== null;
    if (over === isOver) return;
    isOver = over;
    map.getCanvas().style.cursor = over ? 'pointer' : '';
  };
  const moved = () => {
    move();
    namesSoon();
  };

  const resized = () => {
    legend.fit(map.getContainer());
    moved();
  };

  map.addLayer(layer, below);
  map.on('move', moved);
  map.on('resize', resized);
  map.on('click', click);
  map.on('mousemove', hover);
  const unsubscribes = [
    targets.subscribe(read),
    services.frames.subscribe((frame) => {
      unheard.take(frame);
      if (isShown) unheard.move(pixelOf);
    }),
  ];

  return {
    show(shown, id) {
      if (id === NAMES) withNames = shown;
      else if (id === LEGEND) withLegend = shown;
      else isShown = shown;
      legend.show(isShown && withLegend);
      read();
    },
    set: (minutes) => layer.setMinutes(minutes),
    paint(next) {
      paint = next;
      layer.paint(next.scheme);
      labels.paint(next);
      selection.paint(next);
      trail.paint(next);
      unheard.paint(next.scheme);
      legend.paint(next.scheme);
      read();
    },
    stop() {
      for (const unsubscribe of unsubscribes) unsubscribe();
      if (namesTimer !== null) clearTimeout(namesTimer);
      map.off('move', moved);
      map.off('resize', resized);
      map.off('click', click);
      map.off('mousemove', hover);
      if (isOver) map.getCanvas().style.cursor = '';
      legend.element.remove();
      map.removeLayer(layer.id);
    },
  };
}

const nowOfClock = (): number => Date.now() * 1000;

const lengthOf = ({ dimensions }: MapTarget): number =>
  dimensions === null ? 0 : dimensions.toBow + dimensions.toStern;
