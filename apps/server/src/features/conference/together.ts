import {
  type SharedView,
  type TogetherPoint,
  type TogetherRoom,
  type TogetherShow,
  type TogetherWish,
  togetherPointEvent,
  togetherViewEvent,
} from '@osprey/contract';
import type { LiveRights } from '../../base/items/live-rights.ts';
import type { Page } from '../../base/ws/hub.ts';
import type { Presence } from './presence.ts';
import { roomNotices } from './room-notices.ts';
import {
  haveSameSubject,
  LIVE,
  labelAbove,
  rightsKey,
  subjectOf,
  type ViewFacts,
  viewFacts,
  visiblePart,
} from './view-rights.ts';

export type TogetherDeps = {
  presence: Pick<Presence, 'isIn' | 'roomsByUser'>;
  live: Pick<LiveRights, 'account' | 'facts' | 'mission' | 'platform' | 'platformOf'>;
  /** Whether notices of lost rights arrive from the database; without them no view is shown. */
  isListening: () => boolean;
  log: { warn: (fields: object, text: string) => void };
};

/** The view that a following page was sent last (`shown`, what its user may see), and the leader's view it was made from. */
type Sent = { shown: SharedView | null; view: SharedView | null };

type Session = {
  leader: Page | null;
  view: SharedView | null;
  followers: Map<Page, Sent>;
  /** The label of a view that is above the room's label, and therefore shown to nobody. */
  refused: TogetherRoom['refused'];
  isDue: boolean;
  working: Promise<void> | null;
};

const pagesOf = ({ leader, followers }: Session): Page[] => [...(leader ? [leader] : []), ...followers.keys()];

/**
 * Lets pages of people in one room follow the page of one of them, the leader. The server sends the leader's view to each
 * page that follows, as far as its account may see it at that moment, and nobody learns what others may see. A mission, or
 * a platform, above the label of the room is shown to nobody, and the leader is notified of the reason. Of a live view each
 * page gets the sensors whose platforms its account may watch.
 */
