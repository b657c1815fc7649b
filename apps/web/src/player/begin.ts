/** What public/early.js begins a recording with, before any other code of the client is there. */
export { prepareHls } from './hlsSource.ts';
