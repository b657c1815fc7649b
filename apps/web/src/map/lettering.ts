import { chartColours, type Scheme } from '../base/colours.ts';

/** Font of the page: MapLibre draws its glyphs with the browser, so no font file is needed. */
export const MAP_FONT = { 'text-font': ['Inter Variable', 'sans-serif'] };

/** Halo of text over the chart, the same in all layers. */
export const haloOf = (scheme: Scheme) => ({
  'text-halo-color': chartColours[scheme].sea,
  'text-halo-width': 1.5,
});

/** Titles of what people drew come into view between these zooms: on a chart of a continent they would lie over everything. */
export const TITLES_FROM = [5, 6] as const;
