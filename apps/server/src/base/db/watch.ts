import { Socket } from 'node:net';
import pg from 'pg';

const ASK_MS = 500;
const CONNECT_MS = 2000;

export type WatchOptions = {
  url: string;
  /**
   * Silence after which the database is considered unavailable, in milliseconds during which this process was running.
   */
  silenceMs: number;
  onSilent: () => void;
};

export type Watch = {
  isSilent: () => boolean;
  close: () => void;
};

/**
 * Checks every 500 ms, on a dedicated connection, whether the database answers, however busy it is with other queries.
 * The timer does not keep the process alive.
 */
export function watchDatabase({ url, silenceMs, onSilent }: WatchOptions): Watch {
  let probe: Probe | null = null;
  let asking = false;
  /**
   * Milliseconds since the last answer during which this process was running. Null before the first answer, since
   * connecting may take long on a busy machine. Pauses of the process or the machine are subtracted, since no answer
   * can be read during them; their length is the delay of the timer.
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
    // The current tick counts too.
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
  // No handling is needed here: the pending query fails with the same error.
  client.on('error', () => undefined);
  return { client, socket, isOpen: false };
}

/**
 * Sends a query to the database. `refused` means that the database itself returned an error, for example while starting
 * or without a free connection; this counts as an answer.
 */
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
