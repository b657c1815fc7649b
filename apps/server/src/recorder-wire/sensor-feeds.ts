import type { MediaFrame } from './media-frames.ts';

export type FeedSource = { watch: (sensorId: string) => void; unwatch: (sensorId: string) => void };

type Feed = { push(packets: Uint8Array, lost: boolean): void };

/** One feed for each sensor in use: begun with the first user, ended with the last. */
export function sensorFeeds<Kind extends Feed>({ watch, unwatch }: FeedSource, create: () => Kind) {
  const feeds = new Map<string, { feed: Kind; users: number }>();

  function giveBack(sensorId: string): void {
    const known = feeds.get(sensorId);
    if (known === undefined || --known.users > 0) return;
    feeds.delete(sensorId);
    unwatch(sensorId);
  }

  return {
    push({ sensorId, lost, packets }: MediaFrame): void {
      feeds.get(sensorId)?.feed.push(packets, lost);
    },
    /** To be given back once. */
    take(sensorId: string): { feed: Kind; giveBack: () => void } {
      const known = feeds.get(sensorId) ?? { feed: create(), users: 0 };
      if (known.users === 0) {
        feeds.set(sensorId, known);
        watch(sensorId);
      }
      known.users++;
      let isGiven = false;
      return {
        feed: known.feed,
        giveBack() {
          if (!isGiven) giveBack(sensorId);
          isGiven = true;
        },
      };
    },
    users: (sensorId: string): number => feeds.get(sensorId)?.users ?? 0,
  };
}
