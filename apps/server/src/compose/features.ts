import type { Content } from '../base/items/content.ts';
import type { StoredItems } from '../base/items/table.ts';
import { shipListItem } from '../features/ais/ship-lists/item.ts';
import { annotationContent } from '../features/annotations/content.ts';
import { bookmarkContent } from '../features/bookmarks/content.ts';
import { clipContent } from '../features/clips/content.ts';
import { roomItem } from '../features/conference/item.ts';
import { documentContent } from '../features/documents/content.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import type { ContentParts } from './content-parts.ts';
import { snapshotsAsContent } from './snapshot-content.ts';
import { spanFilesOf } from './span-files.ts';

/** Functions that a served feature provides for later. */
export type Served = {
  /** Removes what has expired. Called at startup and every hour. */
  sweep?: () => Promise<unknown>;
  /** Called once the server has ended its connections, in the order of the features. */
  close?: () => Promise<void> | void;
};

type Serve = (api: ApiDependencies) => Served | void | Promise<Served> | Promise<void>;

export type Feature = {
  /** Where the rows of its items are stored. Absent for items that lower layers also use, which are defined there. */
  item?: StoredItems;
  /** Its content in cases and archives. */
  content?: (dependencies: ContentParts) => Content;
  /**
   * Loads the code that registers its calls. It is imported only when needed, since the worker reads this list too but
   * serves no calls.
   */
  serve: () => Promise<Serve>;
};

/**
 * All features, in the order in which the api process serves and closes them. The order of contents is also the order
 * of the lists in an archive and of row locks. Snapshots come before documents, since snapshots are documents too.
 */
export const features: readonly Feature[] = [
  { serve: async () => (await import('./live-watching.ts')).serveLiveWatching },
  { serve: async () => (await import('./identity.ts')).serveIdentity },
  { serve: async () => (await import('./people.ts')).servePeople },
  { serve: async () => (await import('./lookups.ts')).serveLookups },
  { serve: async () => (await import('./uploads.ts')).serveUploads },
  { serve: async () => (await import('./tiles.ts')).serveTiles },
  { serve: async () => (await import('./jobs.ts')).serveJobs },
  { serve: async () => (await import('./platforms.ts')).servePlatforms },
  { serve: async () => (await import('./missions.ts')).serveMissions },
  { content: bookmarkContent, serve: async () => (await import('./bookmarks.ts')).serveBookmarks },
  { serve: async () => (await import('./keeping.ts')).serveKeeping },
  {
    content: (dependencies) => clipContent({ db: dependencies.db, spans: spanFilesOf(dependencies) }),
    serve: async () => (await import('./clips.ts')).serveClips,
  },
  { serve: async () => (await import('./sensors.ts')).serveSensors },
  { serve: async () => (await import('./samples.ts')).serveSamples },
  { serve: async () => (await import('./media.ts')).serveMedia },
  { content: annotationContent, serve: async () => (await import('./annotations.ts')).serveAnnotations },
  { content: snapshotsAsContent, serve: async () => (await import('./snapshots.ts')).serveSnapshots },
  { content: documentContent, serve: async () => (await import('./documents.ts')).serveDocuments },
  { serve: async () => (await import('./cases.ts')).serveCases },
  { serve: async () => (await import('./case-exports.ts')).serveCaseExports },
  { serve: async () => (await import('./hls.ts')).serveHls },
  { item: shipListItem, serve: async () => (await import('./ais.ts')).serveAis },
  { serve: async () => (await import('./coverage.ts')).serveCoverage },
  { serve: async () => (await import('./licence.ts')).serveLicence },
  { serve: async () => (await import('./backups.ts')).serveBackups },
  { serve: async () => (await import('./audit.ts')).serveAudit },
  { item: roomItem, serve: async () => (await import('./conference.ts')).serveConference },
  { serve: async () => (await import('./system.ts')).serveSystem },
  { serve: async () => (await import('./updates.ts')).serveUpdates },
  { serve: async () => (await import('./pages.ts')).servePages },
];
