/** Initial centre and zoom of the map (specification 2, section 9). */
export const DEFAULT_CENTRE = { lat: 37.71, lon: -122.45 } as const;
export const DEFAULT_ZOOM = 12;

export type MapView = { center: [lon: number, lat: number]; zoom: number };

/** Must be an inline style, since MapLibre's style sheet makes its container relative, without a height. */
export const FILLS = { position: 'absolute', inset: 0 } as const;

/** Styles MapLibre's controls in the theme. */
export const MAP_SX = {
  '& .maplibregl-ctrl-scale': {
    color: 'text.primary',
    bgcolor: 'color-mix(in srgb, var(--mui-palette-surface-panel) 85%, transparent) !important',
    borderColor: 'text.secondary',
    fontFamily: 'fontFamily',
    fontSize: 11,
    whiteSpace: 'nowrap',
  },
  '& .maplibregl-ctrl.maplibregl-ctrl-attrib': {
    bgcolor: 'surface.panel',
    color: 'text.secondary',
    fontFamily: 'fontFamily',
    fontSize: 11,
    lineHeight: '16px',
  },
  '& .maplibregl-canvas:focus-visible': { outlineOffset: '-3px' },
  '& .maplibregl-popup': { zIndex: 2 },
  '& .maplibregl-popup-content': {
    p: 2,
    pr: 6,
    maxHeight: 200,
    overflowY: 'auto',
    overflowWrap: 'anywhere',
    borderRadius: 1.5,
    border: 1,
    borderColor: 'surface.lineStrong',
    bgcolor: 'surface.raised',
    color: 'text.primary',
    fontFamily: 'fontFamily',
    fontSize: 12,
    lineHeight: 1.4,
    '& p': { m: 0, color: 'text.secondary', whiteSpace: 'pre-line' },
    '& strong': { fontSize: 13 },
  },
  '& .maplibregl-popup-close-button': { color: 'text.secondary', width: 24, height: 24, fontSize: 16 },
  '& .maplibregl-popup-tip': { display: 'none' },
} as const;
