/**
 * Types for the variant of hls.js without captions, DRM and separate audio tracks, which recordings of sensors do not
 * have.
 */
declare module 'hls.js/light' {
  export * from 'hls.js';
  export { default } from 'hls.js';
}
