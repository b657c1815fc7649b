import type { ShownAnnotation } from '@osprey/contract';
import { keepPreviousData, type QueryClient, QueryObserver } from '@tanstack/react-query';
import { type GeoJSONSource, type Map as MapLibreMap, type MapMouseEvent, Popup } from 'maplibre-gl';
import type { Api } from '../api/api.ts';
import { chartColours, type Scheme } from '../base/colours.ts';
import { plainText } from '../base/format.ts';
import type { MissionClock } from '../onscreen/clock/mission-clock.ts';
import { hiddenAnnotations } from './hidden.ts';
import { missionTime } from './open-mission.ts';
import { popupContent } from './popup.ts';
import { displayed, shapeLayers, symbolsFor } from './shape-layers.ts';
import { isShownAt, type ViewKind } from './shown-at.ts';
import { shownQuery } from './useAnnotations.ts';
import { areaOf, bboxText, holds, type ViewArea, viewArea } from './view-area.ts';

export type DrawingDeps = {
  /** Map whose style has loaded. */
  map: MapLibreMap;
  /** Id of a map layer that stays above the annotations; left out: none. */
  below?: string;
  api: Api;
  queries: QueryClient;
  scheme: Scheme;
  view: ViewKind;
  /** Clock of the mission that is shown. */
  clock?: MissionClock;
};

const SOURCE = 'annotations';
/**
 * Margin around the view that is read as well, as a share of its size, so that moving the map a little requires no
 * further request.
 */
const MARGIN = 0.5;
/**
 * Options of the source that make drawing faster: maximum simplification error of lines (`tolerance`) and overlap with
 * the next tile (`buffer`), both in pixels.
 */
const COARSE = { tolerance: 1, buffer: 32 };
/** Time in milliseconds for which the map must be at rest before annotations are requested. */
const REST_MS = 150;
/**
 * Returns the zoom for which shapes are requested: a whole number above that of the map, so that they remain sharp
 * while zooming in.
 */
const sharper = (zoom: number) => Math.min(24, Math.floor(zoom) + 1);

/** Draws the annotations in the view of a map, and opens a popup for an annotation that is clicked. */
export function drawAnnotations({ map, below, api, queries, scheme, view, clock }: DrawingDeps) {
  const icons = symbolsFor(map);
  map.addSource(SOURCE, { type: 'geojson', data: { type: 'FeatureCollection', features: [] }, ...COARSE });
  const layers = shapeLayers(SOURCE, scheme);
  for (const layer of layers) map.addLayer(layer, below);
  const ids = layers.map(({ id }) => id);
  let isShown = true;
  let read: ViewArea | null = null;
  let shown: readonly ShownAnnotation[] = [];
  let drawn = '';
  let popup: { id: string; box: Popup } | null = null;
  let resting: ReturnType<typeof setTimeout> | undefined;

  const observer = new QueryObserver<ShownAnnotation[]>(queries, {
    queryKey: ['annotations', 'shown', null],
    enabled: false,
  });
  const leaveObserver = observer.subscribe(({ data }) => {
    shown = data ?? [];
    drawn = '';
    draw();
  });

  /**
   * Reads the annotations again when the view has left the area that was read, or shows it at a higher zoom than it was
   * read for.
   */
  function refresh() {
    const inView = areaOf(map.getBounds(), map.getZoom());
    viewArea.set(inView);
    if (!isShown) return;
    const zoom = sharper(inView.zoom);
    if (read !== null && holds(read, inView) && read.zoom >= inView.zoom && read.zoom <= zoom + 2) return;
    read = areaOf(map.getBounds(), zoom, MARGIN);
    observer.setOptions({
      ...shownQuery(api, bboxText(read), zoom),
      placeholderData: keepPreviousData,
      refetchOnWindowFocus: false,
    });
  }

  function draw() {
    const hidden = hiddenAnnotations.get();
    const timeUs = clock?.timeUs() ?? null;
    const requested = shown.filter((one) => !hidden.has(one._id) && isShownAt(one, view, timeUs));
    const key = requested.map(({ _id }) => _id).join();
    if (key === drawn) return;
    drawn = key;
    const features = requested.flatMap((one) =>
      one.features.flatMap((feature, index) =>
        displayed(feature, { id: one._id, index, ...(labelOf(feature, one) && { label: labelOf(feature, one) }) }),
      ),
    );
    map.getSource<GeoJSONSource>(SOURCE)?.setData({ type: 'FeatureCollection', features: features as never[] });
    if (popup && !requested.some(({ _id }) => _id === popup?.id)) closePopup();
  }

  function closePopup() {
    popup?.box.remove();
    popup = null;
  }

  function onClick(event: MapMouseEvent) {
    const [hit] = map.queryRenderedFeatures(event.point, { layers: ids.filter((id) => map.getLayer(id)) });
    const one = shown.find(({ _id }) => _id === hit?.properties.id);
    if (!hit || !one) return;
    closePopup();
    const box = new Popup({ closeButton: true, maxWidth: '320px', className: 'annotation-popup' })
      .setLngLat(event.lngLat)
      .setDOMContent(popupContent(one, Number(hit.properties.index)))
      .addTo(map);
    popup = { id: one._id, box };
    box.on('close', () => {
      if (popup?.box === box) popup = null;
    });
  }

  const setCursor = (cursor: string) => () => {
    map.getCanvas().style.cursor = cursor;
  };
  const [enter, leave] = [setCursor('pointer'), setCursor('')];
  const rest = () => {
    clearTimeout(resting);
    resting = setTimeout(refresh, REST_MS);
  };
  map.on('moveend', rest);
  map.on('click', onClick);
  for (const id of ids) {
    map.on('mouseenter', id, enter);
    map.on('mouseleave', id, leave);
  }
  const unsubscribes = [
    leaveObserver,
    hiddenAnnotations.subscribe(draw),
    clock?.onTime(draw) ?? (() => undefined),
    viewArea.onShow(({ bounds }) => map.fitBounds(bounds, { padding: 60, maxZoom: 15, animate: false })),
  ];
  if (clock) missionTime.set(clock.timeUs);
  refresh();

  return {
    show(next: boolean) {
      isShown = next;
      for (const id of ids) map.setLayoutProperty(id, 'visibility', next ? 'visible' : 'none');
      if (!next) closePopup();
      else refresh();
    },
    paint(next: Scheme) {
      const { sea } = chartColours[next];
      const ink = next === 'dark' ? '#FFFFFF' : '#171C23';
      map.setPaintProperty(`${SOURCE}-dot`, 'circle-stroke-color', sea);
      map.setPaintProperty(`${SOURCE}-label`, 'text-color', ink);
      map.setPaintProperty(`${SOURCE}-label`, 'text-halo-color', sea);
    },
    stop() {
      clearTimeout(resting);
      for (const end of unsubscribes) end();
      closePopup();
      map.off('moveend', rest);
      map.off('click', onClick);
      for (const id of ids) {
        map.off('mouseenter', id, enter);
        map.off('mouseleave', id, leave);
        map.removeLayer(id);
      }
      map.removeSource(SOURCE);
      icons.stop();
      viewArea.set(null);
      if (clock) missionTime.set(null);
    },
  };
}

/**
 * Returns the label of a shape. If an annotation has a single shape without a title, the title of the annotation is
 * used.
 */
function labelOf({ properties }: ShownAnnotation['features'][number], one: ShownAnnotation): string {
  const own = properties.featureTitle || properties.title;
  return plainText(own || (one.features.length === 1 ? one.title : ''));
}
