import { readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { filesOf, importsOf } from './imports.ts';

const root = resolve(import.meta.dirname, '../..');
const WEB = 'apps/web/src/';

/** Imports of types alone, which no build keeps. */
const TYPES = /^import type [^;]*;$|^import \{(?:\s*type \w+(?: as \w+)?,?)+\s*\} from [^;]*;$/gm;

/** Files of the client that come with these, in one piece. */
function comingWith(roots: readonly string[]): string[] {
  const reached = new Set(roots);
  for (const file of reached) {
    const source = readFileSync(join(root, file), 'utf8').replace(TYPES, '');
    for (const { specifier, isDynamic } of importsOf(source)) {
      if (!isDynamic && specifier.startsWith('.')) reached.add(normalize(join(dirname(file), specifier)));
    }
  }
  return [...reached];
}

/**
 * Modules that the mission view waits for, by feature. One that appears here makes the first picture later: panels, dialogs
 * and drawings are fetched by `later`.
 */
const modules = [
  'ais/columns.tsx',
  'ais/ships.ts',
  'ais/texts.ts',
  'ais/video/ShipsInFrameAction.tsx',
  'ais/video/in-frame-now.ts',
  'ais/video/texts.ts',
  'ais/video/useInFrameSpans.ts',
  'ais/video/useShipsOnVideo.ts',
  'ais/view-feature.tsx',
  'annotations/open-mission.ts',
  'annotations/tab-texts.ts',
  'annotations/texts.ts',
  'annotations/useAnnotationMarks.ts',
  'annotations/useAnnotationsOverlay.ts',
  'annotations/video/DrawOnVideo.tsx',
  'annotations/video/drawing.ts',
  'annotations/view-feature.tsx',
  'bookmarks/BookmarkActions.tsx',
  'bookmarks/link.ts',
  'bookmarks/marked-view.ts',
  'bookmarks/pins.ts',
  'bookmarks/tab-texts.ts',
  'bookmarks/texts.ts',
  'bookmarks/useBookmarkActs.ts',
  'bookmarks/useBookmarks.ts',
  'bookmarks/useMayMark.ts',
  'bookmarks/view-feature.tsx',
  'cases/add/AddToCase.tsx',
  'cases/add/SpanToCase.tsx',
  'cases/add/collected.ts',
  'cases/add/texts.ts',
  'cases/view-feature.tsx',
  'clips/ClipToCaseAction.tsx',
  'clips/ExportAction.tsx',
  'clips/clips-view.ts',
  'clips/pins.ts',
  'clips/tab-texts.ts',
  'clips/texts.ts',
  'clips/useClips.ts',
  'clips/useMayClip.ts',
  'clips/view-feature.tsx',
  'conference/together/on-video.ts',
  'conference/together/pointer-mark.ts',
  'conference/together/shared.ts',
  'conference/together/useTogetherView.ts',
  'conference/view-feature.tsx',
  'coverage/last-seen-titles.ts',
  'coverage/play/FoundPlaying.tsx',
  'coverage/play/play-list.ts',
  'coverage/useLastSeenOverlay.ts',
  'coverage/view-feature.tsx',
  'missions/filter.ts',
  'missions/map-query/texts.ts',
  'missions/map-query/useMapQuery.ts',
  'missions/view-feature.tsx',
  'platforms/control/now-texts.ts',
  'platforms/control/recording.ts',
  'platforms/view-feature.tsx',
  'snapshots/SnapshotAction.tsx',
  'snapshots/capture.ts',
  'snapshots/moment.ts',
  'snapshots/texts.ts',
  'snapshots/useSnapshotTaking.tsx',
  'snapshots/useSnapshots.ts',
  'snapshots/useTakeSnapshot.ts',
  'snapshots/view-feature.tsx',
];

it('names the modules of features that come with the mission view', () => {
  const features = filesOf(root, ['apps/web/src/*/view-feature.tsx']);
  const folders = features.map((file) => `${dirname(file)}/`).filter((folder) => folder !== `${WEB}missionview/`);
  expect(folders.length).toBeGreaterThan(7);
  const own = comingWith(features).filter((file) => folders.some((folder) => file.startsWith(folder)));

  expect(own.map((file) => file.slice(WEB.length)).sort()).toEqual(modules);
});
