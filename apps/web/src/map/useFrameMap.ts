import type { MapLayer } from '@osprey/contract';
import type { GeoJSON } from 'geojson';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { chartColours, platformInk, type Scheme, stateColours } from '../base/colours.ts';
import { useParts, type ViewParts } from '../onscreen/parts.ts';
import { boundsOf, followedPoint, isRefreshDue, leadingFrame } from './follow.ts';
import { CENTRE_MODES, type CentreMode, type LayerChoice, readMapProps, writeMapProps } from './map-storage.ts';
import type { DataLayer } from './overlays/data-layer-names.ts';
import { projectorOf } from './projector.ts';

type LiveMap = {
  map: MapLibreMap;
  setLayers: (layers: LayerChoice) => void;
  setTrail: (seconds: number) => void;
  setScheme: (scheme: Scheme) => void;
  setData: (layer: DataLayer, data: GeoJSON | null) => void;
  setSiteLayers: (layers: readonly MapLayer[]) => void;
};

/** Colours of what is drawn over the map. */
export type LayerPaint = { scheme: Scheme; ink: string; ground: string; text: string; chosen: string };

/** What moves with the frames, drawn into the SVG over the map. */
export type FrameLayer = {
  setLayers: (layers: LayerChoice) => void;
  setTrail: (seconds: number) => void;
  setPaint: (paint: LayerPaint) => void;
  stop: () => void;
};
export type LayerDeps = { map: MapLibreMap; svg: SVGSVGElement; parts: ViewParts };
export type StartLayer = (deps: LayerDeps) => Promise<FrameLayer>;

type Options = {
  container: RefObject<HTMLDivElement | null>;
  svg: RefObject<SVGSVGElement | null>;
  startLayer: StartLayer;
  colour: string;
  scheme: Scheme;
  mode: CentreMode;
  /** The user moved the map by hand. */
  onMoved: () => void;
};

/** Starts the map once the first picture is there, keeps it where the user wants it, and remembers where that was. */
export function useFrameMap({ container, svg, startLayer, colour, scheme, mode, onMoved }: Options) {
  const parts = useParts();
  const [live, setLive] = useState<LiveMap | null>(null);
  const [failed, setFailed] = useState(false);
  const { firstFrame } = parts;
  const waits = !useSyncExternalStore(firstFrame.subscribe, firstFrame.get);
  const now = useRef({ scheme, mode, onMoved });
  now.current = { scheme, mode, onMoved };

  useEffect(() => {
    if (waits || !container.current || !svg.current) return;
    const elements = { container: container.current, svg: svg.current };
    let end: (() => void) | null = null;
    let ended = false;
    startMap({ ...elements, parts, now, startLayer, colour }).then(
      (started) => {
        if (ended) return started.end();
        end = started.end;
        setLive(started.live);
      },
      () => setFailed(true),
    );
    return () => {
      ended = true;
      end?.();
      setLive(null);
    };
  }, [waits, parts, container, svg, startLayer, colour]);

  useEffect(() => live?.setScheme(scheme), [live, scheme]);
  useFollow(live?.map ?? null, mode);
  useFoundOnce(live?.map ?? null, mode);
  return { live, failed, waits };
}

type StartOptions = {
  container: HTMLDivElement;
  svg: SVGSVGElement;
  parts: ReturnType<typeof useParts>;
  now: RefObject<{ scheme: Scheme; mode: CentreMode; onMoved: () => void }>;
  startLayer: StartLayer;
  colour: string;
};

async function startMap({ container, svg, parts, now, startLayer, colour }: StartOptions) {
  const [{ createMap }, { createGraticule }, base, data, { createSiteLayers }] = await Promise.all([
    import('./create-map.ts'),
    import('./overlays/graticule-layer.ts'),
    import('./base-map.ts'),
    import('./overlays/data-layers.ts'),
    import('./overlays/site-layers.ts'),
  ]);
  const map = createMap({ container, scheme: now.current.scheme, view: readMapProps() });
  // Asked before anything is waited for: it is said once.
  const loaded = new Promise<void>((resolve) => map.once('load', () => resolve()));
  const layer = await startLayer({ map, svg, parts });
  const graticule = createGraticule(map, svg);
  let graticuleShown = true;

  map.on('dragstart', (event) => {
    if (event.originalEvent) now.current.onMoved();
  });
  map.on('moveend', () => {
    const { lng, lat } = map.getCenter();
    const center: [number, number] = [((((lng + 180) % 360) + 360) % 360) - 180, lat];
    writeMapProps({ ...readMapProps(), center, zoom: map.getZoom(), mapCenterMode: now.current.mode });
  });
  await loaded;
  data.addDataLayers(map, platformInk(colour, now.current.scheme));
  const site = createSiteLayers(map, now.current.scheme);

  const live: LiveMap = {
    map,
    setLayers(layers) {
      base.showBase(map, layers);
      graticuleShown = layers.graticule;
      graticule.set({ shown: graticuleShown, colours: chartColours[now.current.scheme] });
      layer.setLayers(layers);
    },
    setTrail: layer.setTrail,
    setData: (which, geojson) => data.setData(map, which, geojson),
    setSiteLayers: site.set,
    setScheme(scheme) {
      const ink = platformInk(colour, scheme);
      const { sea, text } = chartColours[scheme];
      base.paintBase(map, scheme);
      data.paintData(map, ink);
      site.paint(scheme);
      graticule.set({ shown: graticuleShown, colours: chartColours[scheme] });
      layer.setPaint({ scheme, ink, ground: sea, text, chosen: stateColours.warning[scheme] });
    },
  };
  const end = () => {
    layer.stop();
    graticule.stop();
    map.remove();
  };
  return { live, end };
}

