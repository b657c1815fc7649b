import { createHmac } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { AppError } from '@osprey/contract';
import type { FastifyInstance } from 'fastify';
import { type OpenReads, openReads } from '../base/access/open-reads.ts';
import { secretFile } from '../base/access/secret-file.ts';
import { readSetting } from '../base/db/settings.ts';
import { ffmpegWhenNeeded } from '../base/ffmpeg/ffmpeg.ts';
import { createApp, hostsOf } from '../base/http/app.ts';
import type { Http } from '../base/http/call-route.ts';
import { checkAllServed } from '../base/http/calls.ts';
import { connectionLimit } from '../base/http/connection-limit.ts';
import { noSession } from '../base/http/session.ts';
import { liveRights } from '../base/items/live-rights.ts';
import type { Hub } from '../base/ws/hub.ts';
import { messageText } from '../features/activity/messages.ts';
import { hasSuperAdmin } from '../features/identity/first-admin.ts';
import { liveCredentials } from '../features/identity/live-credentials.ts';
import { sessionIdentifier } from '../features/identity/session.ts';
import { refusalOfExports } from '../features/licence/licence.ts';
import type { Restart } from '../features/system/restart.ts';
import { usergroupRepository } from '../features/usergroups/repository.ts';
import { userRepository } from '../features/users/repository.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { openAudit } from './audit.ts';
import { openBackups } from './backups.ts';
import { type Conference, openConference } from './conference.ts';
import { productContents } from './contents.ts';
import { type Dependencies, openDependencies, type ProcessOptions } from './dependencies.ts';
import { openDocuments } from './documents.ts';
import { openEvents } from './events.ts';
import { features, type Served } from './features.ts';
import { type KeyFor, openIdentity } from './identity.ts';
import { items as productItems } from './items.ts';
import { openLicence } from './licence.ts';
import { coordinateLive, type Live } from './live.ts';
import { openRecordings } from './recordings.ts';
import { openSamples } from './samples.ts';
import { openTiles } from './tiles.ts';
import { openUploads } from './uploads.ts';

const SWEEP_MS = 3_600_000;
const PORT_TRIES = 40;
const PORT_RETRY_MS = 250;
const CLOSE_MS = 1500;
/**
 * Maximum number of connections waiting in the kernel's accept queue, within the kernel's own limit. Node's default of
 * 511 overflows when a thousand clients connect together; later clients would then retry only after 1 s and 3 s.
 */
const BACKLOG = 4096;

export type ApiOptions = ProcessOptions & {
  /** One-time code of the set-up page; null when there is a superAdmin. */
  setupCode: string | null;
  /** Certificate and key in PEM. */
  tls: { certFile: string; keyFile: string } | null;
  /** Asks the supervisor to restart all processes; absent if there is no supervisor. */
  restart?: Restart;
  /** For tests: replaces the monotonic clock (milliseconds) and the UTC clock (microseconds). */
  clock?: { nowMs: () => number; nowUs: () => number };
  /** For tests: see the hub. */
  beforeSending?: () => Promise<void>;
};

export type Api = {
  app: FastifyInstance;
  /** Server of calls; more can be added until the first request. */
  http: Http;
  hub: Hub;
  dependencies: Dependencies;
  reads: OpenReads;
  coordination: Live;
  conference: Conference['conference'];
  listen: () => Promise<AddressInfo>;
  close: () => Promise<void>;
};

/**
 * Composes the process that owns the port: REST, media, events, the page. `close` closes everything that is opened
 * here.
 */
