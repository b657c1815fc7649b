import { setTimeout as delay } from 'node:timers/promises';
import { missionFacts } from '../../base/items/mission-facts.ts';
import { type LabelDeps, raiseLabel } from '../../media/ingest/label.ts';
import type { FromRecorder } from '../../recorder-wire/protocol.ts';
import type { RecorderMirror } from './mirror.ts';
import { type RaisedPlatform, raisePlatformLabel } from './platform-label.ts';

const RETRY_MS = 1000;
/**
 * Maximum number of retries while the database is unavailable, or the row of a new mission does not exist yet. If they
 * fail, ingest raises the label later.
 */
const TRIES = 120;

export type StreamMarkDeps = LabelDeps & {
  mirror: Pick<RecorderMirror, 'subscribe'>;
  /** Alerts the users who may control the platform and are cleared for its new label. */
  alarm: (platformId: string, raised: RaisedPlatform) => void;
  log: { warn: (fields: object, text: string) => void };
};

type Mark = Extract<FromRecorder, { kind: 'mark' }>;

/**
 * Raises the label of a platform, and of the mission that it is recorded into, when security marks are found in live
 * streams. Marks of one item are handled in sequence; items do not wait for each other, since a mission's row may be
 * written late.
 */
export function streamMarks(deps: StreamMarkDeps) {
  const ending = new AbortController();
  /** The last pending task of each item. */
  const working = new Map<string, Promise<void>>();

  deps.mirror.subscribe({
    onMessage(message) {
      if (message.kind !== 'mark') return;
      const { platformId, missionId } = message;
      queue(platformId, () => raisePlatform(message));
      if (missionId !== null) queue(missionId, () => raiseMission(missionId, message.rank));
    },
  });

  function queue(itemId: string, raise: () => Promise<boolean>): void {
    const work = (working.get(itemId) ?? Promise.resolve()).then(() => insist(raise));
    working.set(itemId, work);
    void work.then(() => {
      if (working.get(itemId) === work) working.delete(itemId);
    });
  }

  async function insist(raise: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < TRIES && !ending.signal.aborted; tries++) {
      try {
        if (await raise()) return;
      } catch (error) {
        deps.log.warn({ error }, 'a label could not be raised');
      }
      await delay(RETRY_MS, null, { signal: ending.signal }).catch(() => undefined);
    }
  }

  async function raisePlatform({ platformId, rank }: Mark): Promise<boolean> {
    const raised = await raisePlatformLabel(deps.db, platformId, rank);
    if (raised === null) return true;
    const reason = `label_conflict: marked ${raised.label} inside its stream, so its label rose.`;
    await deps.audit({ action: 'label_conflict', itemId: platformId, label: rank, reason });
    deps.changed('platforms', [platformId]);
    deps.alarm(platformId, raised);
    return true;
  }

  /** Raises the label of a mission. Returns false while its row does not exist. */
  async function raiseMission(missionId: string, rank: number): Promise<boolean> {
    if ((await missionFacts(deps.db, missionId, 'label')) === null) return false;
    await raiseLabel(deps, missionId, rank);
    return true;
  }

  return {
    async close(): Promise<void> {
      ending.abort();
      await Promise.all(working.values());
    },
  };
}
