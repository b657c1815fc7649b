import { can, type MissionLook, missionViewersEvent, VIEWERS_MAX } from '@osprey/contract';
import type { LiveRights } from '../../base/items/live-rights.ts';
import type { Page } from '../../base/ws/hub.ts';

/**
 * Delay before notices are sent, in milliseconds, since opening a page sends several messages, and a change of rights
 * causes several notices.
 */
const NOTIFY_MS = 50;

export type ViewersDeps = {
  live: Pick<LiveRights, 'account' | 'mission'>;
  /** Returns whether notices of lost rights can be received. */
  isListening: () => boolean;
  log: { warn: (fields: object, text: string) => void };
};

/**
 * Shows pages that have a mission open who else is viewing it. Only accounts that may read the mission are counted and
 * receive the list: a page that names a mission hidden from its account is treated as if it named none.
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
    // Read again after a change, so that the decision is based on the rights at the time of sending.
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
    /** Records that a page now shows this mission. */
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

    /** Called when rights may have changed; without an id, for all missions. */
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
