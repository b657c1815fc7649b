import { type FeedSource, sensorFeeds } from '../../recorder-wire/sensor-feeds.ts';
import { type FeedViewer, videoFeed } from './video-feed.ts';

/** The video of live sensors, for all viewers that use the live socket. */
export function videoFeeds(source: FeedSource) {
  const { push, take } = sensorFeeds(source, videoFeed);
  return {
    push,
    /** Adds a viewer; returns the function that removes it. */
    join(sensorId: string, viewer: FeedViewer): () => void {
      const { feed, giveBack } = take(sensorId);
      const leave = feed.join(viewer);
      return () => {
        leave();
        giveBack();
      };
    },
  };
}

export type VideoFeeds = ReturnType<typeof videoFeeds>;
