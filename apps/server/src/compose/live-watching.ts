import type { Server } from 'node:http';
import { join } from 'node:path';
import { requestAudit } from '../base/audit/request-audit.ts';
import type { Http } from '../base/http/call-route.ts';
import type { LiveRights } from '../base/items/live-rights.ts';
import { folderStorage } from '../base/storage/folder.ts';
import type { Tickets } from '../features/identity/tickets.ts';
import { videoFeeds } from '../live/low-latency/feeds.ts';
import { liveSocket } from '../live/low-latency/live-socket.ts';
import { pastTelemetry } from '../live/low-latency/past-telemetry.ts';
import { telemetryFeed } from '../live/low-latency/telemetry-feed.ts';
import { gatewayClient } from '../live/whep/client.ts';
import { whepRoutes } from '../live/whep/routes.ts';
import { mediaSessions } from '../media/play/media-sessions.ts';
import { gatewaySocket } from '../recorder-wire/socket-path.ts';
import type { Dependencies } from './dependencies.ts';
import type { Live } from './live.ts';

export type LiveWatchingOptions = {
  http: Http;
  dependencies: Dependencies;
  coordination: Live;
  live: LiveRights;
  server: Server;
  hosts: ReadonlySet<string>;
  identity: { tickets: Pick<Tickets, 'redeem'> };
  /** Returns whether notices of lost rights can be received. */
  isServing: () => boolean;
};

/** Serves live sensors with low latency: the socket with telemetry and pictures, and WebRTC through the gateway. */
export function serveLiveWatching(options: LiveWatchingOptions): void {
  const { http, dependencies, coordination, live, server, hosts, identity, isServing } = options;
  const { mirror, access } = coordination;
  const { config, log, nowMs, nowUs } = dependencies;
  const feeds = videoFeeds(mirror);
  const telemetry = telemetryFeed();
  const unsubscribe = mirror.subscribe({
    onMedia: feeds.push,
    onKlv: telemetry.push,
    onMessage(message) {
      if (message.kind === 'sourceGone') telemetry.forget(message.sensorId);
      if (message.kind !== 'recording') return;
      const ended = message.recording.sensors.filter(({ state }) => state === 'stopped');
      for (const { liveSensorId } of ended) telemetry.forget(liveSensorId);
    },
  });
  const sessions = mediaSessions({ nowMs, nowUs, log });
  const socket = liveSocket({
    server,
    hosts,
    redeem: identity.tickets.redeem,
    isServing,
    live,
    access,
    feeds,
    telemetry,
    past: pastTelemetry({
      mirror,
      ring: folderStorage({ root: join(config.dataDir, 'live', 'ring') }),
      storage: dependencies.storage,
    }),
    noteRead: ({ holder, actor, item, sensorId }, range) => {
      const { credentialId, address } = holder;
      const audit = requestAudit(http.auditWriter, { actor, session: credentialId, address }, nowUs);
      const fetched = range && { bytes: range[1] - range[0], contentSpan: 'now' as const };
      return sessions.read({ actor, via: credentialId ?? address, mission: item, sensorId, audit }, fetched);
    },
    nowMs,
    log,
  });
  const gateway = gatewayClient({ path: gatewaySocket(config.dataDir), log });
  whepRoutes({ ...http, gateway, access, sourceOf: mirror.source, sessions });
  // Runs before the server waits for its connections to end, since these end in no other way.
  http.app.addHook('preClose', async () => {
    socket.close();
    unsubscribe();
    gateway.close();
    await sessions.close();
  });
}
