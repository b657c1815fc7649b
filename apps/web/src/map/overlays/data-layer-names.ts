/** Layers of what the server worked out for the whole recording. */
export const DATA_LAYERS = ['area', 'path', 'heatmap'] as const;
export type DataLayer = (typeof DATA_LAYERS)[number];

export const isDataLayer = (layer: string): layer is DataLayer => (DATA_LAYERS as readonly string[]).includes(layer);
