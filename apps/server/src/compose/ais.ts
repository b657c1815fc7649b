import { join } from 'node:path';
import type { Http } from '../base/http/call-route.ts';
import type { LiveRights } from '../base/items/live-rights.ts';
import { folderStorage } from '../base/storage/folder.ts';
import type { Hub } from '../base/ws/hub.ts';
import { aisBlocks } from '../features/ais/blocks.ts';
import { aisHousekeeping } from '../features/ais/housekeeping.ts';
import { aisIngest } from '../features/ais/ingest.ts';
import { aisLiveState } from '../features/ais/live-state.ts';
import { aisMinutes } from '../features/ais/minutes.ts';
import { aisRangeRoutes } from '../features/ais/range-routes.ts';
import { aisReadSessions } from '../features/ais/read-sessions.ts';
import { aisRoutes } from '../features/ais/routes.ts';
import { shipListRoutes } from '../features/ais/ship-lists/routes.ts';
import { shipMessages } from '../features/ais/ship-messages.ts';
import { aisVideoRoutes } from '../features/ais/video-routes.ts';
import type { LicenceKeeper } from '../features/licence/keeper.ts';
import type { Dependencies } from './dependencies.ts';
import type { Live } from './live.ts';

type Options = {
  http: Http;
  dependencies: Dependencies;
  mirror: Live['mirror'];
  hub: Pick<Hub, 'live' | 'shipViewers'>;
  live: Pick<LiveRights, 'account'>;
  isServing: () => boolean;
  licence: Pick<LicenceKeeper, 'current'>;
};

/** Whether ships are received and shown. This requires both the licence option and OSPREY_AIS. */
export const usesAis = (config: Dependencies['config'], licence: LicenceKeeper['current']): boolean =>
  config.ais && licence().options.has('ais');

/** Stores the ship data received by the recorder as rows, and serves it. */
export function serveAis({ http, dependencies, mirror, hub, live, isServing, licence }: Options) {
  const { db, config, log, nowUs, nowMs } = dependencies;
  const isOn = () => usesAis(config, licence.current);
  const load = () => void state.load().catch((error) => log.warn({ error }, 'last states of ships could not be read'));
  const state = aisLiveState({ db, nowUs });
  const sessions = aisReadSessions({ nowMs, log });
  const ingest = aisIngest({
    db,
    storage: folderStorage({ root: join(config.dataDir, 'live') }),
    mirror,
    onBatch: state.onBatch,
    notify: (payload) => hub.live({ kind: 'ais', payload, mission: payload.mission }),
    nowUs,
    nowMs,
    log,
  });
  const minutes = aisMinutes({ db, nowUs, log });
  const blocks = aisBlocks({ db, nowUs, log });
  const housekeeping = aisHousekeeping({ db, keepDays: config.aisKeepDays, nowUs, log });
  aisRoutes({
    ...http,
    db,
    state,
    sessions,
    keepDays: config.aisKeepDays,
    isOn,
    deleted: () => {
      ingest.forget();
      load();
    },
  });
  shipListRoutes({ ...http, db, sessions, changed: dependencies.events.changed, isOn });
  aisVideoRoutes({ ...http, db, sessions, isOn });
  aisRangeRoutes({ ...http, db, sessions, isOn, placed: ingest.forget });
  const frames = shipMessages({ db, state, hub, live, isListening: isServing, isOn, nowUs, log });
  load();
  return {
    async close() {
      await Promise.all([
        ingest.close(),
        frames.close(),
        housekeeping.close(),
        minutes.close(),
        blocks.close(),
        sessions.close(),
      ]);
    },
  };
}
