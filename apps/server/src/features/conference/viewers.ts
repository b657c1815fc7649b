import { can, type MissionLook, missionViewersEvent, VIEWERS_MAX } from '@osprey/contract';
import type { LiveRights } from '../../base/items/live-rights.ts';
import type { Page } from '../../base/ws/hub.ts';

/** One page is opened by several messages, and a change of rights comes in several notices. */
const NOTIFY_MS = 50;

export type ViewersDeps = {
  live: Pick<LiveRights, 'account' | 'mission'>;
  /** Whether lost rights would be heard of. */
  isListening: () => boolean;
  log: { warn: (fields: object, text: string) => void };
};

/**
 * Viewers of a mission, for the pages that have it open too. Only accounts that may read the mission count and get the
 * list: a page that names a mission which its account cannot see is as if it named none.
 */
export function missionViewers({ live, isListening, log }: ViewersDeps) {
  /** Pages by the mission that they show, with the last list of names sent to each. */
  const missions = new Map<string, Map<Page, string>>();
  const shown = new Map<Page, string>();
  const due = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let changes = 0;

  function scheduleNotify(missionId: string): void {
    due.add(missionId);
    timer ??= setTimeout(() => {
      timer = null;
      const ids = [...due];
      due.clear();
      for (const id of ids) {
        notify(id).catch((error) => log.warn({ error, missionId: id }, 'who looks at a mission was not sent'));
      }
    }, NOTIFY_MS);
  }

  async function notify(missionId: string): Promise<void> {
    const before = changes;
    const asked = [...(missions.get(missionId)?.keys() ?? [])];
    const [facts, ...accounts] = await Promise.all([
      live.mission(missionId),
      ...asked.map(({ userId, ceiling }) => live.account(userId, ceiling)),
    ]);
    // Decided with what holds when it is sent.
    if (before !== changes) return scheduleNotify(missionId);
    const names = new Map<string, string>();
    const readers = new Set<Page>();
    for (const [index, page] of asked.entries()) {
      const account = accounts[index] ?? null;
      if (account === null || facts === null || !isListening()) continue;
      const { actor } = account;
      if (!can(actor, 'mission.read', facts).allowed) continue;
      names.set(actor.id, actor.username);
      readers.add(page);
    }
    const pages = missions.get(missionId);
    for (const [page, sent] of pages ?? []) {
      const others = readers.has(page) ? [...names].flatMap(([id, name]) => (id === page.userId ? [] : [name])) : [];
      const viewers = others.sort((a, b) => a.localeCompare(b)).slice(0, VIEWERS_MAX);
      const text = JSON.stringify(viewers);
      if (text === sent) continue;
      pages?.set(page, text);
      page.emit(missionViewersEvent.name, { mission: missionId, viewers });
    }
  }

  function leave(page: Page): void {
    const missionId = shown.get(page);
    if (missionId === undefined) return;
    shown.delete(page);
    const pages = missions.get(missionId);
    pages?.delete(page);
    if (pages?.size === 0) missions.delete(missionId);
    else scheduleNotify(missionId);
  }

  return {
    /** A page shows this mission from now on. */
    viewing(page: Page, { mission }: MissionLook): void {
      if (shown.get(page) === (mission ?? undefined)) return;
      leave(page);
      if (mission === null) return;
      shown.set(page, mission);
      const pages = missions.get(mission) ?? new Map<Page, string>();
      // A new page starts with an empty list.
      missions.set(mission, pages.set(page, '[]'));
      scheduleNotify(mission);
    },

    gone: leave,

    /** Rights may have changed; of all missions where none is named. */
    review(missionId: string | null): void {
      changes += 1;
      const ids = missionId === null ? missions.keys() : missions.has(missionId) ? [missionId] : [];
      for (const id of ids) scheduleNotify(id);
    },

    close(): void {
      if (timer) clearTimeout(timer);
    },
  };
}
