import workerPath from 'hls.js/dist/hls.worker.js?url';

/** Loads the player's code; called when a mission is about to be opened, and again by the player. */
export const loadHls = () => import('./hls-code.ts');

/** Settings for the streams of sensors. They have no captions, and empty text tracks would need a data: address. */
export const PLAIN_VIDEO = {
  workerPath,
  renderTextTracksNatively: false,
  enableID3MetadataCues: false,
  enableEmsgMetadataCues: false,
  enableDateRangeMetadataCues: false,
  enableWebVTT: false,
  enableIMSC1: false,
  enableCEA708Captions: false,
};
