import type { Orders } from '../../recorder-wire/protocol.ts';

/** Time within which changes are collected and sent together, in milliseconds. */
const COLLECT_MS = 50;
const RETRY_MS = 1000;

export type OrderDeps = {
  /** Reads the current orders from the database. */
  read: () => Promise<Orders>;
  order: (orders: Orders) => void;
  log: { warn: (fields: object, text: string) => void };
};

/** Keeps the recorder's orders in line with the database. */
export function recorderOrders({ read, order, log }: OrderDeps) {
  let timer: NodeJS.Timeout | null = null;
  let working: Promise<void> = Promise.resolve();
  let closed = false;

  /** Sends orders one after another, so that older orders never replace newer ones. */
  function send(): Promise<void> {
    working = working.then(async () => {
      if (closed) return;
      try {
        order(await read());
      } catch (error) {
        log.warn({ error }, 'orders of the recorder could not be read');
        sendSoon(RETRY_MS);
      }
    });
    return working;
  }

  function sendSoon(afterMs = COLLECT_MS): void {
    if (closed) return;
    timer ??= setTimeout(() => {
      timer = null;
      void send();
    }, afterMs);
  }

  return {
    /** Sends the orders of the current rows; resolves when the recorder has them. */
    send,
    sendSoon: () => sendSoon(),
    async close(): Promise<void> {
      closed = true;
      if (timer) clearTimeout(timer);
      await working;
    },
  };
}
