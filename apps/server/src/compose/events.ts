import type { Server } from 'node:http';
import type { LiveRights } from '../base/access/live-rights.ts';
import type { OpenReads } from '../base/access/open-reads.ts';
import { listenForNotices, type Notices, RIGHTS_CHANNEL } from '../base/db/notices.ts';
import { createHub, type Hub } from '../base/ws/hub.ts';
import { outgoing } from '../base/ws/outgoing.ts';
import type { Tickets } from '../features/identity/tickets.ts';
import type { CommonParts } from './parts.ts';

type Options = {
  parts: CommonParts;
  databaseUrl: string;
  server: Server;
  hosts: ReadonlySet<string>;
  redeem: Tickets['redeem'];
  reads: OpenReads;
  live: LiveRights;
  startedUs: number;
  /** For tests: see the hub. */
  beforeSending: (() => Promise<void>) | undefined;
};

/** Listens for notices of the database and passes them on to the sockets of open pages. */
export async function openEvents(options: Options): Promise<{ hub: Hub; notices: Notices }> {
  const { parts, databaseUrl, server, hosts, redeem, reads, live, startedUs, beforeSending } = options;
  const { db, items, log } = parts;
  const hub = createHub({
    db,
    server,
    redeem,
    reads,
    items,
    live,
    isListening: () => notices.isListening(),
    hosts,
    startedUs,
    log,
    ...(beforeSending ? { beforeSending } : {}),
  });
  const notices = await listenForNotices({
    url: databaseUrl,
    onNotice: (channel, payload) => {
      const value: unknown = JSON.parse(payload);
      if (channel !== RIGHTS_CHANNEL) return hub.happened(outgoing.parse(value));
      const notice = items.notice.parse(value);
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
  return { hub, notices };
}
