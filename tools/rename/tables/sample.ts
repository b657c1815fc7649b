import type { Rename } from '../rename.ts';

/** Names that readers of a random sample did not understand at first reading. */
export const table: Rename[] = [
  { from: 'LARGEST_PART', to: 'MAX_PES_PAYLOAD_BYTES', in: /mpegts\/src\/muxer/ },
  { from: 'tablesFirst', to: 'moveMoovFirst' },
  { from: 'QUOTING_CLASS', to: 'SQLSTATE_DATA_EXCEPTION' },
  { from: 'isPlainPath', to: 'isSafeRelativePath' },
  { from: 'Timed', to: 'TimedMessage', in: /packages\/ais\/|features\/ais\/batch/ },
  { from: 'MadeBy', to: 'DocumentOrigin', in: /features\/documents\// },
  { from: 'ownerToBe', to: 'findNewOwner' },
  { from: 'retransmissionsOf', to: 'rtxPayloadTypesOf' },
  { from: 'flats', to: 'planarCorners', in: /coverage-target/ },
  { from: 'oldStretch', to: 'findExpiredRows' },
  { from: 'End', to: 'JobOutcome', in: /base\/jobs\/definition/ },
  { from: 'listening', to: 'abortListener', in: /uploads\/tus\.ts/ },
];
