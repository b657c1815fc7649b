import type { Logger } from 'pino';
import type { LiveListener, LiveStream } from '../parts.ts';

type Options = {
  log: Pick<Logger, 'error'>;
  /** The last of those who kept it let go. */
  onReleased: () => void;
};

export type StreamUsers = Pick<LiveStream, 'listen' | 'keep'> & {
  isRetained: () => boolean;
  /** To each listener. One that throws is a fault of ours that must not cost the others a packet. */
  notify: (word: (listener: LiveListener) => void) => void;
};

/** Listeners of a stream, and users for whom it stays although its platform may be gone. */
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
