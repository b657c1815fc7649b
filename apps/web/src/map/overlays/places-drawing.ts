import type { GeoJSONSource, LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import { chartColours, darkPalette, lightPalette, type Scheme } from '../../base/colours.ts';
import { paintBase } from '../base-map.ts';
import { createBaseMap } from '../create-map.ts';
import { haloOf, MAP_FONT } from '../lettering.ts';
import { openOnSite } from '../site-extent.ts';
import type { Places, ViewBounds } from './places.ts';

const PLACES = 'places';
const WORLD = { center: [10, 25] as [number, number], zoom: 0.8 };

/** Lowest layer of the places: other drawings go below it. */
const LOWEST_PLACES = 'group';

/** Zoom above which a group of places at the same spot is not opened by zooming in further. */
const CLOSEST = 14;

export type PlacesDrawing = {
  setPlaces: (places: Places) => void;
  setScheme: (scheme: Scheme) => void;
  /** The map, for other drawings on it, whose layers go below `lowest`. */
  map: MapLibreMap;
  lowest: string;
  end: () => void;
};

type Listeners = {
  onSelect: (id: string) => void;
  /** Called with the bounds of the map, first after the start and then after each move. */
  onView: (view: ViewBounds) => void;
};

/**
 * Creates a world map with the places of missions. Places that are close together are joined to a group with their
 * number.
 */
export async function startPlaces(
  container: HTMLElement,
  scheme: Scheme,
  { onSelect, onView }: Listeners,
): Promise<PlacesDrawing> {
  const map = createBaseMap({ container, scheme, view: WORLD });
  await new Promise<void>((resolve) => map.once('load', () => resolve()));
  map.addSource(PLACES, {
    type: 'geojson',
    data: { type: 'FeatureCollection', features: [] },
    cluster: true,
    clusterRadius: 36,
  });
  for (const layer of layersOf(scheme)) map.addLayer(layer);
  listen(map, onSelect);
  const reportView = () => {
    const bounds = map.getBounds();
    onView({
      west: bounds.getWest(),
      east: bounds.getEast(),
      south: bounds.getSouth(),
      north: bounds.getNorth(),
    });
  };
  for (const event of ['moveend', 'resize'] as const) map.on(event, reportView);
  reportView();
  let fitted = false;
  let isOnSite = false;

  return {
    setPlaces(places) {
      map.getSource<GeoJSONSource>(PLACES)?.setData(places);
      if (fitted) return;
      if (places.features.length === 0) {
        // Only once: a list that is read again, still without places, must not move the map from where the user left it.
        if (!isOnSite) openOnSite(map);
        isOnSite = true;
        return;
      }
      fitted = true;
      const lons = places.features.map(({ geometry }) => geometry.coordinates[0] ?? 0);
      const lats = places.features.map(({ geometry }) => geometry.coordinates[1] ?? 0);
      const minimum: [number, number] = [smallest(lons), smallest(lats)];
      const maximum: [number, number] = [-smallest(lons.map((lon) => -lon)), -smallest(lats.map((lat) => -lat))];
      map.fitBounds([minimum, maximum], {
        padding: { top: 60, bottom: 60, left: 60, right: 140 },
        maxZoom: 7,
        animate: false,
      });
    },
    setScheme(next) {
      paintBase(map, next);
      const { sea, text } = chartColours[next];
      map.setPaintProperty('place', 'circle-stroke-color', sea);
      map.setPaintProperty('place-name', 'text-color', text);
      map.setPaintProperty('place-name', 'text-halo-color', sea);
      map.setPaintProperty('group', 'circle-color', paletteOf(next).surface.raised);
      map.setPaintProperty('group', 'circle-stroke-color', paletteOf(next).primary.main);
      map.setPaintProperty('group-count', 'text-color', paletteOf(next).text.primary);
    },
    map,
    lowest: LOWEST_PLACES,
    end: () => map.remove(),
  };
}

const paletteOf = (scheme: Scheme) => (scheme === 'dark' ? darkPalette : lightPalette);

/** Minimum of many thousands of numbers: passing them all to Math.min would overflow the stack. */
const smallest = (values: readonly number[]): number =>
  values.reduce((minimum, one) => Math.min(minimum, one), Infinity);

function listen(map: MapLibreMap, onSelect: (id: string) => void) {
  map.on('click', 'place', ({ features }) => {
    const id = features?.[0]?.properties.id;
    if (typeof id === 'string') onSelect(id);
  });
  map.on('click', 'group', async ({ features }) => {
    const [feature] = features ?? [];
    const id = feature?.properties.cluster_id;
    if (typeof id !== 'number' || feature?.geometry.type !== 'Point') return;
    const zoom = await map.getSource<GeoJSONSource>(PLACES)?.getClusterExpansionZoom(id);
    const [lon = 0, lat = 0] = feature.geometry.coordinates;
    map.easeTo({ center: [lon, lat], zoom: Math.min(zoom ?? CLOSEST, CLOSEST) });
  });
  for (const layer of ['place', 'group']) {
    map.on('mouseenter', layer, () => {
      map.getCanvas().style.cursor = 'pointer';
    });
    map.on('mouseleave', layer, () => {
      map.getCanvas().style.cursor = '';
    });
  }
}

function layersOf(scheme: Scheme): LayerSpecification[] {
  const { sea, text } = chartColours[scheme];
  const palette = paletteOf(scheme);
  const font = { ...MAP_FONT, 'text-size': 12 };
  return [
    {
      id: 'group',
      type: 'circle',
      source: PLACES,
      filter: ['has', 'point_count'],
      paint: {
        'circle-color': palette.surface.raised,
        'circle-stroke-color': palette.primary.main,
        'circle-stroke-width': 1.5,
        'circle-radius': ['interpolate', ['linear'], ['get', 'point_count'], 2, 11, 1000, 22],
      },
    },
    {
      id: 'group-count',
      type: 'symbol',
      source: PLACES,
      filter: ['has', 'point_count'],
      layout: { ...font, 'text-field': ['get', 'point_count_abbreviated'], 'text-allow-overlap': true },
      paint: { 'text-color': palette.text.primary },
    },
    {
      id: 'place',
      type: 'circle',
      source: PLACES,
      filter: ['!', ['has', 'point_count']],
      paint: {
        'circle-color': ['get', 'ink'],
        'circle-radius': 6,
        'circle-stroke-color': sea,
        'circle-stroke-width': 1.5,
      },
    },
    {
      id: 'place-name',
      type: 'symbol',
      source: PLACES,
      filter: ['!', ['has', 'point_count']],
      // Names are shown only where they do not overlap others.
      layout: { ...font, 'text-field': ['get', 'name'], 'text-anchor': 'left', 'text-offset': [0.8, 0] },
      paint: { 'text-color': text, ...haloOf(scheme) },
    },
  ];
}
