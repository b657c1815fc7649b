import { can, type TogetherRoom, togetherEvent } from '@osprey/contract';
import type { Page } from '../../base/ws/hub.ts';
import type { Presence } from './presence.ts';
import { rightsKey, type ViewFacts } from './view-rights.ts';

/** Time in which several changes become one notice, such as a member who leaves while another one joins. */
const NOTIFY_MS = 20;

/** The leader and the followers in a room. */
export type RoomState = {
  leader: Page | null;
  followers: ReadonlyMap<Page, unknown>;
  refused: TogetherRoom['refused'];
};

type Deps = {
  presence: Pick<Presence, 'roomsByUser'>;
  facts: { read: (roomId: string, view: null, pages: Iterable<Page>) => Promise<ViewFacts> };
  stateOf: (roomId: string) => RoomState | undefined;
  log: { warn: (fields: object, text: string) => void };
};

/** Notifies the pages that asked for it of who leads and follows in the rooms of their accounts. */
export function roomNotices({ presence, facts, stateOf, log }: Deps) {
  /** The last notice of each page, as JSON. */
  const watchers = new Map<Page, string>();
  let timer: NodeJS.Timeout | null = null;
  let notifying: Promise<void> = Promise.resolve();

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = null;
      // One after the other, so that the newest notice is sent last.
      notifying = notifying.then(notify).catch((error) => log.warn({ error }, 'who leads a room was not sent'));
    }, NOTIFY_MS);
  }

  async function notify(): Promise<void> {
    const byUser = presence.roomsByUser();
    for (const [page, sent] of watchers) {
      const ids = byUser.get(page.userId) ?? [];
      if (ids.length === 0 && sent === '') continue;
      const rooms: TogetherRoom[] = [];
      for (const id of ids) {
        const room = await roomFor(page, id);
        if (room !== null) rooms.push(room);
      }
      const text = JSON.stringify(rooms);
      if (text === sent || !watchers.has(page)) continue;
      watchers.set(page, text);
      page.emit(togetherEvent.name, { rooms });
    }
  }

  /** Returns the state of a room as a page is shown it; null if its account may not join the room. */
  async function roomFor(page: Page, id: string): Promise<TogetherRoom | null> {
    const { leader: leads = null } = stateOf(id) ?? {};
    const { room, actors } = await facts.read(id, null, leads ? [page, leads] : [page]);
    const actor = actors.get(rightsKey(page));
    if (room === null || actor === undefined || !can(actor, 'room.join', room).allowed) return null;
    // The state after the read, which may have changed meanwhile.
    const { leader = null, followers, refused = null } = stateOf(id) ?? {};
    const does = leader === page ? 'leads' : followers?.has(page) ? 'follows' : 'neither';
    return {
      _id: id,
      name: room.name,
      securityClassification: room.securityClassification,
      leader: leader && (actors.get(rightsKey(leader))?.username ?? null),
      page: does,
      refused: leader === page ? refused : null,
    };
  }

  return {
    schedule,
    watch(page: Page): void {
      watchers.set(page, '');
      schedule();
    },
    forget(page: Page): void {
      watchers.delete(page);
    },
    close(): void {
      if (timer) clearTimeout(timer);
    },
  };
}
