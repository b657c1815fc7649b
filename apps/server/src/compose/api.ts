import { createHmac } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { AppError, classificationRank } from '@osprey/contract';
import type { FastifyInstance } from 'fastify';
import { liveRights } from '../base/access/live-rights.ts';
import { mediaTokens } from '../base/access/media-token.ts';
import { type OpenReads, openReads } from '../base/access/open-reads.ts';
import { rightsNotice } from '../base/access/rights-notice.ts';
import { secretBox } from '../base/access/secret-box.ts';
import { secretFile } from '../base/access/secret-file.ts';
import { sourceCheck } from '../base/access/source-address.ts';
import { auditCheckpoints, missingTail } from '../base/audit/checkpoints.ts';
import { auditIntents } from '../base/audit/intents.ts';
import { trailLooks } from '../base/audit/looks.ts';
import { auditPlaces } from '../base/audit/places.ts';
import { auditRepository } from '../base/audit/repository.ts';
import { publicKeysOf, signingKey } from '../base/audit/signing-key.ts';
import { auditWriter } from '../base/audit/writer.ts';
import { listenForNotices, RIGHTS_CHANNEL } from '../base/db/notices.ts';
import { readSetting } from '../base/db/settings.ts';
import { createApp, hostsOf } from '../base/http/app.ts';
import type { Http } from '../base/http/call-route.ts';
import { checkAllServed } from '../base/http/calls.ts';
import { docsRoutes } from '../base/http/docs-routes.ts';
import { noSession } from '../base/http/session.ts';
import { staticRoutes } from '../base/http/static.ts';
import { jobRoutes } from '../base/jobs/routes.ts';
import { createHub, type Hub } from '../base/ws/hub.ts';
import { outgoing } from '../base/ws/outgoing.ts';
import { messageText, userMessages } from '../features/activity/messages.ts';
import { activityRepository } from '../features/activity/repository.ts';
import { activityRoutes } from '../features/activity/routes.ts';
import { openSessions } from '../features/activity/sessions.ts';
import { auditRoutes } from '../features/audit/routes.ts';
import { loginCheck } from '../features/identity/check-login.ts';
import { credentialRepository } from '../features/identity/credentials.ts';
import { hasSuperAdmin } from '../features/identity/first-admin.ts';
import { liveCredentials } from '../features/identity/live-credentials.ts';
import { passwordHashes } from '../features/identity/password-hashes.ts';
import { passwordLogin } from '../features/identity/password-login.ts';
import { passwordPolicy } from '../features/identity/password-policy.ts';
import { identityRoutes } from '../features/identity/routes.ts';
import { secondFactors } from '../features/identity/second-factor.ts';
import { secondFactorRoutes } from '../features/identity/second-factor-routes.ts';
import { secondStep } from '../features/identity/second-step.ts';
import { sessionIdentifier } from '../features/identity/session.ts';
import { setupRoutes } from '../features/identity/setup.ts';
import { ticketOffice } from '../features/identity/tickets.ts';
import { type Licence, refusalOfExports } from '../features/licence/licence.ts';
import { lookupRoutes } from '../features/lookups/routes.ts';
import { manualRoutes } from '../features/manual/routes.ts';
import { claimName } from '../features/missions/changes.ts';
import { platformConfiguration } from '../features/platforms/configuration.ts';
import { platformControl } from '../features/platforms/control.ts';
import { livePlatforms } from '../features/platforms/live-platforms.ts';
import { platformRoutes } from '../features/platforms/routes.ts';
import {
  auditCheck,
  backupCheck,
  databaseCheck,
  decoderCheck,
  filesCheck,
  isProgramThere,
  programCheck,
} from '../features/system/checks.ts';
import { dashboardRoutes } from '../features/system/dashboard.ts';
import { clockCheck, jobsCheck, portsCheck, volumeCheck } from '../features/system/host-checks.ts';
import { metricsRoutes } from '../features/system/metrics.ts';
import { type Restart, restartRoutes } from '../features/system/restart.ts';
import { systemRoutes } from '../features/system/routes.ts';
import { tileRoutes } from '../features/tiles/routes.ts';
import { tileReader } from '../features/tiles/tile-reader.ts';
import { tileSets } from '../features/tiles/tile-sets.ts';
import { usergroupRepository } from '../features/usergroups/repository.ts';
import { usergroupRoutes } from '../features/usergroups/routes.ts';
import { linkRoutes } from '../features/users/link-routes.ts';
import { userListing } from '../features/users/list.ts';
import { passwordLinks } from '../features/users/password-links.ts';
import { userRepository } from '../features/users/repository.ts';
import { userRoutes } from '../features/users/routes.ts';
import { recorderCheck } from '../live/rows/recorder-check.ts';
import { sourceMetrics } from '../live/rows/source-metrics.ts';
import { databaseVolume } from '../processes/database.ts';
import { admission } from '../uploads/admission.ts';
import { uploadRoutes } from '../uploads/multipart.ts';
import { sweepUploads } from '../uploads/sweep.ts';
import { tusRoutes } from '../uploads/tus.ts';
import { tusStore } from '../uploads/tus-store.ts';
import { serveBackups } from './backups.ts';
import { serveDocuments } from './documents.ts';
import { serveHls } from './hls.ts';
import { licensing } from './licence.ts';
import { coordinateLive, type Live } from './live.ts';
import { serveLiveWatching } from './live-watching.ts';
import { type CommonParts, commonParts, filesFolder, type ProcessOptions } from './parts.ts';
import { serveRecordings } from './recordings.ts';
import { serveSingleSignOn } from './single-sign-on.ts';

