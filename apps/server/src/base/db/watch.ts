import { Socket } from 'node:net';
import pg from 'pg';

const ASK_MS = 500;
const CONNECT_MS = 2000;

export type WatchOptions = {
  url: string;
  /** Silence after which the database counts as away: milliseconds in which this process ran. */
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
   * Milliseconds since the last answer in which this process ran; null before the first, since a busy machine may take
   * long to connect. While it or the whole machine is paused no answer can be read: as late as a turn comes, it was.
   */
  let unanswered: number | null = null;
  let turnedMs = performance.now();
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
    const lateMs = performance.now() - turnedMs - ASK_MS;
    turnedMs = performance.now();
    if (unanswered !== null) unanswered += Math.max(0, Math.min(ASK_MS, ASK_MS - lateMs));
    // The turn that asks counts too.
    if (!silent && unanswered !== null && unanswered > silenceMs) {
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
