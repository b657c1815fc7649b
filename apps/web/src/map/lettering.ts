import { chartColours, type Scheme } from '../base/colours.ts';

/** The font of the page, drawn by the browser without a file; so are the names that are drawn as SVG. */
export const MAP_FONT = { 'text-font': ['Inter Variable', 'sans-serif'] };

/** Text over the chart: all layers have the same halo. */
export const haloOf = (scheme: Scheme) => ({
  'text-halo-color': chartColours[scheme].sea,
  'text-halo-width': 1.5,
});

/** Titles of what people drew come into view between these zooms: on a chart of a continent they would lie over everything. */
export const TITLES_FROM = [5, 6] as const;
