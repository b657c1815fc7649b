import type { Http } from '../base/http/call-route.ts';
import type { ConnectionLimit } from '../base/http/connection-limit.ts';
import { storedFiles } from '../base/stored/stored-files.ts';
import type { Hub } from '../base/ws/hub.ts';
import type { BackupList } from '../features/backups/facts.ts';
import type { Licence } from '../features/licence/licence.ts';
import { storedCheck } from '../features/stored/check.ts';
import {
  auditCheck,
  backupCheck,
  databaseCheck,
  decoderCheck,
  filesCheck,
  type HealthCheck,
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
import { databaseVolume } from '../processes/database.ts';
import { usesAis } from './ais.ts';
import type { Audit } from './audit.ts';
import type { Live } from './live.ts';
import { type CommonParts, filesFolder } from './parts.ts';

type Options = {
  http: Http;
  parts: CommonParts;
  startedUs: number;
  tls: boolean;
  guestAllowed: () => Promise<boolean>;
  licence: () => Licence;
  nodeId: string;
  useConference: () => boolean;
  hub: Pick<Hub, 'sockets' | 'onlineUsers'>;
  mirror: Live['mirror'];
  connections: ConnectionLimit;
  backupFacts: BackupList['facts'];
  missingTail: Audit['missingTail'];
  tilesCheck: HealthCheck;
  restart: Restart | null;
};

/** Serves facts and health of the server, figures of the admin page, metrics, and the restart by an admin. */
export async function serveSystem(options: Options): Promise<void> {
  const { http, parts, startedUs, tls, guestAllowed, licence, nodeId, useConference, hub, mirror, restart } = options;
  const { db, config, nowMs } = parts;
  const ownVolume = await databaseVolume(config);
  const stored = storedFiles({ db, nowUs: parts.nowUs });
  systemRoutes({
    ...http,
    config,
    startedUs,
    guestAllowed,
    licence: () => licenceFacts(licence()),
    useAis: () => usesAis(config, licence),
    nodeId,
    useConference,
    filesFolder: filesFolder(config),
    checks: [
      databaseCheck(db),
      filesCheck(db, stored),
      storedCheck({ db, stored, nowUs: parts.nowUs, days: config.readAgainDays }),
      auditCheck(db, options.missingTail),
      volumeCheck('disk', 'recordings', config.dataDir),
      ...(ownVolume === null ? [] : [volumeCheck('database disk', 'the database', ownVolume)]),
      recorderCheck({ mirror, nowMs }),
      jobsCheck(db, parts.items),
      clockCheck(db),
      portsCheck({
        db,
        address: () => http.app.server.address(),
        tls,
        trustedProxies: config.trustedProxies,
        webRtcPorts: config.liveWebRtc ? config.webRtcPorts : null,
      }),
      connectionsCheck(options.connections),
      backupCheck(options.backupFacts),
      programCheck('ffmpeg', 'Available.', 'ffmpeg is missing: pictures and conversions wait.'),
      decoderCheck(db),
      options.tilesCheck,
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

/** The logo's address changes with its bytes, so that a page may keep it. */
const licenceFacts = ({ company, logo, valid }: Licence) => ({
  company,
  logo: logo && `/api/licenseLogo/${logo.version}`,
  valid,
});
