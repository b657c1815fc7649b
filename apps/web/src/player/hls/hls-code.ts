/** The HLS player in one chunk, which is loaded when something is first played. */
export { default as Player } from 'hls.js/light';
export { hlsPictures } from './hls-pictures.ts';
