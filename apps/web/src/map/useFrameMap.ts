import type { Map as MapLibreMap } from 'maplibre-gl';
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Scheme } from '../base/colours.ts';
import { useViewServices, type ViewServices } from '../onscreen/view-services.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { paintSea } from './base-map.ts';
import { boundsOf, followedPoint, isRefreshDue, leadingFrame, outlineOf } from './follow.ts';
import { mapLocked } from './locked.ts';
import { CENTRE_MODES, type CentreMode, readMapProps, writeMapProps } from './map-storage.ts';
import type { Overlay } from './overlay.ts';
import type { OverlayHost } from './overlay-host.ts';
import { projectorOf } from './projector.ts';
import { openOnSite } from './site-extent.ts';

type LiveMap = { map: MapLibreMap; host: OverlayHost; setScheme: (scheme: Scheme) => void };

type Options = {
  container: RefObject<HTMLDivElement | null>;
  svg: RefObject<SVGSVGElement | null>;
  overlays: readonly Overlay[];
  scheme: Scheme;
  mode: CentreMode;
  /** Called when the user has moved the map. */
  onMoved: () => void;
};

/** Starts the map when the first picture is there, keeps it where the user wants it, and stores its position. */
export function useFrameMap({ container, svg, overlays, scheme, mode, onMoved }: Options) {
  const services = useViewServices();
  const { show } = useSnackbar();
  const [live, setLive] = useState<LiveMap | null>(null);
  const [failed, setFailed] = useState(false);
  const { firstFrame } = services;
  const waits = !useSyncExternalStore(firstFrame.subscribe, firstFrame.get);
  const now = useRef({ scheme, mode, onMoved });
  now.current = { scheme, mode, onMoved };

  useEffect(() => {
    if (waits || !container.current || !svg.current) return;
    const elements = { container: container.current, svg: svg.current };
    const onError = (message: string) => show(message, 'error');
    let end: (() => void) | null = null;
    let ended = false;
    startMap({ ...elements, services, now, onError }).then(
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
  }, [waits, services, container, svg, show]);

  useEffect(() => live?.setScheme(scheme), [live, scheme]);
  const locked = useSyncExternalStore(mapLocked.subscribe, mapLocked.get);
  const free = locked ? null : (live?.map ?? null);
  useFollow(free, mode);
  useFoundOnce(free, mode);
  useEffect(() => live?.host.setOverlays(overlays), [live, overlays]);
  return { live, failed, waits };
}

type StartOptions = {
  container: HTMLDivElement;
  svg: SVGSVGElement;
  services: ViewServices;
  now: RefObject<{ scheme: Scheme; mode: CentreMode; onMoved: () => void }>;
  onError: (message: string) => void;
};

async function startMap({ container, svg, services, now, onError }: StartOptions) {
  const [{ createMap }, { createOverlayHost }] = await Promise.all([
    import('./create-map.ts'),
    import('./overlay-host.ts'),
  ]);
  const view = readMapProps();
  const map = createMap({ container, scheme: now.current.scheme, view });
  if (!view.moved) openOnSite(map);
  map.on('dragstart', (event) => {
    if (event.originalEvent) now.current.onMoved();
  });
  map.on('moveend', ({ originalEvent }) => {
    const { lng, lat } = map.getCenter();
    const center: [number, number] = [((((lng + 180) % 360) + 360) % 360) - 180, lat];
    const before = readMapProps();
    const moved = before.moved || originalEvent !== undefined;
    writeMapProps({ ...before, center, zoom: map.getZoom(), mapCenterMode: now.current.mode, moved });
  });
  await new Promise<void>((resolve) => map.once('load', () => resolve()));
  const host = createOverlayHost({ map, svg, services, scheme: now.current.scheme, onError });
  const live: LiveMap = {
    map,
    host,
    setScheme(scheme) {
      paintSea(map, scheme);
      host.setScheme(scheme);
    },
  };
  const end = () => {
    host.stop();
    map.remove();
  };
  return { live, end };
}

/** Views whose map followed something, or was moved by the user; their map stays where it was left. */
const placed = new WeakSet<ViewServices>();

/**
 * Moves a map that follows nothing once to the mission, if the mission is not in view: the map may have been left at
 * the place of another mission.
 */
export function useFoundOnce(map: MapLibreMap | null, mode: CentreMode) {
  const services = useViewServices();
  useEffect(() => {
    if (!map) return;
    if (mode !== CENTRE_MODES.manual) return void placed.add(services);
    let looked = placed.has(services);
    const follow = () => {
      const frame = leadingFrame(services);
      const point = followedPoint(CENTRE_MODES.frame, frame);
      if (looked || !point) return;
      looked = true;
      const { clientWidth: width, clientHeight: height } = map.getContainer();
      const isInView = [point, frame?.platform ?? point]
        .map(projectorOf(map))
        .some(({ x, y }) => x >= 0 && x <= width && y >= 0 && y <= height);
      if (!isInView) fitFrame(map, frame, point);
    };
    const onDrag = () => void placed.add(services);
    map.on('dragstart', onDrag);
    const unsubscribe = services.frames.subscribe(follow);
    return () => {
      map.off('dragstart', onDrag);
      unsubscribe();
    };
  }, [map, mode, services]);
}

/** Moves the map so that it follows its target: immediately after a jump, and otherwise every two seconds. */
export function useFollow(map: MapLibreMap | null, mode: CentreMode) {
  const { frames, clock } = useViewServices();
  useEffect(() => {
    if (!map) return;
    const project = projectorOf(map);
    let last = Number.NEGATIVE_INFINITY;
    let first = true;
    // The size is read only when it changes, since reading it forces a layout: listeners called before have just
    // changed the page.
    let { clientWidth: width, clientHeight: height } = map.getContainer();
    const measure = () => {
      ({ clientWidth: width, clientHeight: height } = map.getContainer());
    };
    const follow = () => {
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
    const unsubscribe = frames.subscribe(follow);
    return () => {
      map.off('resize', measure);
      unsubscribe();
    };
  }, [map, mode, frames, clock]);
}

/**
 * Maximum zooms: a footprint may fill the map, but for a platform without a footprint, its surroundings must be
 * visible.
 */
const CLOSEST = { footprint: 17, platform: 14 } as const;

/** Chooses the zoom so that the footprint is as large as possible, while the platform is still in view. */
export function fitFrame(
  map: MapLibreMap,
  frame: ReturnType<ReturnType<typeof useViewServices>['frames']['latest']>,
  centre: { lon: number; lat: number } | null,
) {
  const corners = frame ? outlineOf(frame) : [];
  const bounds = boundsOf([...(frame?.platform ? [frame.platform] : []), ...corners]);
  if (!bounds) return;
  const { clientWidth, clientHeight } = map.getContainer();
  const padding = Math.min(60, Math.min(clientWidth, clientHeight) * 0.14);
  const maxZoom = corners.length > 0 ? CLOSEST.footprint : CLOSEST.platform;
  const camera = map.cameraForBounds(bounds, { padding, maxZoom });
  if (camera?.zoom !== undefined) {
    // If the followed point is in the centre, twice the span must fit.
    const zoom = centre ? camera.zoom - 0.6 : camera.zoom;
    map.jumpTo({ center: centre ? [centre.lon, centre.lat] : (camera.center ?? map.getCenter()), zoom });
  }
}