export async function composeApi(options: ApiOptions): Promise<Api> {
  const { config, databaseUrl, log } = options;
  const { items = productItems } = options;
  const dependencies = {
    ...(await openDependencies({ config, databaseUrl, log, items, works: false })),
    ...options.clock,
  };
  const { db, events, nowUs } = dependencies;
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
  const identity = openIdentity(dependencies, keyFor);
  const { credentials, checkLogin, mediaTokens } = identity;
  const audit = await openAudit(dependencies);
  const reads = openReads();
  const live = liveRights({ db, items, reads });
  const users = userRepository({ db, nowUs });
  const usergroups = usergroupRepository({ db, items, nowUs });
  const { hub, notices } = await openEvents({
    dependencies,
    databaseUrl,
    server,
    hosts,
    redeem: identity.tickets.redeem,
    reads,
    live,
    startedUs,
    beforeSending: options.beforeSending,
  });
  const licensing = await openLicence(dependencies, (userId) => hub.onlineCount(userId) > 0);
  const { licence, seats } = licensing;
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
    // Without notices of lost rights, no request may be served based on cached rights.
    identify: async (request, use) => {
      if (!notices.isListening()) throw new AppError('unavailable');
      const session = await identify(request, use);
      if (session.actor === null) return session;
      // A password in a Basic header counts as a sign-in.
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

  const coordination = coordinateLive({ dependencies, live, reads, hub, auditWriter: audit.writer, licence });
  const { mirror } = coordination;
  const uploads = openUploads(dependencies);
  const recordings = openRecordings({ dependencies, live, mirror });
  const samples = openSamples({ dependencies, ...recordings });
  const conference = openConference({ dependencies, auditWriter: audit.writer });
  const api: ApiDependencies = {
    ...{ http, dependencies, server, hosts, tls, databaseUrl, startedUs, connections, live, reads, hub, audit },
    ...{ identity, mediaTokens: identity.mediaTokens, users, usergroups, guestAllowed, notifyAccount },
    ...{ licensing, ...licensing, coordination, mirror },
    ffmpeg: ffmpegWhenNeeded(config.sandbox),
    contents: productContents({ ...dependencies, ...recordings }),
    restart: options.restart ?? null,
    isServing: notices.isListening,
    exportRefusal: () => refusalOfExports(licence.current()),
    ticketKey: keyFor('exportTickets'),
    setUp: {
      code: options.setupCode,
      done: () => {
        setUpNeeded = false;
      },
    },
    ...uploads,
    ...openDocuments({ dependencies, ...uploads }),
    ...recordings,
    ...samples,
    ...openTiles(dependencies),
    ...(await openBackups(dependencies)),
    ...conference,
  };
  const served: Served[] = [];
  for (const serve of await Promise.all(features.map((feature) => feature.serve()))) {
    const one = await serve(api);
    if (one) served.push(one);
  }
  checkAllServed(http);

  if (config.samples) await samples.samples.make();
  const sweep = () =>
    Promise.all(served.map((one) => one.sweep?.())).catch((error) => log.warn({ error }, 'sweep failed'));
  let sweeping = sweep();
  const sweeper = setInterval(() => {
    sweeping = sweeping.then(sweep);
  }, SWEEP_MS);

  return {
    app,
    http,
    hub,
    dependencies,
    reads,
    coordination,
    ...conference,
    listen: () => listen(app, config),
    async close() {
      clearInterval(sweeper);
      licence.close();
      await sweeping;
      // Responses in progress may finish; connections that keep sending or reading indefinitely are closed after this
      // time.
      const cut = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
      await Promise.all([hub.close(), app.close()]);
      clearTimeout(cut);
      for (const one of served) await one.close?.();
      await coordination.close();
      await notices.close();
      live.close();
      await audit.close();
      await events.drain();
      await dependencies.boss.stop({ graceful: false });
      await db.destroy();
    },
  };
}

/** Derives this installation's keys from one secret, one key for each purpose. */
async function keysOf(dataDir: string): Promise<KeyFor> {
  const secret = await secretFile(join(dataDir, 'keys', 'sessions.key'));
  return (purpose) => createHmac('sha256', secret).update(purpose).digest();
}

/**
 * Retries to listen, since the port may still belong to a process of this server that is ending after kill -9 of its
 * parent.
 */
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