const MANUAL_FOLDER = resolve(import.meta.dirname, '../../../../docs/manual');
const WEB_FOLDER = resolve(import.meta.dirname, '../../../../dist/web');
const SWEEP_MS = 3_600_000;
const PORT_TRIES = 40;
const PORT_RETRY_MS = 250;
const CLOSE_MS = 1500;
/** A tile takes a millisecond, the first look at a large file some hundred. */
const TILE_LIMIT_MS = 5000;

export type ApiOptions = ProcessOptions & {
  /** One-time code of the set-up page; null when there is a superAdmin. */
  setupCode: string | null;
  /** Certificate and key in PEM. */
  tls: { certFile: string; keyFile: string } | null;
  /** Has the supervisor start all processes again; absent where there is none. */
  restart?: Restart;
  /** For tests: another clock in milliseconds of the monotonic clock, and in microseconds of UTC. */
  clock?: { nowMs: () => number; nowUs: () => number };
  /** For tests: see the hub. */
  beforeSending?: () => Promise<void>;
};

export type Api = {
  app: FastifyInstance;
  hub: Hub;
  parts: CommonParts;
  reads: OpenReads;
  coordination: Live;
  listen: () => Promise<AddressInfo>;
  close: () => Promise<void>;
};

/** The process that owns the port: REST, media, events, the page. */
export async function composeApi(options: ApiOptions): Promise<Api> {
  const parts = { ...(await commonParts({ ...options, works: false })), ...options.clock };
  const { config, log, db, storage, queue, events, nowUs, nowMs } = parts;
  const secret = await secretFile(join(config.dataDir, 'keys', 'sessions.key'));
  const keyFor = (purpose: string) => createHmac('sha256', secret).update(purpose).digest();
  const startedUs = nowUs();
  const hosts = hostsOf(config.host, config.allowedHosts);
  const tls = options.tls !== null;
  let setUpNeeded = !(await hasSuperAdmin(db));

  const app = await createApp({ log, tls: options.tls, trustedProxies: config.trustedProxies, hosts });
  // A wall clock that is set back brings no expired token back to life.
  const begunMs = nowUs() / 1000 - nowMs();
  const tokens = mediaTokens({ key: keyFor('media'), nowMs: () => Math.floor(begunMs + nowMs()) });
  const credentials = credentialRepository({ db, nowUs });
  const hashes = passwordHashes({ nowMs });
  const checkLogin = loginCheck({ db, hashes, nowMs });
  const typedPassword = passwordLogin(checkLogin);
  const checkPassword = passwordPolicy(config.passwordMin);
  const factors = secondFactors({
    db,
    box: secretBox(keyFor('secondFactor')),
    codeKey: keyFor('recoveryCodes'),
    issuer: config.serverName,
    demandedOf: config.secondFactorOf,
    nowUs,
  });
  const step = secondStep({ factors, nowMs });
  const tickets = ticketOffice({ isGood: credentials.isGood, nowMs });
  const { keys: auditKeys, checkpoints: checkpointFile } = auditPlaces(config.dataDir);
  const checkpoints = auditCheckpoints({
    ...parts,
    key: await signingKey(auditKeys),
    file: checkpointFile,
    // As a warning, so that it leaves at the default level too.
    forward: config.syslog === null ? undefined : (signed) => log.warn({ checkpoint: signed }, 'audit checkpoint'),
  });
  const audit = auditWriter({ db, node: 'api', committed: checkpoints.written, log });
  const intents = auditIntents({ db, node: 'api', log });
  await intents.settle(audit);
  const reads = openReads();
  const live = liveRights({ db, reads });
  const users = userRepository({ db, nowUs });
  const usergroups = usergroupRepository({ db, nowUs });
  const { changed, flow } = events;
  const told = (userId: string, action: string, result: string | null = null) => {
    const text = messageText(action, result);
    if (text !== null) events.message(userId, text);
  };
  const hub = createHub({
    db,
    server: app.server as Server,
    redeem: tickets.redeem,
    reads,
    live,
    isListening: () => notices.isListening(),
    hosts,
    startedUs,
    log,
    ...(options.beforeSending ? { beforeSending: options.beforeSending } : {}),
  });

  const { licence, seats, ...licensed } = await licensing(parts, (userId) => hub.onlineCount(userId) > 0);
  const { admit, leave } = seats;

  const identify = sessionIdentifier({
    credentials,
    live: { ...live, ...liveCredentials({ credentials, live }) },
    checkLogin,
    mediaTokens: tokens,
    sessionKey: keyFor('sessions'),
    basicOff: config.basicOff,
    needsSecondFactor: factors.isNeeded,
    auditWriter: audit,
    nowUs,
  });
  const notices = await listenForNotices({
    url: options.databaseUrl,
    onNotice: (channel, payload) => {
      const value: unknown = JSON.parse(payload);
      if (channel !== RIGHTS_CHANNEL) return hub.happened(outgoing.parse(value));
      const notice = rightsNotice.parse(value);
      live.notice(notice);
      if (!('sensor' in notice)) hub.rightsChanged(notice);
    },
    onLost: live.lost,
    onRegained: () => {
      live.regained();
      hub.reset();
    },
    onError: (error) => log.warn({ error }, 'notice connection lost'),
  });

  const coordination = coordinateLive({ parts, live, reads, hub, auditWriter: audit, licence });

  const http: Http = {
    app,
    // Who cannot hear of lost rights must not serve by them.
    identify: async (request, use) => {
      if (!notices.isListening()) throw new AppError('unavailable');
      const session = await identify(request, use);
      return session.actor === null || admit(session.actor) ? session : noSession('tooManyUsers');
    },
    auditWriter: audit,
    auditIntents: intents,
    nowUs,
    setUpNeeded: () => setUpNeeded,
    served: new Set(),
  };
  const watching = serveLiveWatching({
    http,
    parts,
    coordination,
    live,
    server: app.server as Server,
    hosts,
    redeem: tickets.redeem,
    isServing: notices.isListening,
  });
  const guestAllowed = async () => config.guest ?? (await readSetting(db, 'guest'));

  identityRoutes({
    ...http,
    db,
    credentials,
    tickets,
    hashes,
    checkLogin,
    passwordLogin: typedPassword,
    step,
    checkPassword,
    guestAllowed,
    usergroupsById: usergroups.byId,
    admit,
    leave,
    nowMs,
  });
  secondFactorRoutes({
    ...http,
    factors,
    step,
    passwordLogin: typedPassword,
    credentials,
    accountFacts: users.facts,
  });
  serveSingleSignOn({ http, config, db, credentials, updateUser: users.update, admit, changed, log, nowMs });
  setupRoutes({
    ...http,
    db,
    credentials,
    hashes,
    checkPassword,
    passwordMin: config.passwordMin,
    setupCode: options.setupCode,
    guestFixed: config.guest,
    samplesPossible: () => isProgramThere('ffmpeg'),
    makeSamples: (userId) => void recordings.makeSamples(userId),
    setUpDone: () => {
      setUpNeeded = false;
    },
    admit,
    nowMs,
  });
  const people = {
    ...http,
    users,
    hashPassword: hashes.hash,
    checkPassword,
    changed,
    nowMs,
  };
  const links = passwordLinks({ db, nowUs });
  userRoutes({
    ...people,
    listing: userListing({ db }),
    registration: config.registration,
    onlineCount: hub.onlineCount,
    onlineIds: hub.onlineIds,
    told,
  });
  linkRoutes({ ...people, links, passwordMin: config.passwordMin });
  usergroupRoutes({ ...http, usergroups, changed });
  lookupRoutes({ ...http, db });
  const tiles = tileSets({
    folder: config.tilesDir ?? join(config.dataDir, 'tiles'),
    reader: tileReader({ limitMs: TILE_LIMIT_MS }),
    nowMs,
  });
  tileRoutes({ ...http, tiles });
  const doors = {
    ...http,
    db,
    storage,
    queue,
    changed,
    flow,
    admission: admission({
      db,
      storage,
      reserveBytes: config.uploadReserveBytes,
      userQuotaBytes: config.userQuotaBytes,
      nowUs,
    }),
    uploads: tusStore({ db, storage, nowUs }),
  };
  await uploadRoutes(doors);
  tusRoutes(doors);
  jobRoutes({ ...http, db, queue, changed });
  const configuration = platformConfiguration({
    db,
    nowUs,
    systemHigh: config.systemHigh,
    box: secretBox(await secretFile(join(config.dataDir, 'keys', 'platforms.key'))),
    checkSource: sourceCheck({ allowed: config.sourceAllow }),
  });
  const platforms = livePlatforms({ db, mirror: coordination.mirror, live });
  platformRoutes({
    ...http,
    platforms,
    controlling: platformControl({
      ...{ db, platforms, storage, queue, nowUs, mirror: coordination.mirror, claimMissionName: claimName },
      licence: licence.current,
    }),
    configuration,
    platformsChanged: events.platformsChanged,
    tellRecorder: coordination.tellRecorder,
  });
  const documents = serveDocuments({ http, parts, mediaTokens: tokens, reads, doors });
  const ticketKey = keyFor('exportTickets');
  const exportRefusal = () => refusalOfExports(licence.current());
  const recordings = serveRecordings({ http, parts, mediaTokens: tokens, reads, live, exportRefusal, ticketKey });
  const hls = serveHls(http, parts, coordination);
  licensed.serve(http, coordination.livePlatforms);
  const ownVolume = await databaseVolume(config);
  const backups = await serveBackups(http, parts);
  systemRoutes({
    ...http,
    config,
    startedUs,
    guestAllowed,
    licence: () => licenceFacts(licence.current()),
    nodeId: licensed.nodeId,
    filesFolder: filesFolder(config),
    checks: [
      databaseCheck(db),
      filesCheck(db),
      auditCheck(db, () => missingTail(db, checkpointFile)),
      volumeCheck('disk', 'recordings', config.dataDir),
      ...(ownVolume === null ? [] : [volumeCheck('database disk', 'the database', ownVolume)]),
      recorderCheck({ mirror: coordination.mirror, nowMs }),
      jobsCheck(db),
      clockCheck(db),
      portsCheck({
        db,
        address: () => app.server.address(),
        tls,
        trustedProxies: config.trustedProxies,
        webRtcPorts: config.liveWebRtc ? config.webRtcPorts : null,
      }),
      backupCheck(backups.facts),
      programCheck('ffmpeg', 'Pictures and conversions are made.', 'ffmpeg is missing: pictures and conversions wait.'),
      decoderCheck(db),
      tiles.check,
    ],
  });
  const auditRows = auditRepository({ db, systemHigh: classificationRank(config.systemHigh) });
  const looks = trailLooks(nowMs);
  activityRoutes({
    ...http,
    looks,
    activity: activityRepository({ db, audit: auditRows }),
    sessions: openSessions({ db, nowUs }),
    messages: userMessages({ db, nowUs }),
    told,
    pagesOf: hub.pagesOf,
  });
  auditRoutes({
    ...http,
    db,
    rows: auditRows,
    looks,
    checkpointFile,
    publicKeys: () => publicKeysOf(auditKeys),
    nowMs,
  });
  dashboardRoutes({ ...http, db, onlineUsers: hub.onlineUsers });
  restartRoutes({ ...http, restart: options.restart ?? null, nowMs });
  metricsRoutes({
    ...http,
    db,
    sockets: hub.sockets,
    onlineUsers: hub.onlineUsers,
    addTo: (register) => sourceMetrics(coordination.mirror, register),
  });
  docsRoutes(app);
  await manualRoutes(app, MANUAL_FOLDER);
  await staticRoutes(app, WEB_FOLDER, { tls });
  checkAllServed(http);

  if (config.samples) await recordings.makeSamples();
  const startedMs = Date.now();
  const sweep = () =>
    Promise.all([
      credentials.sweep(),
      links.sweep(),
      sweepUploads({ ...doors, log }, startedMs),
      documents.sweep(),
    ]).catch((error) => log.warn({ error }, 'sweep failed'));
  let sweeping = sweep();
  const sweeper = setInterval(() => {
    sweeping = sweeping.then(sweep);
  }, SWEEP_MS);

  return {
    app,
    hub,
    parts,
    reads,
    coordination,
    listen: () => listen(app, config),
    async close() {
      clearInterval(sweeper);
      licence.close();
      await sweeping;
      // Answers under way may end; who sends or reads for ever is cut.
      const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_MS);
      await Promise.all([hub.close(), watching.close(), app.close()]);
      clearTimeout(cut);
      tiles.close();
      await recordings.close();
      await hls.close();
      await coordination.close();
      await notices.close();
      live.close();
      await audit.drain();
      await checkpoints.close();
      await events.drain();
      await parts.boss.stop({ graceful: false });
      await db.destroy();
    },
  };
}

/** The logo's address changes with its bytes, so that a page may keep it. */
const licenceFacts = ({ company, logo, valid }: Licence) => ({
  company,
  logo: logo && `/api/licenseLogo/${logo.version}`,
  valid,
});

/** The port may still belong to a process of ours that is dying after kill -9 of its parent. */
async function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<AddressInfo> {
  for (let attempt = 1; ; attempt++) {
    try {
      await app.listen({ host, port });
      return app.server.address() as AddressInfo;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE' || attempt === PORT_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PORT_RETRY_MS));
    }
  }
}
