import { databaseVolume } from '../base/db/database-folder.ts';
import type { Http } from '../base/http/call-route.ts';
import type { ConnectionLimit } from '../base/http/connection-limit.ts';
import { storedFiles } from '../base/stored/stored-files.ts';
import type { Hub } from '../base/ws/hub.ts';
import type { LicenceKeeper } from '../features/licence/keeper.ts';
import type { Licence } from '../features/licence/licence.ts';
import { storedCheck } from '../features/stored/check.ts';
import {
  auditCheck,
  backupCheck,
  databaseCheck,
  decoderCheck,
  filesCheck,
  programCheck,
} from '../features/system/checks.ts';
import { connectionsCheck } from '../features/system/connections-check.ts';
import { dashboardRoutes } from '../features/system/dashboard.ts';
import { clockCheck, jobsCheck, portsCheck, volumeCheck } from '../features/system/host-checks.ts';
import { metricsRoutes } from '../features/system/metrics.ts';
import { type Restart, restartRoutes } from '../features/system/restart.ts';
import { systemRoutes } from '../features/system/routes.ts';
import { recorderCheck } from '../live/rows/recorder-check.ts';
import { sourceMetrics } from '../live/rows/source-metrics.ts';
import { usesAis } from './ais.ts';
import type { Audit } from './audit.ts';
import type { Backups } from './backups.ts';
import { isConferenceOffered } from './conference.ts';
import { type Dependencies, filesFolder } from './dependencies.ts';
import type { Live } from './live.ts';
import type { Tiles } from './tiles.ts';

type Options = {
  http: Http;
  dependencies: Dependencies;
  startedUs: number;
  tls: boolean;
  guestAllowed: () => Promise<boolean>;
  licence: Pick<LicenceKeeper, 'current'>;
  nodeId: string;
  hub: Pick<Hub, 'sockets' | 'onlineUsers'>;
  mirror: Live['mirror'];
  connections: ConnectionLimit;
  audit: Pick<Audit, 'missingTail'>;
  restart: Restart | null;
} & Backups &
  Tiles;

/** Serves facts and health of the server, figures of the admin page, metrics, and the restart by an admin. */
export async function serveSystem(options: Options): Promise<void> {
  const { http, dependencies, startedUs, tls, guestAllowed, nodeId, hub, mirror, restart } = options;
  const licence = options.licence.current;
  const { db, config, nowMs } = dependencies;
  const ownVolume = await databaseVolume(config);
  const stored = storedFiles({ db, nowUs: dependencies.nowUs });
  systemRoutes({
    ...http,
    config,
    startedUs,
    guestAllowed,
    licence: () => licenceFacts(licence()),
    useAis: () => usesAis(config, licence),
    nodeId,
    useConference: () => isConferenceOffered(config, licence),
    filesFolder: filesFolder(config),
    checks: [
      databaseCheck(db),
      filesCheck(db, stored),
      storedCheck({ db, stored, nowUs: dependencies.nowUs, days: config.readAgainDays }),
      auditCheck(db, options.audit.missingTail),
      volumeCheck('disk', 'recordings', config.dataDir),
      ...(ownVolume === null ? [] : [volumeCheck('database disk', 'the database', ownVolume)]),
      recorderCheck({ mirror, nowMs }),
      jobsCheck(db, dependencies.items),
      clockCheck(db),
      portsCheck({
        db,
        address: () => http.app.server.address(),
        tls,
        trustedProxies: config.trustedProxies,
        webRtcPorts: config.liveWebRtc ? config.webRtcPorts : null,
      }),
      connectionsCheck(options.connections),
      backupCheck(options.backups.facts),
      programCheck('ffmpeg', 'Available.', 'ffmpeg is missing: pictures and conversions wait.'),
      decoderCheck(db),
      options.tiles.sets.check,
    ],
  });
  dashboardRoutes({ ...http, db, onlineUsers: hub.onlineUsers });
  restartRoutes({ ...http, restart, nowMs });
  metricsRoutes({
    ...http,
    db,
    sockets: hub.sockets,
    onlineUsers: hub.onlineUsers,
    addTo: (register) => sourceMetrics(mirror, register),
  });
}

/** The logo's URL changes with its content, so that browsers may cache it. */
const licenceFacts = ({ company, logo, valid }: Licence) => ({
  company,
  logo: logo && `/api/licenseLogo/${logo.version}`,
  valid,
});
