import pg from 'pg';

/** Channels of NOTIFY: rights that changed (sent by triggers), and events for open pages (sent by the parts). */
export const RIGHTS_CHANNEL = 'osprey_rights';
export const EVENTS_CHANNEL = 'osprey_events';
/** Marks that say that everything sent before them was heard: notices come in the order of their commits. */
export const MARKS_CHANNEL = 'osprey_marks';

const RETRY_MS = 500;
/** Interval of checks of the connection, and the silence after which it counts as lost. */
const BEAT_MS = 1000;
const SILENCE_MS = 3000;
/** Counted in turns of this process: while the whole machine is paused, no answer could have come. */
const SILENCE_TURNS = 6;

export type Notices = {
  /** False while the connection is away: then lost rights are not reported. */
  isListening: () => boolean;
  close: () => Promise<void>;
};

export type NoticesOptions = {
  url: string;
  /** Default: those of rights and events. */
  channels?: readonly string[];
  onNotice: (channel: string, payload: string) => void;
  /** The connection broke or fell silent. */
  onLost: () => void;
  /** Listening again after an absence: notices were missed. */
  onRegained: () => void;
  onError: (error: unknown) => void;
};

/** A connection of its own that listens, and comes back by itself. */
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

  /** A connection cut on the way says nothing: it is asked again and again whether it is there. */
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
