type Wish = { command: 'subscribe' | 'unsubscribe' };

/**
 * Subscribes to events of live streams, which the server sends only on request. Only one subscription is sent, however
 * many parts of a page need the events.
 */
export function liveWatch(emit: (wish: Wish) => void) {
  let watchers = 0;
  return {
    /** @returns a function that ends the subscription of the caller */
    watch(): () => void {
      watchers += 1;
      if (watchers === 1) emit({ command: 'subscribe' });
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        watchers -= 1;
        if (watchers === 0) emit({ command: 'unsubscribe' });
      };
    },
    /** A new socket has no subscriptions, so they are sent again. */
    connected() {
      if (watchers > 0) emit({ command: 'subscribe' });
    },
  };
}
