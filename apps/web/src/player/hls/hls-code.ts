/** The HLS player, in one file that is loaded with the first thing to play. */
export { default as Player } from 'hls.js/light';
export { hlsPictures } from './hls-pictures.ts';
