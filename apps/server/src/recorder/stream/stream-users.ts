import type { Logger } from 'pino';
import type { LiveListener, LiveStream } from '../components.ts';

type Options = {
  log: Pick<Logger, 'error'>;
  /** Called when the last user that required the stream has released it. */
  onReleased: () => void;
};

export type StreamUsers = Pick<LiveStream, 'listen' | 'keep'> & {
  isRetained: () => boolean;
  /**
   * Calls `word` for each listener. If a listener throws, this is handled as an internal error, and the other listeners
   * are still called.
   */
  notify: (word: (listener: LiveListener) => void) => void;
};

/** Listeners of a stream, and users that keep the stream even if its platform has been removed. */
export function streamUsers({ log, onReleased }: Options): StreamUsers {
  const listeners = new Set<LiveListener>();
  let keeps = 0;
  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    keep() {
      keeps += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        keeps -= 1;
        if (keeps === 0) onReleased();
      };
    },
    isRetained: () => keeps > 0,
    notify(word) {
      for (const listener of listeners) {
        try {
          word(listener);
        } catch (error) {
          log.error({ error }, 'a listener of a stream failed');
        }
      }
    },
  };
}