/** Views whose place was followed, or that somebody moved away from by hand: a map of them is left where it was. */
const placed = new WeakSet<ViewParts>();

/** A map that stays where it is was left at another mission, maybe: it goes once to one of which it shows nothing. */
export function useFoundOnce(map: MapLibreMap | null, mode: CentreMode) {
  const parts = useParts();
  useEffect(() => {
    if (!map) return;
    if (mode !== CENTRE_MODES.manual) return void placed.add(parts);
    let looked = placed.has(parts);
    const look = () => {
      const frame = leadingFrame(parts);
      const point = followedPoint(CENTRE_MODES.frame, frame);
      if (looked || !point) return;
      looked = true;
      const { clientWidth: width, clientHeight: height } = map.getContainer();
      const isInView = [point, frame?.platform ?? point]
        .map(projectorOf(map))
        .some(({ x, y }) => x >= 0 && x <= width && y >= 0 && y <= height);
      if (!isInView) fitFrame(map, frame, point);
    };
    const onDrag = () => void placed.add(parts);
    map.on('dragstart', onDrag);
    const leave = parts.frames.subscribe(look);
    return () => {
      map.off('dragstart', onDrag);
      leave();
    };
  }, [map, mode, parts]);
}

/** Moves the map after what it follows: at once after a jump, else every two seconds. */
export function useFollow(map: MapLibreMap | null, mode: CentreMode) {
  const { frames, clock } = useParts();
  useEffect(() => {
    if (!map) return;
    const project = projectorOf(map);
    let last = Number.NEGATIVE_INFINITY;
    let first = true;
    // Asked of the layout only when it changes: listeners before this one have just written to the page.
    let { clientWidth: width, clientHeight: height } = map.getContainer();
    const measure = () => {
      ({ clientWidth: width, clientHeight: height } = map.getContainer());
    };
    const look = () => {
      const frame = leadingFrame({ clock, frames });
      const point = followedPoint(mode, frame);
      if (!point) return;
      const now = performance.now();
      const { x, y } = project(point);
      const nearEdge = x < width * 0.1 || x > width * 0.9 || y < height * 0.1 || y > height * 0.9;
      if (!first && !isRefreshDue({ sinceMs: now - last, nearEdge })) return;
      last = now;
      if (first) fitFrame(map, frame, point);
      else map.jumpTo({ center: [point.lon, point.lat] });
      first = false;
    };
    if (mode === CENTRE_MODES.manual) return;
    map.on('resize', measure);
    const leave = frames.subscribe(look);
    return () => {
      map.off('resize', measure);
      leave();
    };
  }, [map, mode, frames, clock]);
}

/** A footprint may fill the map; of a platform alone the way around it is to be seen. */
const CLOSEST = { footprint: 17, platform: 14 } as const;

/** Close enough to see the footprint, far enough to see the platform too. */
export function fitFrame(
  map: MapLibreMap,
  frame: ReturnType<ReturnType<typeof useParts>['frames']['latest']>,
  centre: { lon: number; lat: number } | null,
) {
  const corners = frame?.footprint?.corners ?? [];
  const bounds = boundsOf([...(frame?.platform ? [frame.platform] : []), ...corners]);
  if (!bounds) return;
  const { clientWidth, clientHeight } = map.getContainer();
  const padding = Math.min(60, Math.min(clientWidth, clientHeight) * 0.14);
  const maxZoom = corners.length > 0 ? CLOSEST.footprint : CLOSEST.platform;
  const camera = map.cameraForBounds(bounds, { padding, maxZoom });
  if (camera?.zoom !== undefined) {
    // With the followed point in the middle, twice the span has to fit.
    const zoom = centre ? camera.zoom - 0.6 : camera.zoom;
    map.jumpTo({ center: centre ? [centre.lon, centre.lat] : (camera.center ?? map.getCenter()), zoom });
  }
}
