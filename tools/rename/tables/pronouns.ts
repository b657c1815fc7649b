import type { Rename } from '../rename.ts';

/** Variables are named by nouns, not by pronouns and numerals. */
export const table: Rename[] = [
  {
    from: 'some',
    to: 'batch',
    in: /commands\/audit-command\.ts$|features\/(?:activity|audit)\/export\.ts$|features\/audit\/routes\.ts$/,
  },
  { from: 'some', to: 'children', in: /base\/dropped-files\.ts$/ },
  { from: 'some', to: 'isPartial', in: /users\/BulkGroupsDialog\.tsx$/ },
  { from: 'twice', to: 'duplicate', in: /missions\/changes\.ts$|map\/overlay-host\.ts$|dialog\/SensorsStep\.tsx$/ },
  { from: 'twice', to: 'duplicates', in: /platforms\/read-file\.ts$|case-package\/src\/verify\.ts$/ },
  { from: 'mine', to: 'editableRows', in: /jobs\/routes\.ts$/ },
  { from: 'mine', to: 'updated', in: /jobs\/(?:rows|runner|tasks)\.ts$/ },
  { from: 'mine', to: 'ownTurn', in: /stream\/source-keeper\.ts$/ },
  {
    from: 'two',
    to: 'twoDigits',
    in: /ais\/batch\.ts$|telemetry\/formats\.ts$|containers\/embedded\.ts$|base\/format\.ts$|overlays\/graticule\.ts$|system\/uptime\.ts$/,
  },
  { from: 'three', to: 'threeDigits', in: /range\/sectors\.ts$/ },
  { from: 'two', to: 'twoDigitPrefix', in: /ais\/src\/names\.ts$/ },
  { from: 'three', to: 'threeDigitPrefix', in: /ais\/src\/names\.ts$/ },
  { from: 'nobody', to: 'dummyHash', in: /identity\/password-hashes\.ts$/ },
  { from: 'nobody', to: 'signedOut', in: /api\/ask-session\.ts$/ },
  { from: 'nobody', to: 'noIds', in: /control\/usePlatformControl\.ts$/ },
  { from: 'shown', to: 'shownLabels', in: /base\/shown-labels\.ts$/ },
  { from: 'page', to: 'decoder', in: /reader\/dbf\.ts$/ },
];
