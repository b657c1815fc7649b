import {
  mdiAccount,
  mdiAlert,
  mdiAnchor,
  mdiCircle,
  mdiCloseThick,
  mdiFerry,
  mdiFlag,
  mdiMapMarker,
  mdiRhombus,
  mdiSquare,
  mdiStar,
  mdiTriangle,
} from '@mdi/js';
import type { FeatureSymbol } from '@osprey/contract';

/** Width and height of a symbol on the map, in pixels. */
export const SYMBOL_PX = 24;

/** SVG paths in a view box of 24 by 24. */
export const symbolPaths: Record<FeatureSymbol, string> = {
  pin: mdiMapMarker,
  dot: mdiCircle,
  cross: mdiCloseThick,
  triangle: mdiTriangle,
  square: mdiSquare,
  diamond: mdiRhombus,
  star: mdiStar,
  flag: mdiFlag,
  anchor: mdiAnchor,
  ship: mdiFerry,
  person: mdiAccount,
  warning: mdiAlert,
};
