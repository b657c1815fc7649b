import { createHmac } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { AppError } from '@osprey/contract';
import type { FastifyInstance } from 'fastify';
import { liveRights } from '../base/access/live-rights.ts';
import { type OpenReads, openReads } from '../base/access/open-reads.ts';
import { secretFile } from '../base/access/secret-file.ts';
import { readSetting } from '../base/db/settings.ts';
import { createApp, hostsOf } from '../base/http/app.ts';
import type { Http } from '../base/http/call-route.ts';
import { checkAllServed } from '../base/http/calls.ts';
import { connectionLimit } from '../base/http/connection-limit.ts';
import { noSession } from '../base/http/session.ts';
import { jobRoutes } from '../base/jobs/routes.ts';
import type { Hub } from '../base/ws/hub.ts';
import { messageText } from '../features/activity/messages.ts';
import { hasSuperAdmin } from '../features/identity/first-admin.ts';
import { liveCredentials } from '../features/identity/live-credentials.ts';
import { sessionIdentifier } from '../features/identity/session.ts';
import { refusalOfExports } from '../features/licence/licence.ts';
import { lookupRoutes } from '../features/lookups/routes.ts';
import { placeRoutes } from '../features/places/routes.ts';
import type { Restart } from '../features/system/restart.ts';
import { usergroupRepository } from '../features/usergroups/repository.ts';
import { userRepository } from '../features/users/repository.ts';
import { serveAis } from './ais.ts';
import { serveAnnotations } from './annotations.ts';
import { openAudit, serveAudit } from './audit.ts';
import { serveBackups } from './backups.ts';
import { serveCaseExports } from './case-exports.ts';
import { serveCases } from './cases.ts';
import { type Conference, serveConference } from './conference.ts';
import { serveCoverage } from './coverage.ts';
import { serveDocuments } from './documents.ts';
import { openEvents } from './events.ts';
import { serveHls } from './hls.ts';
import { type KeyFor, openIdentity, serveIdentity } from './identity.ts';
import { openLicence, serveLicence } from './licence.ts';
import { coordinateLive, type Live } from './live.ts';
import { serveLiveWatching } from './live-watching.ts';
import { servePages } from './pages.ts';
import { type CommonParts, commonParts, type ProcessOptions } from './parts.ts';
import { servePeople } from './people.ts';
import { servePlatforms } from './platforms.ts';
import { serveRecordings } from './recordings.ts';
import { serveSnapshots } from './snapshots.ts';
import { serveSystem } from './system.ts';
import { serveTiles } from './tiles.ts';
import { serveUpdates } from './updates.ts';
import { serveUploads } from './uploads.ts';

const SWEEP_MS = 3_600_000;
const PORT_TRIES = 40;
const PORT_RETRY_MS = 250;
const CLOSE_MS = 1500;
/**
 * Connections that wait in the kernel until they are taken, as far as it allows. Node's 511 are full where a thousand
 * come at once, and everybody who comes next asks again after 1 s, then after 3 s.
 */
const BACKLOG = 4096;

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
  /** Server of calls; more can be added until the first request. */
  http: Http;
  hub: Hub;
  parts: CommonParts;
  reads: OpenReads;
  coordination: Live;
  conference: Conference;
  listen: () => Promise<AddressInfo>;
  close: () => Promise<void>;
};

