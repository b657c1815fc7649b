import type { Server } from 'node:http';
import type { OpenReads } from '../base/access/open-reads.ts';
import { allReceived } from '../base/db/all-received.ts';
import { EVENTS_CHANNEL, listenForNotices, MARKS_CHANNEL, type Notices, RIGHTS_CHANNEL } from '../base/db/notices.ts';
import type { LiveRights } from '../base/items/live-rights.ts';
import { createHub, type Hub } from '../base/ws/hub.ts';
import { outgoing } from '../base/ws/outgoing.ts';
import type { Tickets } from '../features/identity/tickets.ts';
import type { Dependencies } from './dependencies.ts';

type Options = {
  dependencies: Dependencies;
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
  const { dependencies, databaseUrl, server, hosts, redeem, reads, live, startedUs, beforeSending } = options;
  const { db, items, log } = dependencies;
  const received = allReceived(db);
  const hub = createHub({
    db,
    server,
    redeem,
    reads,
    items,
    live,
    allReceived: received.wait,
    isListening: () => notices.isListening(),
    hosts,
    startedUs,
    log,
    ...(beforeSending ? { beforeSending } : {}),
  });
  const notices = await listenForNotices({
    url: databaseUrl,
    channels: [RIGHTS_CHANNEL, EVENTS_CHANNEL, MARKS_CHANNEL],
    onNotice: (channel, payload) => {
      if (channel === MARKS_CHANNEL) return received.mark(payload);
      const value: unknown = JSON.parse(payload);
      if (channel !== RIGHTS_CHANNEL) {
        const event = outgoing.safeParse(value);
        // A process of another version running alongside may send events unknown to this one.
        if (event.success) hub.happened(event.data);
        return;
      }
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
