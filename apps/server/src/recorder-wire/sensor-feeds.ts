import type { MediaMessage } from './media-messages.ts';

export type FeedSource = { watch: (sensorId: string) => void; unwatch: (sensorId: string) => void };

type Feed = { push(packets: Uint8Array, lost: boolean): void };

/** One feed for each sensor in use: created for its first user, ended when the last one leaves. */
export function sensorFeeds<Kind extends Feed>({ watch, unwatch }: FeedSource, create: () => Kind) {
  const feeds = new Map<string, { feed: Kind; users: number }>();

  function giveBack(sensorId: string): void {
    const existing = feeds.get(sensorId);
    if (existing === undefined || --existing.users > 0) return;
    feeds.delete(sensorId);
    unwatch(sensorId);
  }

  return {
    push({ sensorId, lost, packets }: MediaMessage): void {
      feeds.get(sensorId)?.feed.push(packets, lost);
    },
    /** Returns the sensor's feed, and a function to call once when it is no longer used. */
    take(sensorId: string): { feed: Kind; giveBack: () => void } {
      const existing = feeds.get(sensorId) ?? { feed: create(), users: 0 };
      if (existing.users === 0) {
        feeds.set(sensorId, existing);
        watch(sensorId);
      }
      existing.users++;
      let isGiven = false;
      return {
        feed: existing.feed,
        giveBack() {
          if (!isGiven) giveBack(sensorId);
          isGiven = true;
        },
      };
    },
    users: (sensorId: string): number => feeds.get(sensorId)?.users ?? 0,
  };
}