/** The process that owns the port: REST, media, events, the page. `close` below closes all that is opened here. */
export async function composeApi(options: ApiOptions): Promise<Api> {
  const { config, databaseUrl, log } = options;
  const given = options.items ? { items: options.items } : {};
  const parts = { ...(await commonParts({ config, databaseUrl, log, works: false, ...given })), ...options.clock };
  const { db, items, queue, events, nowUs } = parts;
  const { changed } = events;
  const startedUs = nowUs();
  const keyFor = await keysOf(config.dataDir);
  const hosts = hostsOf(config.host, config.allowedHosts);
  const tls = options.tls !== null;
  let setUpNeeded = !(await hasSuperAdmin(db));

  const { trustedProxies } = config;
  const { access } = items;
  const connections = connectionLimit({ most: config.connectionsPerAddress, trusted: trustedProxies });
  const app = await createApp({ log, tls: options.tls, trustedProxies, hosts, access, connections });
  const server = app.server as Server;
  const identity = openIdentity(parts, keyFor);
  const { credentials, checkLogin, tickets, mediaTokens } = identity;
  const { redeem } = tickets;
  const audit = await openAudit(parts);
  const reads = openReads();
  const live = liveRights({ db, items, reads });
  const users = userRepository({ db, nowUs });
  const usergroups = usergroupRepository({ db, items, nowUs });
  const { hub, notices } = await openEvents({
    parts,
    databaseUrl,
    server,
    hosts,
    redeem,
    reads,
    live,
    startedUs,
    beforeSending: options.beforeSending,
  });
  const licensing = await openLicence(parts, (userId) => hub.onlineCount(userId) > 0);
  const { licence, seats, nodeId } = licensing;
  const identify = sessionIdentifier({
    credentials,
    live: {
      account: live.account,
      facts: live.facts,
      ...liveCredentials({ credentials, live }),
    },
    items,
    checkLogin,
    mediaTokens,
    listenCeiling: config.listenCeiling,
    sessionKey: keyFor('sessions'),
    basicOff: config.basicOff,
    needsSecondFactor: identity.factors.isNeeded,
    auditWriter: audit.writer,
    nowUs,
  });
  const http: Http = {
    app,
    items,
    // Without notices of lost rights no request may be served by cached ones.
    identify: async (request, use) => {
      if (!notices.isListening()) throw new AppError('unavailable');
      const session = await identify(request, use);
      if (session.actor === null) return session;
      // A password in a Basic header signs in.
      const signsIn = session.kind === 'password';
      return seats.admit(session.actor, { signsIn }) ? session : noSession('tooManyUsers');
    },
    auditWriter: audit.writer,
    auditIntents: audit.intents,
    nowUs,
    setUpNeeded: () => setUpNeeded,
    served: new Set(),
  };
  const notifyAccount = (userId: string, action: string, result: string | null = null) => {
    const text = messageText(action, result);
    if (text !== null) events.message(userId, text);
  };
  const guestAllowed = async () => config.guest ?? (await readSetting(db, 'guest'));

  const coordination = coordinateLive({ parts, live, reads, hub, auditWriter: audit.writer, licence });
  const { mirror, livePlatforms } = coordination;
  const isServing = notices.isListening;
  const watching = serveLiveWatching({ http, parts, coordination, live, server, hosts, redeem, isServing });
  serveIdentity({
    http,
    parts,
    identity,
    seats,
    guestAllowed,
    usergroupsById: usergroups.byId,
    accountFacts: users.facts,
    updateUser: users.update,
    setUp: {
      code: options.setupCode,
      makeSamples: (userId) => void recordings.makeSamples(userId),
      done: () => {
        setUpNeeded = false;
      },
    },
  });
  const people = servePeople({ http, parts, users, usergroups, identity, hub, guestAllowed, notifyAccount });
  lookupRoutes({ ...http, db });
  placeRoutes({ ...http, db });
  const coverage = serveCoverage({ http, parts });
  const uploads = await serveUploads(http, parts);
  const tiles = serveTiles(http, parts, uploads);
  jobRoutes({ ...http, db, queue, changed });
  await servePlatforms({ http, parts, coordination, live, licence: licence.current });
  const ais = serveAis({ http, parts, mirror, hub, live, isListening: isServing, licence: licence.current });
  const documents = serveDocuments({ http, parts, mediaTokens, reads, uploads });
  const ticketKey = keyFor('exportTickets');
  const exportRefusal = () => refusalOfExports(licence.current());
  const recordings = serveRecordings({ http, parts, mediaTokens, reads, live, exportRefusal, ticketKey, mirror });
  const annotations = serveAnnotations(http, parts, { ...uploads, ...recordings });
  serveSnapshots({ http, parts, documents, mirror, ...recordings });
  const cases = serveCases({ http, parts, ...recordings });
  serveCaseExports({ http, parts, reads, exportRefusal, ...recordings });
  const hls = serveHls(http, parts, coordination);
  serveLicence({ http, parts, licensing, livePlatforms });
  const backups = await serveBackups(http, parts);
  serveAudit({ http, parts, pagesOf: hub.pagesOf, notifyAccount });
  const offering = { live, reads, isGood: identity.credentials.isGood, hub, server, hosts, licence, isServing };
  const conference = await serveConference({ http, parts, ...offering });
  await serveSystem({
    http,
    parts,
    startedUs,
    tls,
    guestAllowed,
    licence: licence.current,
    nodeId,
    useConference: conference.isOffered,
    hub,
    mirror,
    connections,
    backupFacts: backups.facts,
    missingTail: audit.missingTail,
    tilesCheck: tiles.check,
    restart: options.restart ?? null,
  });
  const updates = serveUpdates({ http, parts, databaseUrl, restart: options.restart ?? null });
  await servePages(app, { tls, livekitUrl: config.livekitUrl });
  checkAllServed(http);

  if (config.samples) await recordings.makeSamples();
  const startedMs = Date.now();
  const sweep = () =>
    Promise.all([
      ...[credentials.sweep(), people.sweep(), uploads.sweep(startedMs)],
      ...[documents.sweep(), annotations.sweep(), recordings.bookmarks.sweep(), cases.sweep()],
    ]).catch((error) => log.warn({ error }, 'sweep failed'));
  let sweeping = sweep();
  const sweeper = setInterval(() => {
    sweeping = sweeping.then(sweep);
  }, SWEEP_MS);

  return {
    app,
    http,
    hub,
    parts,
    reads,
    coordination,
    conference,
    listen: () => listen(app, config),
    async close() {
      clearInterval(sweeper);
      licence.close();
      await sweeping;
      // Answers under way may end; who sends or reads for ever is cut.
      const cut = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
      await Promise.all([hub.close(), watching.close(), conference.close(), app.close()]);
      clearTimeout(cut);
      tiles.close();
      await recordings.close();
      await hls.close();
      await ais.close();
      await coverage.close();
      await updates.close();
      await coordination.close();
      await notices.close();
      live.close();
      await audit.close();
      await events.drain();
      await parts.boss.stop({ graceful: false });
      await db.destroy();
    },
  };
}

/** Derives the keys of this installation, one for each purpose, from one secret. */
async function keysOf(dataDir: string): Promise<KeyFor> {
  const secret = await secretFile(join(dataDir, 'keys', 'sessions.key'));
  return (purpose) => createHmac('sha256', secret).update(purpose).digest();
}

/** The port may still belong to a process of ours that is dying after kill -9 of its parent. */
async function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<AddressInfo> {
  for (let attempt = 1; ; attempt++) {
    try {
      await app.listen({ host, port, backlog: BACKLOG });
      return app.server.address() as AddressInfo;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE' || attempt === PORT_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PORT_RETRY_MS));
    }
  }
}
