import type { Rename } from '../rename.ts';

const all = true;

/** Frames were five things: a frame is a picture now, and what crosses a socket is a message. */
export const table: Rename[] = [
  { from: 'jsonFrame', to: 'jsonMessage' },
  { from: 'frameHead', to: 'messageHead', in: /recorder-wire\// },
  { from: 'frameReader', to: 'messageReader' },
  { from: 'readMediaFrame', to: 'readMediaMessage' },
  { from: 'readKlvFrame', to: 'readKlvMessage' },
  { from: 'MediaFrame', to: 'MediaMessage' },
  { from: 'KlvFrame', to: 'KlvMessage' },
  { from: 'klvFrame', to: 'klvMessage' },
  { from: 'onFrame', to: 'onPayload', all, in: /apps\/server\/src\/(?:recorder-wire|recorder|gateway|live)\// },
  { from: 'OnFrame', to: 'OnPayload' },
  { from: 'readFrames', to: 'readMessages' },
  { from: 'aisFrames', to: 'shipMessages' },
  { from: 'AisFramesDeps', to: 'ShipMessagesDeps' },
  { from: 'livePlace', to: 'hlsLivePoint' },
];