export function together({ presence, live, isListening, log }: TogetherDeps) {
  const sessions = new Map<string, Session>();
  const facts = viewFacts(live);
  const notices = roomNotices({ presence, facts, stateOf: (roomId) => sessions.get(roomId), log });

  function sessionOf(roomId: string): Session {
    const existing = sessions.get(roomId);
    if (existing) return existing;
    const followers = new Map<Page, Sent>();
    const made = { leader: null, view: null, followers, refused: null, isDue: false, working: null };
    sessions.set(roomId, made);
    return made;
  }

  /** Removes the session of a room that has neither a leader nor followers. */
  function removeIdle(roomId: string, session: Session): void {
    if (session.leader === null && session.followers.size === 0 && sessions.get(roomId) === session) {
      sessions.delete(roomId);
    }
  }

  /** Returns the part of a view that a page in the room may see now; null if that is nothing. */
  function seenBy(roomId: string, read: ViewFacts, page: Page, view: SharedView): SharedView | null {
    return isListening() && presence.isIn(roomId, page.userId) ? visiblePart(read, page, view) : null;
  }

  function scheduleDelivery(roomId: string, session: Session): void {
    session.isDue = true;
    session.working ??= work(roomId, session);
  }

  /** Delivers one view after the other; of several that wait, only the newest. */
  async function work(roomId: string, session: Session): Promise<void> {
    while (session.isDue) {
      session.isDue = false;
      try {
        await deliver(roomId, session);
      } catch (error) {
        log.warn({ error, roomId }, 'the view of a room was not sent');
        for (const [page, sent] of session.followers) hide(roomId, page, sent);
      }
    }
    session.working = null;
    removeIdle(roomId, session);
  }

  async function deliver(roomId: string, session: Session): Promise<void> {
    const asked = session.view;
    const read = await facts.read(roomId, asked, pagesOf(session));
    const { leader, view } = session;
    // The leader may have moved to another subject during the read.
    if (view !== asked && !haveSameSubject(view, asked)) {
      session.isDue = true;
      return;
    }
    const led = leader === null || view === null ? null : seenBy(roomId, read, leader, view);
    const refused = led === null ? null : labelAbove(read);
    if (refused !== session.refused) {
      session.refused = refused;
      notices.schedule();
    }
    for (const [page, sent] of session.followers) {
      const shown = led === null || refused !== null ? null : seenBy(roomId, read, page, led);
      if (shown === null) hide(roomId, page, sent);
      else if (sent.view !== view || !haveSameSubject(sent.shown, shown)) {
        Object.assign(sent, { shown, view });
        page.emit(togetherViewEvent.name, { room: roomId, view: shown });
      }
    }
  }

  function hide(room: string, page: Page, sent: Sent): void {
    if (sent.shown === null) return;
    Object.assign(sent, { shown: null, view: null });
    page.emit(togetherViewEvent.name, { room, view: null });
  }

  /** Ends the page's role as leader or follower. */
  function stop(roomId: string, page: Page): void {
    const session = sessions.get(roomId);
    if (session === undefined) return;
    const sent = session.followers.get(page);
    if (sent) hide(roomId, page, sent);
    session.followers.delete(page);
    if (session.leader === page) Object.assign(session, { leader: null, view: null });
    notices.schedule();
    scheduleDelivery(roomId, session);
  }

  /** Sends a pointer to each page that shows this mission, or this live sensor, now; ignores one from a page that does not. */
  async function point(page: Page, { room, mission, at }: TogetherPoint): Promise<void> {
    const session = sessions.get(room);
    const subject = mission ?? LIVE;
    if (session === undefined || subjectOf(session.view) !== subject) return;
    const read = await facts.read(room, session.view, pagesOf(session));
    const shows = (one: Page) => {
      const isLeader = one === session.leader;
      const shown = isLeader ? (session.refused === null ? session.view : null) : session.followers.get(one)?.shown;
      if (!shown || subjectOf(shown) !== subject) return false;
      const seen = seenBy(room, read, one, shown);
      if (seen === null || 'mission' in seen || at?.on !== 'picture') return seen !== null;
      return seen.live.includes(at.sensor);
    };
    const by = read.actors.get(rightsKey(page))?.username;
    if (by === undefined || !shows(page)) return;
    for (const one of pagesOf(session)) {
      if (one !== page && shows(one)) one.emit(togetherPointEvent.name, { room, mission, by, at });
    }
  }

  return {
    wish(page: Page, requested: TogetherWish): void {
      if (requested.command === 'watch') {
        notices.watch(page);
        return;
      }
      const { command, room } = requested;
      stop(room, page);
      if (command === 'stop' || !presence.isIn(room, page.userId)) return;
      const session = sessionOf(room);
      if (command === 'lead') Object.assign(session, { leader: page, view: null });
      else session.followers.set(page, { shown: null, view: null });
      notices.schedule();
      scheduleDelivery(room, session);
    },

    show(page: Page, { room, view }: TogetherShow): void {
      const session = sessions.get(room);
      // Another page may have begun to lead.
      if (session?.leader !== page) return;
      session.view = view;
      scheduleDelivery(room, session);
    },

    point(page: Page, pointed: TogetherPoint): void {
      point(page, pointed).catch((error) => log.warn({ error }, 'a pointer was not sent'));
    },

    /** Rights may have changed: takes back views that an account may no longer see. */
    review(): void {
      facts.changed();
      for (const [roomId, session] of sessions) scheduleDelivery(roomId, session);
      if (sessions.size > 0) notices.schedule();
    },

    /** A member has joined a room or left it. */
    moved(roomId: string): void {
      const session = sessions.get(roomId);
      for (const page of session ? pagesOf(session) : []) if (!presence.isIn(roomId, page.userId)) stop(roomId, page);
      notices.schedule();
    },

    /** A page has closed. */
    gone(page: Page): void {
      notices.forget(page);
      for (const roomId of sessions.keys()) stop(roomId, page);
    },

    close: notices.close,
  };
}
