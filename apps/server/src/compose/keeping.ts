import type { Actor, Bookmark, Mission } from '@osprey/contract';
import { authorize } from '../base/access/authorize.ts';
import type { OpenReads } from '../base/access/open-reads.ts';
import type { Http } from '../base/http/call-route.ts';
import type { Contents } from '../base/items/content.ts';
import type { ExportSlots } from '../base/jobs/export-slots.ts';
import { storedFiles } from '../base/stored/stored-files.ts';
import { exportRoutes } from '../features/archives/export-routes.ts';
import { importRoutes } from '../features/archives/import-routes.ts';
import { archivedMissions } from '../features/missions/archived.ts';
import { missionBin } from '../features/missions/bin.ts';
import { binRoutes } from '../features/missions/bin-routes.ts';
import type { MissionChanges } from '../features/missions/changes.ts';
import { exactlyOne, type MissionRepository } from '../features/missions/repository.ts';
import { factsOf } from '../features/missions/rows.ts';
import { retentionRoutes } from '../features/retention/routes.ts';
import { storedRoutes } from '../features/stored/routes.ts';
import { watchFolders } from '../features/watched-folders/folders.ts';
import { watchedFolderRoutes } from '../features/watched-folders/routes.ts';
import { tusStore } from '../uploads/tus-store.ts';
import type { Dependencies } from './dependencies.ts';
import { admissionOf } from './uploads.ts';

export type KeepingOptions = {
  http: Http;
  dependencies: Dependencies;
  reads: OpenReads;
  missions: MissionRepository;
  missionChanges: MissionChanges;
  exportRefusal: () => string | null;
  slots: ExportSlots;
  ticketKey: Buffer;
  contents: Contents;
  bookmarksOf: (actor: Actor, missionId: string) => Promise<Bookmark[]>;
};

/** Serves what happens to missions after recording: the bin, archives, retention, and folders for import. */
export function serveKeeping(options: KeepingOptions): void {
  const {
    http,
    dependencies,
    reads,
    missions,
    missionChanges,
    exportRefusal,
    slots,
    ticketKey,
    contents,
    bookmarksOf,
  } = options;
  const { db, storage, events, nowUs, nowMs, config } = dependencies;
  binRoutes({ ...http, bin: missionBin({ db, nowUs }), changes: missionChanges, changed: events.changed });
  exportRoutes({
    ...http,
    db,
    storage,
    contents,
    missions: archivedMissions(db),
    reads,
    nowMs,
    serverName: config.serverName,
    exportRefusal,
    slots,
    ticketKey,
    missionId: async (actor, ref) => {
      const row = await exactlyOne(db, actor, ref);
      authorize(actor, 'mission.export', factsOf(row));
      return row.id;
    },
    bookmarksOf,
    missionOf: (actor, id): Promise<Mission> => missions.shown({ actor, mediaToken: () => null }, id),
  });
  importRoutes({
    ...http,
    db,
    storage,
    admission: admissionOf(dependencies),
    uploads: tusStore({ db, storage, nowUs }),
  });
  retentionRoutes({ ...http, db, storage, aisKeepDays: config.aisKeepDays });
  storedRoutes({ ...http, db, stored: storedFiles({ db, nowUs }) });
  watchedFolderRoutes({ ...http, db, folders: foldersOf(dependencies) });
}

export const foldersOf = ({ db, nowUs, config }: Dependencies) =>
  watchFolders({ db, nowUs, dataDir: config.dataDir, configured: config.watch, systemHigh: config.systemHigh });
