import pg from 'pg';

/** NOTIFY channels: changes of rights (sent by triggers), and events for open pages (sent by the features). */
export const RIGHTS_CHANNEL = 'osprey_rights';
export const EVENTS_CHANNEL = 'osprey_events';
/**
 * Channel of marker notices. Since notices arrive in commit order, a received marker shows that everything sent before
 * it has been received.
 */
export const MARKS_CHANNEL = 'osprey_marks';

const RETRY_MS = 500;
/** Interval between checks of the connection, and the silence after which it is considered lost, in milliseconds. */
const BEAT_MS = 1000;
const SILENCE_MS = 3000;
/**
 * The silence is counted in timer ticks of this process, since no answer could have been received while the process or
 * the machine was paused.
 */
const SILENCE_TURNS = 6;

export type Notices = {
  /** False while the connection is lost. Changes of rights are then not reported. */
  isListening: () => boolean;
  close: () => Promise<void>;
};

export type NoticesOptions = {
  url: string;
  /** Default: the channels of rights and events. */
  channels?: readonly string[];
  onNotice: (channel: string, payload: string) => void;
  /** Called when the connection broke or went silent. */
  onLost: () => void;
  /** Called when listening has resumed after a loss. Notices may have been missed in between. */
  onRegained: () => void;
  onError: (error: unknown) => void;
};

/** Listens on a dedicated connection and reconnects automatically. */
export async function listenForNotices(options: NoticesOptions): Promise<Notices> {
  const { channels = [RIGHTS_CHANNEL, EVENTS_CHANNEL] } = options;
  const listen = channels.map((channel) => `listen ${pg.escapeIdentifier(channel)}`).join('; ');
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let beat: NodeJS.Timeout | null = null;
  let listening = false;
  let closed = false;

  async function open(): Promise<void> {
    const fresh = new pg.Client({ connectionString: options.url, keepAlive: true, connectionTimeoutMillis: 2000 });
    fresh.on('notification', ({ channel, payload }) => {
      if (fresh === client) options.onNotice(channel, payload ?? '');
    });
    fresh.on('error', (error) => lost(fresh, error));
    fresh.on('end', () => lost(fresh, new Error('The notice connection ended')));
    client = fresh;
    await fresh.connect();
    await fresh.query(listen);
    listening = true;
    beat = setTimeout(() => void ask(fresh), BEAT_MS);
  }

  /** Checks repeatedly that the connection is alive, since a connection cut in the network reports no error. */
  async function ask(of: pg.Client): Promise<void> {
    let turns = 0;
    const watch = setInterval(() => {
      turns += 1;
      if (turns < SILENCE_TURNS) return;
      clearInterval(watch);
      lost(of, new Error('The notice connection is silent'));
    }, SILENCE_MS / SILENCE_TURNS);
    await of.query('select 1').catch((error) => lost(of, error));
    clearInterval(watch);
    if (of === client) beat = setTimeout(() => void ask(of), BEAT_MS);
  }

  function lost(of: pg.Client, error: unknown): void {
    if (of !== client) return;
    client = null;
    listening = false;
    if (beat) clearTimeout(beat);
    if (closed) return;
    options.onError(error);
    options.onLost();
    of.end().catch(options.onError);
    retry();
  }

  function retry(): void {
    timer = setTimeout(() => {
      open().then(options.onRegained, (error) => {
        options.onError(error);
        client = null;
        if (!closed) retry();
      });
    }, RETRY_MS);
  }

  await open();
  return {
    isListening: () => listening,
    async close() {
      closed = true;
      if (timer) clearTimeout(timer);
      if (beat) clearTimeout(beat);
      const last = client;
      client = null;
      await last?.end();
    },
  };
}
