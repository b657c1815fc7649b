import { Socket } from 'node:net';
import pg from 'pg';

const ASK_MS = 500;
const CONNECT_MS = 2000;

export type WatchOptions = {
  url: string;
  /** Silence after which the database counts as away. Milliseconds, counted in turns of 500. */
  silenceMs: number;
  onSilent: () => void;
};

export type Watch = {
  isSilent: () => boolean;
  close: () => void;
};

/**
 * Asks the database each 500 ms over a connection of its own whether it answers, however busy it is with other queries.
 * Does not hold up the end of the process.
 */
export function watchDatabase({ url, silenceMs, onSilent }: WatchOptions): Watch {
  let probe: Probe | null = null;
  let asking = false;
  /**
   * Turns since the last answer; null before the first, since a busy machine may take long to connect. They are
   * counted, not measured: while this process or the whole machine is paused, no answer can be read.
   */
  let unanswered: number | null = null;
  let silent = false;
  let closed = false;

  async function ask(): Promise<void> {
    asking = true;
    probe ??= openProbe(url);
    const asked = probe;
    const answered = await answers(asked);
    asking = false;
    if (answered !== 'yes' && probe === asked) drop();
    if (answered === 'no' || closed) return;
    unanswered = 0;
    silent = false;
  }

  function drop(): void {
    probe?.socket.destroy();
    probe = null;
  }

  function turn(): void {
    if (unanswered !== null) unanswered += 1;
    // The turn that asks counts too.
    if (!silent && unanswered !== null && unanswered > silenceMs / ASK_MS) {
      silent = true;
      drop();
      onSilent();
    }
    if (!asking) void ask();
  }

  turn();
  const timer = setInterval(turn, ASK_MS).unref();
  return {
    isSilent: () => silent,
    close() {
      closed = true;
      clearInterval(timer);
      drop();
    },
  };
}

type Probe = { client: pg.Client; socket: Socket; isOpen: boolean };

function openProbe(url: string): Probe {
  const socket = new Socket().unref();
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS, stream: () => socket });
  // The question that waits fails with it.
  client.on('error', () => undefined);
  return { client, socket, isOpen: false };
}

/** `refused`: by the database itself, as where it starts or has no connection left. That is an answer. */
async function answers(probe: Probe): Promise<'yes' | 'refused' | 'no'> {
  try {
    if (!probe.isOpen) await probe.client.connect();
    probe.isOpen = true;
    await probe.client.query('select 1');
    return 'yes';
  } catch (error) {
    return error instanceof pg.DatabaseError ? 'refused' : 'no';
  }
}
