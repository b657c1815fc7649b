type Wish = { command: 'subscribe' | 'unsubscribe' };

/** Events of live streams are sent to those who asked for them: asks once however many parts of a page need them. */
export function liveWatch(emit: (wish: Wish) => void) {
  let watchers = 0;
  return {
    /** @returns what ends it */
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
    /** A new socket knows nothing of what the one before was asked. */
    connected() {
      if (watchers > 0) emit({ command: 'subscribe' });
    },
  };
}
